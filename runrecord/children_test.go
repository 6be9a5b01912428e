package runrecord_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// An agent that lives for long and starts a sub-agent for each question must not
// grow by every one that has ended.
func TestEndedChildrenCostTheirParentNothing(t *testing.T) {
	for _, judged := range []bool{false, true} {
		t.Run(fmt.Sprint("evidence ", judged), func(t *testing.T) {
			rec := newRecorder(t, runrecord.Config{KeepCalls: 16})
			ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
			if judged {
				parent.KeepEvidence(1 << 20)
			}
			spawn := func(n int) {
				for range n {
					_, child := start(t, rec, ctx, runrecord.Task{Question: "how many?"})
					child.Hear("and how much?")
					child.FinishWith(runrecord.Call{Tool: lookup, Kind: fault.KindOK}, runrecord.Payload{Result: "12"})
					child.End()
				}
			}
			heap := func() int64 {
				runtime.GC()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc)
			}
			spawn(100)
			before := heap()
			const children = 20_000
			spawn(children)
			require.Less(t, (heap()-before)/children, int64(150), "bytes a child")
			runtime.KeepAlive(parent)
			if judged {
				require.NotEmpty(t, parent.Evidence())
			}
		})
	}
}
