package runrecord_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestASuccessCanBeQualifiedLater(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Qualifiers: fault.Stale})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed})
	before, events := run.Calls(), len(mem.Events())

	require.True(t, run.Qualify(1, fault.Truncated))
	require.False(t, run.Qualify(1, fault.Truncated), "once")
	require.False(t, run.Qualify(2, fault.Truncated), "a failure")
	require.False(t, run.Qualify(3, fault.Truncated), "no such call")
	require.False(t, (*runrecord.Run)(nil).Qualify(1, fault.Truncated))

	require.Equal(t, fault.Stale|fault.Truncated, run.Calls()[0].Qualifiers)
	require.Equal(t, fault.Stale, before[0].Qualifiers, "a copy that was handed out stays")
	require.Len(t, mem.Events(), events)
	run.End()
	require.True(t, run.Qualify(1, fault.Partial), "also after the end")
}
