package crash_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// request is what an agent is asked to do next that stays alive between two requests.
type request struct {
	Effect effect `json:"effect"`
	Job    job    `json:"job"`
	At     point  `json:"at,omitempty"` // what happens to the process on the way
	// Stubborn makes the tool's function go on whatever it hears of its claim.
	Stubborn bool `json:"stubborn,omitempty"`
	// Recover makes it recover instead, and tell what its run knows by then.
	Recover bool `json:"recover,omitempty"`
}

// reply is what it says then.
type reply struct {
	Told   told            `json:"told"`
	Record fault.Kind      `json:"record"` // how the first call of the run ended, as its record has it
	State  runrecord.State `json:"state"`  // of the run
	Open   []string        `json:"open"`   // cases that the run waits for
}

// converse is the role of an agent that has one run, and does what it is asked to.
func converse(in io.Reader, out io.Writer) error {
	a := &agent{}
	asked := json.NewDecoder(bufio.NewReader(in))
	if err := asked.Decode(&a.order); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db, err := a.order.Store.open(ctx)
	if err != nil {
		return err
	}
	if err := a.equip(db); err != nil {
		return err
	}
	ctx, run, err := a.kit.Start(ctx, runrecord.Task{Name: "crash", Key: "session"})
	if err != nil {
		return err
	}
	answers := json.NewEncoder(out)
	for {
		var q request
		if err := asked.Decode(&q); err != nil {
			run.End()
			return errors.Join(a.ledger.Close(ctx), db.Close())
		}
		var r reply
		if q.Recover {
			_, err = a.kit.Recover(ctx)
		} else {
			d := newDeath(q.At, rowOf(q.Effect, q.Job))
			d.stubborn = q.Stubborn
			a.store.death.Store(d)
			r.Told, err = a.invoke(ctx, q.Effect, q.Job)
		}
		if err != nil {
			return err
		}
		if calls := run.Calls(); len(calls) > 0 {
			r.Record = calls[0].Kind
		}
		r.State, r.Open = run.State(), run.OpenCases()
		if err := answers.Encode(r); err != nil {
			return err
		}
	}
}

// session is the other end of such an agent.
type session struct {
	*process
	replies *json.Decoder
}

func newSession(t testing.TB, o order) *session {
	t.Helper()
	p, err := start(context.Background(), "session")
	require.NoError(t, err)
	s := &session{p, json.NewDecoder(p.out)}
	t.Cleanup(func() {
		if t.Failed() {
			require.NoError(t, s.cmd.Process.Kill())
		}
		s.in.Close()
		_, err := s.wait()
		require.NoError(t, err)
	})
	require.NoError(t, json.NewEncoder(s.in).Encode(o))
	return s
}

// ask hands a request over; the answer is waited for with [session.hear].
func (s *session) ask(t testing.TB, q request) {
	t.Helper()
	require.NoError(t, json.NewEncoder(s.in).Encode(q))
}

func (s *session) hear(t testing.TB) (r reply) {
	t.Helper()
	if err := s.replies.Decode(&r); err != nil {
		_, werr := s.wait()
		require.NoError(t, errors.Join(err, werr))
	}
	return r
}
