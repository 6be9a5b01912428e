package idempotencytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// Workers that died, that are slow, or that speak about what is over.
var workers = []scenario{
	{"a dead worker does not hold its work for ever", deadWorker},
	{"a sweep frees nothing that was dispatched", sweepFreesNothing},
	{"a slow call that lives is not taken over", slowCallLives},
	{"a worker whose claim was lost is told", lostClaimIsTold},
	{"a restarted worker is not taken for the one that died", restartedWorker},
	{"what was planned before the end changes nothing after it", stalePlans},
	{"an answer about an earlier attempt ends no later one", staleAnswers},
	{"a doubt that comes late is kept", lateDoubt},
}

func deadWorker(t *testing.T, e *env) {
	for _, dispatched := range []bool{false, true} {
		in := payment(map[bool]string{false: "4711", true: "4712"}[dispatched])
		in.Dispatch, in.Lease = dispatched, short
		dead := e.execute(t, in)
		var next *idempotency.Claim
		e.eventually(t, func() bool { // nobody sweeps: the one who asks finds out
			next = e.claim(t, in)
			return next.Answer != idempotency.Busy
		})
		if dispatched {
			require.Equal(t, idempotency.InDoubt, next.Answer)
			require.Equal(t, dead.Epoch, next.Row.Epoch)
			continue
		}
		require.Equal(t, idempotency.Execute, next.Answer)
		require.Equal(t, dead.Epoch+1, next.Epoch)
	}
}

func sweepFreesNothing(t *testing.T, e *env) {
	in := payment("4711")
	in.Lease = short
	c := e.execute(t, in)
	e.outlive(t, c)
	for range 3 { // however much time goes by, and whoever cleans up
		if _, ok := e.store.(idempotency.Lister); ok {
			_, err := e.ledger.Sweep(t.Context())
			require.NoError(t, err)
		}
		if _, ok := e.store.(idempotency.Pruner); ok {
			_, err := e.ledger.Prune(t.Context(), 0)
			require.NoError(t, err)
		}
		require.Equal(t, idempotency.InDoubt, e.claim(t, in).Answer, "time says nothing about what the service has done")
	}
	require.Equal(t, c.Epoch, e.state(t, c, idempotency.Unknown).Epoch)
}

func slowCallLives(t *testing.T, e *env) {
	in := payment("4711")
	in.Lease = time.Second
	c := e.execute(t, in)
	stop := c.KeepAlive()
	e.eventually(t, func() bool {
		require.Equal(t, idempotency.Busy, e.claim(t, in).Answer)
		return !e.row(t, c).LeaseUntil.Before(c.Row.LeaseUntil.Add(in.Lease)) // extended after its first end
	})
	stop()
	select {
	case <-c.Lost():
		t.Fatal("it was never lost")
	default:
	}
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	require.Equal(t, c.Epoch, e.state(t, c, idempotency.Succeeded).Epoch)
}

func lostClaimIsTold(t *testing.T, e *env) {
	in := payment("4711")
	in.Dispatch, in.Lease = false, short
	old := e.execute(t, in)
	e.outlive(t, old)
	in.Lease = time.Minute
	now := e.execute(t, in)
	defer old.KeepAlive()()
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	select {
	case <-old.Lost():
	case <-limit.C:
		t.Fatal("its worker goes on and does not know")
	}
	require.Equal(t, now.Epoch, e.state(t, now, idempotency.Running).Epoch)
}

func restartedWorker(t *testing.T, e *env) {
	in := payment("4711") // the same run, call and arguments, from a process like the first
	e.execute(t, in)
	again, err := e.open(t, e.store).Claim(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, idempotency.Busy, again.Answer, "who asks is known by the claim alone")

	in = payment("4712")
	in.Lease = short
	e.outlive(t, e.execute(t, in))
	again, err = e.open(t, e.store).Claim(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, idempotency.InDoubt, again.Answer)
}

func stalePlans(t *testing.T, e *env) {
	in := payment("4711")
	in.Lease = short
	c := e.execute(t, in)
	running := e.row(t, c)
	unknown := e.outlive(t, c)
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	done := e.state(t, c, idempotency.Succeeded)
	for _, seen := range []idempotency.Row{running, unknown} {
		for _, cmd := range everyCommand(seen) {
			if _, erases := cmd.(idempotency.Erase); erases {
				continue
			}
			_, _ = e.store.Apply(t.Context(), seen.ID, cmd) // refused or not
			after, err := e.store.Load(t.Context(), seen.ID)
			require.NoError(t, err)
			require.Equal(t, idempotency.Succeeded, after.State, cmd.Name())
			require.Equal(t, done.Epoch, after.Epoch, cmd.Name())
			require.JSONEq(t, string(receipt), string(after.Result), cmd.Name())
		}
	}
}

func staleAnswers(t *testing.T, e *env) {
	ctx := t.Context()
	old := e.unknown(t, payment("4711"))
	asked := e.row(t, old)
	_, err := e.ledger.Check(ctx, asked, idempotency.NotDone, nil, "")
	require.NoError(t, err)
	now := e.execute(t, payment("4711"))

	_, err = e.ledger.Check(ctx, asked, idempotency.Done, receipt, "")
	require.ErrorIs(t, err, idempotency.ErrFenced)
	_, _, err = e.ledger.Escalate(ctx, asked, "", 0)
	require.ErrorIs(t, err, idempotency.ErrFenced)
	_, err = e.ledger.Repeat(ctx, asked)
	require.NoError(t, err)
	_, err = e.ledger.Decide(ctx, asked.ID, idempotency.Decision{Choice: idempotency.GiveUp, Actor: "ops", Epoch: asked.Epoch, Fingerprint: asked.Fingerprint})
	require.Error(t, err)
	require.ErrorIs(t, old.Release(ctx, refused, false), idempotency.ErrFenced)
	row := e.state(t, now, idempotency.Running)
	require.Equal(t, now.Row.Version, row.Version, "nothing was written")
	require.NoError(t, now.Succeed(ctx, receipt, 0))
}

// A Check has found that nothing happened while the request of a stopped worker was
// still to be sent. What that worker says afterwards is the better evidence.
func lateDoubt(t *testing.T, e *env) {
	ctx := t.Context()
	disproved := func(invoice string) *idempotency.Claim {
		in := payment(invoice)
		in.Lease = short
		c := e.execute(t, in)
		row := e.outlive(t, c)
		require.Equal(t, idempotency.Unknown, row.State)
		row, err := e.ledger.Check(ctx, row, idempotency.NotDone, nil, "")
		require.NoError(t, err)
		require.Equal(t, idempotency.Ready, row.State)
		return c
	}

	c := disproved("4711")
	require.NoError(t, c.Doubt(ctx, timedOut))
	row := e.state(t, c, idempotency.Unknown)
	require.True(t, row.MayHaveApplied)
	require.NoError(t, c.Doubt(ctx, timedOut), "the reply was lost")
	require.Equal(t, row.Version, e.row(t, c).Version)

	c = disproved("4712")
	second := e.execute(t, payment("4712"))
	require.NoError(t, c.Doubt(ctx, timedOut))
	require.NoError(t, second.Release(ctx, refused, false))
	require.True(t, e.state(t, second, idempotency.Unknown).MayHaveApplied, "that the second did nothing proves nothing about the first")

	c = disproved("4713")
	second = e.execute(t, payment("4713"))
	require.NoError(t, second.Succeed(ctx, receipt, 0))
	require.NoError(t, c.Doubt(ctx, timedOut))
	require.True(t, e.state(t, second, idempotency.Succeeded).PossibleDuplicate, "somebody should look")
}
