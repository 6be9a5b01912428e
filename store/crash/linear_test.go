package crash_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Many clients in several processes, of which one after the other is killed: whatever
// each was told must fit into one order of all that they did.
func TestTheLedgerIsLinearizable(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			linearizable(t, order{Store: newStore(t, kind)})
		})
	}
}

func linearizable(t *testing.T, o order) {
	const places, lives = 3, 6
	var mu sync.Mutex
	var all history
	var running sync.WaitGroup
	for range places {
		running.Go(func() {
			for range lives {
				h, err := contention(t.Context(), o)
				if !assert.NoError(t, err) {
					return
				}
				mu.Lock()
				all.ops = append(all.ops, h.ops...)
				all.crashed += h.crashed
				mu.Unlock()
			}
		})
	}
	running.Wait()
	require.Positive(t, all.crashed, "nobody was killed in the middle of an operation")
	result, info := porcupine.CheckOperationsVerbose(model, all.ops, time.Minute)
	if result != porcupine.Ok {
		picture := filepath.Join(t.TempDir(), "history.html")
		_ = porcupine.VisualizePath(model, info, picture)
		require.Failf(t, "not linearizable", "%s: %d operations, see %s", result, len(all.ops), picture)
	}
	t.Logf("%d operations, %d of them cut short", len(all.ops), all.crashed)
}

// contention is the life of one process: it is killed after a random number of lines.
func contention(ctx context.Context, o order) (*history, error) {
	p, err := start(ctx, "client")
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(p.in).Encode(o); err != nil {
		return nil, err
	}
	h := &history{begun: map[int64]entry{}}
	lines := json.NewDecoder(p.out)
	for left := 100 + rand.IntN(300); ; left-- {
		if left == 0 {
			if err := p.cmd.Process.Kill(); err != nil {
				return nil, err
			}
		}
		var e entry
		if lines.Decode(&e) != nil {
			break // also in the middle of a line: it was not told
		}
		h.add(e)
	}
	h.die()
	_, err = p.wait()
	return h, err
}

func TestTheModelKnowsALockFromNone(t *testing.T) {
	t.Parallel()
	claim := func(client string) input { return input{Do: claims, Client: client} }
	won := func(client string, epoch int64) output { return output{true, "running", client, epoch, ""} }
	type does struct {
		in       input
		out      output
		from, to int64
	}
	for _, tt := range []struct {
		name    string
		history []does
		want    porcupine.CheckResult
	}{
		{"one after the other", []does{
			{claim("a"), won("a", 1), 0, 1}, {input{Do: giveBack, Epoch: 1}, output{true, "ready", "a", 1, ""}, 2, 3}, {claim("b"), won("b", 2), 4, 5},
		}, porcupine.Ok},
		{"both at once", []does{{claim("a"), won("a", 1), 0, 3}, {claim("b"), won("b", 1), 1, 2}}, porcupine.Illegal},
		{"a result is gone", []does{
			{claim("a"), won("a", 1), 0, 1}, {input{Do: ends, Epoch: 1, Result: "r"}, output{true, "succeeded", "a", 1, "r"}, 2, 3},
			{input{Do: looks}, won("a", 1), 4, 5},
		}, porcupine.Illegal},
		{"a claim that died won all the same", []does{
			{claim("a"), output{}, 0, 100}, {claim("b"), won("a", 1), 4, 5},
		}, porcupine.Ok},
		{"and never", []does{
			{claim("a"), output{}, 0, 100}, {claim("b"), won("b", 1), 4, 5},
		}, porcupine.Ok},
		{"but not before it was made", []does{
			{input{Do: looks}, won("a", 1), 0, 1}, {claim("a"), output{}, 2, 100},
		}, porcupine.Illegal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var ops []porcupine.Operation
			for _, d := range tt.history {
				ops = append(ops, porcupine.Operation{Input: d.in, Output: d.out, Call: d.from, Return: d.to})
			}
			require.Equal(t, tt.want, porcupine.CheckOperationsTimeout(model, ops, time.Minute))
		})
	}
}
