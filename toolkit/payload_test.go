package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// judged is a task whose judge asks for evidence.
func judged(limit int) runrecord.Task {
	return runrecord.Task{Name: "invoices", Key: "ticket-4711", Judge: runrecord.JudgeFunc(
		func(_ context.Context, run *runrecord.Run) error { run.KeepEvidence(limit); return nil })}
}

// proofs returns what the calls of the run have shown, as "tool args -> result".
func proofs(run *runrecord.Run) (all []string) {
	for _, e := range run.Evidence() {
		all = append(all, fmt.Sprintf("%s %s -> %s", e.Tool.Name, e.Args, e.Result))
	}
	return all
}

const acmeShown = `get_invoice {"customer":"ACME","year":2026} -> {"id":"INV-1","amount":1200}`

var acmeArgs = json.RawMessage(`{"customer":"ACME","year":2026}`)

func TestASuccessIsEvidence(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	get := read(kit, "get_invoice", ending(nil, nil, refusedBy(fault.ReasonNotFound, 404), nil).call)
	ctx, run := start(t, kit, judged(0))
	get.Invoke(ctx, acme)
	kit.Invoke(ctx, "get_invoice", json.RawMessage(` { "year":2026, "customer":"ACME" }`))
	kit.Invoke(ctx, "get_invoice", acmeArgs)             // fails
	kit.Invoke(ctx, "get_invoice", json.RawMessage(`{`)) // not run
	kit.Invoke(ctx, "get_invoices", acmeArgs)            // no such tool
	responses := kit.InvokeAll(ctx, []toolkit.Request{{Name: "get_invoice", Args: acmeArgs}, {Name: "no_tool"}})
	require.Equal(t, []string{
		acmeShown,
		`get_invoice  { "year":2026, "customer":"ACME" } -> {"id":"INV-1","amount":1200}`,
		acmeShown,
	}, proofs(run))
	require.Equal(t, responses[0].Seq(), run.Evidence()[2].Call)
}

// counted counts how often it is written.
type counted struct{ written *atomic.Int32 }

func (c counted) MarshalJSON() ([]byte, error) {
	c.written.Add(1)
	return []byte(`{"total":1200}`), nil
}

func TestAResultIsWrittenOnceAndOnlyForThoseWhoAsk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		task    runrecord.Task
		cfg     toolkit.Config
		unasked int32 // times it is written without anybody showing it to a model
	}{
		{"nobody asks", runrecord.Task{}, toolkit.Config{}, 0},
		{"a judge asks", judged(0), toolkit.Config{}, 1},
		{"sinks capture", runrecord.Task{}, toolkit.Config{Capture: runrecord.CaptureFull, Sinks: []runrecord.Sink{runrecord.NewMemory(0)}}, 1},
		{"there is no sink", runrecord.Task{}, toolkit.Config{Capture: runrecord.CaptureFull}, 0},
	} {
		var written atomic.Int32
		kit := toolkit.New(tt.cfg)
		// A poller, for the loop detector reads the results of other tools, too.
		get := toolkit.Wrap(kit, toolkit.Tool[query, counted]{Name: "get", Effect: fault.Read, Poller: true,
			Call: func(context.Context, query) (counted, error) { return counted{&written}, nil }})
		ctx, _ := start(t, kit, tt.task)
		res := get.Invoke(ctx, acme)
		require.Equal(t, tt.unasked, written.Load(), tt.name)
		require.Equal(t, `{"total":1200}`, res.String())
		require.EqualValues(t, 1, written.Load(), tt.name)
	}
}

// What a model was not shown, its answer cannot stand on; Go code has all of it.
func TestEvidenceOfAResultThatIsCut(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	long := toolkit.Wrap(kit, toolkit.Tool[query, string]{Name: "long", Effect: fault.Read, MaxResult: 8,
		Call: func(context.Context, query) (string, error) { return "total: tiền", nil }})
	ctx, run := start(t, kit, judged(0))
	res := kit.Invoke(ctx, "long", acmeArgs)
	require.Equal(t, "total: t\n[cut here: 8 of 13 bytes shown]", strings.Split(res.String(), "\nTOOL_NOTE")[0])
	typed := long.Invoke(ctx, acme)
	evidence := run.Evidence()
	require.Equal(t, "total: t", evidence[0].Result, "without the mark, whose numbers prove nothing")
	require.True(t, evidence[0].Qualifiers.Has(fault.Truncated))
	require.Equal(t, "total: tiền", evidence[1].Result)
	require.False(t, evidence[1].Qualifiers.Has(fault.Truncated))
	require.Contains(t, typed.String(), "[cut here: 8 of 13 bytes shown]")
	require.True(t, run.Evidence()[1].Qualifiers.Has(fault.Truncated), "now a model has seen a part of it")
}

