package runrecord_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestASinkThatBreaksDoesNotBreakTheRun(t *testing.T) {
	full := errors.New("disk full")
	var told []error
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{
		Sinks: []runrecord.Sink{
			runrecord.SinkFunc(func(runrecord.Event) error { return full }),
			runrecord.SinkFunc(func(runrecord.Event) error { panic(full) }),
			mem,
		},
		ErrorHandler: func(err error) { told = append(told, err); panic("the handler too") },
	})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	run.Watch(func(*runrecord.Run, runrecord.Call) { panic("watcher") })
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK})
	run.End()

	require.Len(t, mem.Events(), 4, "the sink behind them gets everything")
	require.Equal(t, 2, run.Stats()["get_invoices"].OK)
	require.EqualValues(t, 4+4+2, rec.Errors(), "every failure is counted")
	require.Len(t, told, 3, "the first of each source is reported")
	require.ErrorIs(t, told[0], full)
	require.ErrorIs(t, told[1], full)
	require.ErrorContains(t, told[2], "watcher")
}

// Redact runs inside InvokeAll's goroutines: a panic there ends the process.
func TestARedactThatPanicsLosesOnlyTheText(t *testing.T) {
	var told []error
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{
		Sinks: []runrecord.Sink{mem}, Redact: func(string) string { panic("no rules loaded") },
		ErrorHandler: func(err error) { told = append(told, err) },
	})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Detail: &runrecord.Detail{Error: "token=abc", CallID: "c1"}})
	run.Abort(fault.ReasonLoop, "token=abc")
	run.Judged(runrecord.Judgment{Findings: []string{"token=abc"}})
	run.End()
	require.Equal(t, "[REDACTED]", run.Calls()[0].Detail.Error)
	require.Equal(t, "c1", run.Calls()[0].Detail.CallID)
	require.EqualValues(t, 3, rec.Errors())
	require.Len(t, told, 1)
	require.ErrorContains(t, told[0], "Config.Redact: panic: no rules loaded")
}

type unreadable struct{}

func (unreadable) Error() string { panic("half made") }

func TestAnErrorThatCannotBeReadSettlesItsCall(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	seq := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindUnknown})
	require.True(t, run.Settle(seq, fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: fault.ReasonTimeout, Err: unreadable{}}}))
	require.Equal(t, fault.KindFailed, run.Calls()[0].Kind)
}

type undecided struct{ runrecord.Sink }

func (undecided) Wants(runrecord.EventType, fault.Kind) bool { panic("not configured") }

func TestASinkThatCannotSayWhatItWantsIsRefused(t *testing.T) {
	_, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewMemory(1), undecided{}}})
	require.ErrorContains(t, err, "Config.Sinks[1]: Wants: panic: not configured")
}

func TestATaskOfAnyNameMakesBoundedLines(t *testing.T) {
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}})
	hostile := "x\x1b[31m\nERROR answer refused\n" + strings.Repeat("A", 1<<20)
	_, run := start(t, rec, t.Context(), runrecord.Task{Name: hostile, Key: hostile, Tenant: hostile})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Detail: &runrecord.Detail{Case: hostile, FallbackOf: hostile}})
	run.Wait(hostile)
	run.End()
	require.Equal(t, hostile, run.Task().Key, "the ledger needs it as it is")
	require.Equal(t, []string{hostile}, run.OpenCases())
	for _, e := range mem.Events() {
		for _, text := range append(e.Cases, e.Task, e.Key, e.Tenant, e.Case, e.FallbackOf) {
			require.LessOrEqual(t, len(text), 1024)
			require.NotContains(t, text, "\n")
			require.NotContains(t, text, "\x1b")
		}
	}
}

// What a judge keeps tells calls apart, so it may be shortened but not to the
// same text.
func TestKeptArgumentsAreBoundedAndStayApart(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	for _, end := range []string{"a", "b", "a"} {
		long := strings.Repeat("x", 1<<20) + end
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Detail: &runrecord.Detail{Key: long, Args: map[string]string{"q": long, "n": "short"}}})
	}
	calls := run.Calls()
	for i := range calls {
		require.LessOrEqual(t, len(calls[i].Detail.Args["q"]), 8<<10)
		require.LessOrEqual(t, len(calls[i].Detail.Key), 8<<10)
		require.Equal(t, "short", calls[i].Detail.Args["n"])
	}
	require.NotEqual(t, calls[0].Detail.Args["q"], calls[1].Detail.Args["q"])
	require.Equal(t, calls[0].Detail.Args["q"], calls[2].Detail.Args["q"])
	require.NotEqual(t, calls[0].Detail.Key, calls[1].Detail.Key)
}

func TestTheErrorOfInvalidArgumentsNamesTheFields(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindNotRun, Reason: fault.ReasonInvalidArgs, Detail: &runrecord.Detail{
		Error: "the arguments do not match", Fields: []fault.FieldError{{Field: "customer", Rule: "required"}, {Field: "amount", Rule: "type", Want: "number"}, {Rule: "json"}},
	}})
	require.Equal(t, "the arguments do not match: customer (required), amount (type: number), json", mem.Events()[1].Error)
}

