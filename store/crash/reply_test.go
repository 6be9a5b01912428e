package crash_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// silent is a store whose replies to a kind of command get lost, after they were
// committed.
type silent struct {
	store
	command string
	left    atomic.Int64 // how many more
	lost    atomic.Int64
}

var errReplyLost = errors.New("the connection was closed")

func (s *silent) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	row, err := s.store.Apply(ctx, id, cmd)
	if err == nil && cmd.Name() == s.command && s.left.Add(-1) >= 0 {
		s.lost.Add(1)
		return idempotency.Row{}, errReplyLost
	}
	return row, err
}

// What was committed and not confirmed is repeated under the same name, and counts once.
func TestALostReplyToACommit(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		for _, tt := range []struct {
			command string
			times   int64
			told    fault.Kind
			effects int64
		}{
			{"acquire", 1, fault.KindOK, 1},
			{"acquire", 2, fault.KindOK, 1},
			{"acquire", 3, fault.KindNotRun, 0}, // it gives up, and nothing was executed
			{"complete", 1, fault.KindOK, 1},
			{"complete", 3, fault.KindOK, 1},
		} {
			t.Run(kind+" "+tt.command, func(t *testing.T) {
				t.Parallel()
				db, err := newStore(t, kind).open(t.Context())
				require.NoError(t, err)
				defer db.Close()
				s := &silent{store: db, command: tt.command}
				s.left.Store(tt.times)
				ledger, err := idempotency.New(idempotency.Config{Store: s, Cache: -1})
				require.NoError(t, err)
				kit := toolkit.New(toolkit.Config{Ledger: ledger})
				var effects atomic.Int64
				pay := toolkit.Wrap(kit, toolkit.Tool[job, receipt]{
					Name: "pay", Effect: fault.Write, KeyOf: func(j job) string { return j.Item },
					Call: func(context.Context, job) (receipt, error) {
						effects.Add(1)
						return receipt{"R-1"}, nil
					},
				})
				ctx, run, err := kit.Start(t.Context(), runrecord.Task{Name: "crash", Key: "4711"})
				require.NoError(t, err)
				defer run.End()

				res := pay.Invoke(ctx, job{Item: "4711"})
				require.Equal(t, tt.told, res.Outcome.Kind, "%s", res)
				require.Equal(t, tt.effects, effects.Load())

				// The ledger goes on trying until the store knows, and then the next call
				// finds what is true.
				closing, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				require.NoError(t, ledger.Close(closing))
				require.Equal(t, tt.times, s.lost.Load())
				res = pay.Invoke(ctx, job{Item: "4711"})
				require.Equal(t, fault.KindOK, res.Outcome.Kind, "%s", res)
				require.Equal(t, "R-1", res.Value.ID)
				require.EqualValues(t, 1, effects.Load())

				row, err := db.Load(t.Context(), rowOf("pay", job{Item: "4711"}))
				require.NoError(t, err)
				require.Equal(t, idempotency.Succeeded, row.State)
				require.False(t, row.PossibleDuplicate)
				events, err := db.Events(t.Context(), row.ID)
				require.NoError(t, err)
				count := map[string]int{}
				for _, e := range events {
					count[e.Command]++
				}
				require.Equal(t, 1, count["complete"], "%v", count)
			})
		}
	}
}