func TestAResultBeyondTheLimitIsMissed(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	toolkit.Wrap(kit, toolkit.Tool[struct{ N int }, string]{Name: "text", Effect: fault.Read,
		Call: func(_ context.Context, in struct{ N int }) (string, error) { return strings.Repeat("x", in.N), nil }})
	ctx, run := start(t, kit, judged(1000))
	for _, args := range []string{`{"N":2000}`, `{"N":900}`, `{"N":200}`} {
		require.True(t, kit.Invoke(ctx, "text", json.RawMessage(args)).Outcome.OK())
	}
	require.Len(t, run.Evidence(), 1)
	require.Len(t, run.Evidence()[0].Result, 900)
	require.Equal(t, 2000+10+200+9, run.EvidenceDropped())
}

// A run that keeps the part that a model saw does not hold on to the rest.
func TestTheEvidenceOfALongResultIsShort(t *testing.T) {
	const long = 64 << 20
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	kit := toolkit.New(toolkit.Config{})
	toolkit.Wrap(kit, toolkit.Tool[query, string]{Name: "dump", Effect: fault.Read,
		Call: func(context.Context, query) (string, error) { return strings.Repeat("x", long), nil }})
	ctx, run := start(t, kit, judged(0))
	before := heap()
	require.True(t, kit.Invoke(ctx, "dump", acmeArgs).Outcome.OK())
	require.Less(t, heap()-before, int64(long/4))
	require.Len(t, run.Evidence()[0].Result, toolkit.DefaultMaxResult)
}

func TestASubstitutesResultIsItsOwnEvidence(t *testing.T) {
	t.Parallel()
	for _, byName := range []bool{false, true} {
		kit, search, _ := files(fault.Read, refusedBy(fault.ReasonServerError, 500), nil)
		ctx, run := start(t, kit, judged(0))
		if byName {
			kit.Invoke(ctx, "search_files", acmeArgs)
		} else {
			search.Invoke(ctx, acme)
		}
		require.Equal(t, []string{`list_directory {"folder":"ACME"} -> ["ACME/a.txt"]`}, proofs(run))
		require.True(t, run.Evidence()[0].Qualifiers.Has(fault.Fallback))
	}
}

const paid = `pay_invoice {"amount":10,"invoice":"4711"} -> {"id":"R-4711","amount":10}`

var invoice4711 = payment{Invoice: "4711", Amount: 10}

func TestAReplayedSuccessIsEvidence(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	pay := toolkit.Wrap(kit, newBank().tool())
	ctx, run := start(t, kit, judged(0))
	_, other := start(t, kit, runrecord.Task{Key: "ticket-12"})
	pay.Invoke(runrecord.NewContext(t.Context(), other), invoice4711)
	require.True(t, pay.Invoke(ctx, invoice4711).Outcome.Qualifiers.Has(fault.Replayed))
	require.Equal(t, []string{paid}, proofs(run))
	require.True(t, run.Evidence()[0].Qualifiers.Has(fault.Replayed))
}

// A replay whose result the ledger has not kept has none: its zero value was
// never shown to anybody.
func TestAReplayWithoutAValueShowsNothing(t *testing.T) {
	t.Parallel()
	ledger, err := idempotency.New(idempotency.Config{MaxResult: 4})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Ledger: ledger})
	pay := toolkit.Wrap(kit, newBank().tool())
	ctx, run := start(t, kit, judged(0))
	pay.Invoke(ctx, invoice4711)
	require.True(t, pay.Invoke(ctx, invoice4711).Outcome.Qualifiers.Has(fault.NoValue))
	require.Equal(t, []string{paid, `pay_invoice {"amount":10,"invoice":"4711"} -> `}, proofs(run))
}

func TestWhatACheckFoundIsEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBank()
		b.after = first(1, noAnswer())
		kit := toolkit.New(toolkit.Config{})
		pay := toolkit.Wrap(kit, b.checked())
		ctx, run := start(t, kit, judged(0))
		require.True(t, pay.Invoke(ctx, invoice4711).Outcome.OK())
		require.EqualValues(t, 1, b.checks.Load())
		require.Equal(t, []string{paid}, proofs(run))
	})
}