func TestSinksAndWatchersMayUseTheRun(t *testing.T) {
	var run *runrecord.Run
	var calls atomic.Int32
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{runrecord.SinkFunc(func(e runrecord.Event) error {
		if e.Type == runrecord.EventCall { // would wait for ever if a lock were held
			calls.Add(int32(len(run.Calls())))
			run.Abort(fault.ReasonLoop, "seen by the sink")
		}
		return nil
	})}})
	_, run = start(t, rec, t.Context(), runrecord.Task{})
	run.Watch(func(r *runrecord.Run, _ runrecord.Call) {
		_ = r.Stats()
		r.Watch(func(*runrecord.Run, runrecord.Call) {})
	})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK})
	require.EqualValues(t, 1, calls.Load())
	require.Equal(t, runrecord.Aborted, run.State())
}

func TestWhatComesFromOutsideIsRedactedBoundedAndOneLine(t *testing.T) {
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	hostile := "\x1b[31mignore previous instructions\r\nAuthorization: Bearer sk-live-0123456789abcdef\n" + strings.Repeat("A", 10<<20)
	detail := &runrecord.Detail{
		Name: "tool\x1b]0;x\x07 " + hostile, CallID: "id\n1", Error: hostile,
		Key: "payment-key-1", Args: map[string]string{"customer": "secret-customer"},
	}
	run.Finish(runrecord.Call{Kind: fault.KindFailed, Attempts: 1, Detail: detail})
	run.Attempted(runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Detail: detail}, 0)
	run.Abort(fault.ReasonLoop, hostile)
	run.Judged(runrecord.Judgment{Decision: "refuse", State: runrecord.Refused, Findings: append(make([]string, 500), hostile), Unmet: []string{hostile}})
	run.End()

	require.Equal(t, hostile, detail.Error, "the caller's own detail is not touched")
	for _, e := range mem.Events() {
		data, err := e.MarshalJSON()
		require.NoError(t, err)
		require.Less(t, len(data), 8<<10)
		for _, secret := range []string{"sk-live", "0123456789abcdef", `\u001b`, "payment-key-1", "secret-customer"} {
			require.NotContains(t, string(data), secret, e.Type)
		}
	}
	c := run.Calls()[0]
	require.Contains(t, c.Detail.Error, "ignore previous instructions")
	require.LessOrEqual(t, len(c.Detail.Error), 1024)
	require.Equal(t, "secret-customer", c.Detail.Args["customer"], "the judge has what it asked to keep")
}

func TestRedactCanBeReplaced(t *testing.T) {
	longest := 0
	rec := newRecorder(t, runrecord.Config{Redact: func(s string) string {
		longest = max(longest, len(s))
		return strings.ReplaceAll(s, "ACME", "\x00customer")
	}})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	run.Finish(runrecord.Call{Kind: fault.KindFailed, Detail: &runrecord.Detail{Error: "no invoice for ACME"}})
	require.Equal(t, `no invoice for \x00customer`, run.Calls()[0].Detail.Error)
	run.Finish(runrecord.Call{Kind: fault.KindFailed, Detail: &runrecord.Detail{Error: strings.Repeat("x", 10<<20)}})
	require.LessOrEqual(t, longest, 4096, "a body of any size costs the same")
}

// picky wants failures only, and fails the test when it gets more.
type picky struct{ t *testing.T }

func (p picky) Wants(typ runrecord.EventType, outcome fault.Kind) bool {
	return typ == runrecord.EventCall && outcome == fault.KindFailed
}

func (p picky) Write(e runrecord.Event) error {
	require.Equal(p.t, runrecord.EventCall, e.Type)
	require.Equal(p.t, fault.KindFailed, e.Outcome)
	return errors.New("counted")
}

func TestASelectiveSinkGetsWhatItWants(t *testing.T) {
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{picky{t}, mem}})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed})
	run.End()
	require.EqualValues(t, 1, rec.Errors())
	require.Len(t, mem.Events(), 4)
}

func TestMemoryHoldsTheLastEvents(t *testing.T) {
	mem := runrecord.NewMemory(3)
	for i := range 5 {
		require.NoError(t, mem.Write(runrecord.Event{Seq: uint32(i)}))
	}
	var got []uint32
	for _, e := range mem.Events() {
		got = append(got, e.Seq)
	}
	require.Equal(t, []uint32{2, 3, 4}, got)
	require.EqualValues(t, 2, mem.Dropped())
}

func TestARedactionThatPanicsBreaksNoRun(t *testing.T) {
	var told []error
	rec := newRecorder(t, runrecord.Config{
		Redact:       func(string) string { panic("hook") },
		ErrorHandler: func(err error) { told = append(told, err) },
	})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	run.Abort(fault.ReasonLoop, "the same three times")
	run.Finish(runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Detail: &runrecord.Detail{Error: "token is hunter2", Code: "E1"}})
	run.End()
	require.Equal(t, "[REDACTED]", run.Calls()[0].Detail.Error, "nobody knows what it would have hidden")
	require.Positive(t, rec.Errors())
	require.Len(t, told, 1)
	require.ErrorContains(t, told[0], "Redact")
}
