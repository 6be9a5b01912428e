package idempotencytest

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

const racers = 64

// race runs f on 64 goroutines that start together.
func race(f func(i int)) {
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range racers {
		done.Go(func() {
			start.Wait()
			f(i)
		})
	}
	start.Done()
	done.Wait()
}

// raceExecutesOnce: through two ledgers, as two processes have them, every
// claimant either wins, or waits and finds the stored result.
func raceExecutesOnce(t *testing.T, e *env) {
	ledgers := []*idempotency.Ledger{e.ledger, e.open(t, e.store)}
	var executed, replayed atomic.Int32
	race(func(i int) {
		l := ledgers[i%len(ledgers)]
		for {
			c, err := l.Claim(t.Context(), payment("4711"))
			if err != nil {
				t.Errorf("claim %d: %v", i, err)
				return
			}
			switch c.Answer {
			case idempotency.Execute:
				executed.Add(1)
				if err := c.Succeed(t.Context(), receipt, 0); err != nil {
					t.Errorf("saving the success: %v", err)
				}
				return
			case idempotency.Replay:
				replayed.Add(1)
				if string(c.Result) != string(receipt) {
					t.Errorf("replayed %s", c.Result)
				}
				return
			case idempotency.Busy:
				if _, err := l.Wait(t.Context(), c.Row.ID); err != nil {
					t.Errorf("waiting: %v", err)
					return
				}
			default:
				t.Errorf("claim %d was answered %s", i, c.Answer)
				return
			}
		}
	})
	require.EqualValues(t, 1, executed.Load())
	require.EqualValues(t, racers-1, replayed.Load())
}

// raceDecidesOnce: of many persons who decide at once, one is heard.
func raceDecidesOnce(t *testing.T, e *env) {
	row := e.escalated(t, payment("4711"))
	var heard atomic.Int32
	race(func(i int) {
		choice := idempotency.GiveUp
		if i%2 == 0 {
			choice = idempotency.RunAgain
		}
		_, err := e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{
			Choice: choice, Actor: invoice(i), Epoch: row.Epoch, Fingerprint: row.Fingerprint,
		})
		if err == nil {
			heard.Add(1)
		}
	})
	require.EqualValues(t, 1, heard.Load())
}