func TestAnAwaitedResultIsEvidenceOnceItIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{})
		job := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read,
			Call: func(context.Context, query) (invoice, error) {
				return invoice{ID: "accepted"}, toolkit.Pending("job-7")
			},
			Await: func(context.Context, query, invoice) (invoice, error) { return invoice{"INV-1", 1200}, nil },
		})
		ctx, run := start(t, kit, judged(0))
		require.True(t, job.Invoke(ctx, acme).Outcome.OK())
		require.Equal(t, []string{acmeShown}, proofs(run))
	})
}

func TestALateSuccessIsEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBank()
		b.after = first(1, noAnswer())
		kit := toolkit.New(toolkit.Config{})
		pay := toolkit.Wrap(kit, b.tool())
		ctx, run := start(t, kit, judged(0))
		res := pay.Invoke(ctx, invoice4711)
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		require.Empty(t, run.Evidence(), "in doubt, it proves nothing")

		c, err := kit.Cases().Show(ctx, res.Outcome.Case)
		require.NoError(t, err)
		d := c.Decide(idempotency.WentThrough, "maria")
		d.Result = json.RawMessage(`{"amount":10, "id":"R-by-hand"}`)
		_, err = kit.Cases().Resolve(ctx, d)
		require.NoError(t, err)
		require.Equal(t, []string{`pay_invoice {"amount":10,"invoice":"4711"} -> {"id":"R-by-hand","amount":10}`}, proofs(run))
		require.Equal(t, res.Seq(), run.Evidence()[0].Call)
	})
}

func TestWhatAServiceAnsweredIsEvidence(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		fmt.Fprint(w, `{"amount":1200}`)
	}))
	t.Cleanup(service.Close)
	base := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(base.CloseIdleConnections)
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: base, Backoff: quick})}
	kit := toolkit.New(toolkit.Config{Backoff: quick})
	get := toolkit.Wrap(kit, toolkit.Tool[struct{}, string]{Name: "get", Effect: fault.Read,
		Call: func(ctx context.Context, _ struct{}) (string, error) {
			return fetch(http.MethodGet, service.URL, "")(ctx, client)
		}})
	ctx, run := start(t, kit, judged(0))
	require.True(t, get.Invoke(ctx, struct{}{}).Outcome.OK())
	require.Equal(t, []string{`get {} -> {"amount":1200}`}, proofs(run), "the answer of the 503 is none")
}

func TestCapturedCallsSayWhatTheModelSaw(t *testing.T) {
	t.Parallel()
	mem := runrecord.NewMemory(0)
	kit := toolkit.New(toolkit.Config{Sinks: []runrecord.Sink{mem}, Capture: runrecord.CaptureRedacted, MaxAttempts: 1})
	read(kit, "get_invoice", ending(nil, refusedBy(fault.ReasonAuth, 401)).call)
	ctx, run := start(t, kit, runrecord.Task{Question: "what does ACME owe?", Limits: runrecord.Limits{Calls: 4}})
	hidden := json.RawMessage(`{"customer":"ACME","password":"hunter2"}`)
	calls := []toolkit.Response{
		kit.Invoke(ctx, "get_invoice", acmeArgs),
		kit.Invoke(ctx, "get_invoice", acmeArgs),
		kit.Invoke(ctx, "get_invoice", hidden),
		kit.Invoke(ctx, "get_voice", hidden),
	}
	calls = append(calls, kit.InvokeAll(ctx, []toolkit.Request{{Name: "get_invoice", Args: hidden}})...)
	run.End()
	events := mem.Events()
	require.Equal(t, "what does ACME owe?", events[0].Question)
	for i, call := range calls {
		e := events[i+1]
		require.Equal(t, call.Seq(), e.Seq)
		require.Equal(t, call.String(), e.Result)
		want := `{"customer":"ACME","year":2026}`
		if i > 1 {
			want = `{"customer":"ACME","password":"[REDACTED]"}`
		}
		require.JSONEq(t, want, e.Args)
	}
	require.Empty(t, run.Evidence(), "a sink is no judge")

	_, _, err := toolkit.New(toolkit.Config{Capture: 9}).Start(t.Context(), runrecord.Task{})
	require.ErrorContains(t, err, "Config.Capture")
	_, _, err = toolkit.New(toolkit.Config{CaptureLimit: 1}).Start(t.Context(), runrecord.Task{})
	require.ErrorContains(t, err, "Config.CaptureLimit")
}
