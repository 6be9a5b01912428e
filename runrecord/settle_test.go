package runrecord_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestWatchersAreToldOfASettlement(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	defer run.End()
	var told []fault.Kind
	run.Watch(func(_ *runrecord.Run, c runrecord.Call) { told = append(told, c.Kind) })
	seq := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindPending})
	require.True(t, run.Settle(seq, fault.Outcome{Kind: fault.KindOK}))
	require.Equal(t, []fault.Kind{fault.KindPending, fault.KindOK}, told)
}

func TestALateSuccessIsSettledAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := runrecord.NewMemory(0)
		_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
		var told []fault.Kind
		run.Watch(func(_ *runrecord.Run, c runrecord.Call) { told = append(told, c.Kind) })
		time.Sleep(time.Second)
		seq := one(t, run, runrecord.Call{
			Tool: pay, Kind: fault.KindUnknown, Reason: fault.ReasonTimeout, Action: fault.Escalate, Status: 504, Start: run.Elapsed(),
			Detail: &runrecord.Detail{CallID: "c1", Case: "case-1", Error: "reply lost", Key: "inv-1"},
		})
		before := run.Calls()[0]
		run.End()
		time.Sleep(time.Hour)

		require.True(t, run.Settle(seq, fault.Outcome{Kind: fault.KindOK, Qualifiers: fault.Replayed}))
		c := run.Calls()[0]
		require.Equal(t, fault.KindOK, c.Kind)
		require.Equal(t, fault.ReasonNone, c.Reason)
		require.Equal(t, fault.NoAction, c.Action)
		require.Equal(t, fault.RanYes, c.Ran)
		require.Equal(t, fault.Replayed, c.Qualifiers)
		require.Equal(t, time.Hour, c.Duration)
		require.Equal(t, runrecord.Detail{CallID: "c1", Case: "case-1", Key: "inv-1", Settled: true}, *c.Detail)
		require.Equal(t, runrecord.ToolStats{Calls: 1, OK: 1, Attempts: 1}, run.Stats()["pay_invoice"])
		require.Equal(t, []fault.Kind{fault.KindUnknown}, told, "an ended run has let go of its watchers")
		require.Equal(t, fault.KindUnknown, before.Kind, "a copy that was handed out stays what it was")
		require.Equal(t, "reply lost", before.Detail.Error)

		events := mem.Events()
		e := events[len(events)-1]
		require.Equal(t, runrecord.EventSettled, e.Type)
		require.Equal(t, fault.KindUnknown, e.Was)
		require.Equal(t, fault.KindOK, e.Outcome)

		require.False(t, run.Settle(seq, fault.Outcome{Kind: fault.KindFailed}), "it has come to its end")
		require.Len(t, mem.Events(), len(events))
	})
}

func TestSettledToAFailureKeepsTheFault(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	seq := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindPending, Status: 202})
	require.True(t, run.Settle(seq, fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{
		Reason: fault.ReasonBilling, Action: fault.FailFast, Ran: fault.RanNo, Status: 402, Code: "card_declined",
		Err: errors.New("password=hunter2 was wrong"),
	}}))
	c := run.Calls()[0]
	require.Equal(t, fault.ReasonBilling, c.Reason)
	require.Equal(t, fault.RanNo, c.Ran)
	require.EqualValues(t, 402, c.Status)
	require.Equal(t, "card_declined", c.Detail.Code)
	require.Equal(t, "password=[REDACTED] was wrong", c.Detail.Error)
}

func TestWhatCanBeSettled(t *testing.T) {
	ends := []fault.Kind{fault.KindOK, fault.KindFailed, fault.KindDenied, fault.KindNotRun}
	for _, was := range []fault.Kind{fault.KindOK, fault.KindFailed, fault.KindDenied, fault.KindNotRun, fault.KindPending, fault.KindUnknown} {
		for is := fault.KindNone; is <= fault.KindUnknown; is++ {
			_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
			seq := one(t, run, runrecord.Call{Tool: pay, Kind: was})
			open := was == fault.KindPending || was == fault.KindUnknown
			want := open && slices.Contains(ends, is) || was == fault.KindPending && is == fault.KindUnknown
			require.Equal(t, want, run.Settle(seq, fault.Outcome{Kind: is}), "%s to %s", was, is)
			require.False(t, run.Settle(seq+1, fault.Outcome{Kind: is}), "no such call")
		}
	}
}
