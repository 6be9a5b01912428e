package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestStartNamesEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	good := toolkit.Tool[query, invoice]{Name: "good", Effect: fault.Read, Call: lookUp}
	change := func(f func(*toolkit.Tool[query, invoice])) toolkit.Tool[query, invoice] {
		tool := good
		f(&tool)
		return tool
	}
	for _, tt := range []struct {
		name  string
		cfg   toolkit.Config
		tools []toolkit.Tool[query, invoice]
		says  []string
	}{
		{"a nil function", toolkit.Config{}, []toolkit.Tool[query, invoice]{{Name: "hollow"}}, []string{`"hollow"`, "Call is nil"}},
		{"two tools of one name", toolkit.Config{}, []toolkit.Tool[query, invoice]{good, good}, []string{`"good"`, "another tool of this name"}},
		{"a name that no model accepts", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Name = "get invoices!" })}, []string{"get invoices!", "its name"}},
		{"a negative timeout", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Timeout = -1 })}, []string{`"good"`, "Timeout"}},
		{"a negative size", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.MaxResult = -1 })}, []string{`"good"`, "MaxResult"}},
		{"an unknown fallback", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Fallback = toolkit.FallbackTo("elsewhere") })}, []string{`"good"`, `"elsewhere"`}},
		{"itself as fallback", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Fallback = toolkit.FallbackTo("good") })}, []string{`"good"`, "its own fallback"}},
		{"a schema that is not JSON", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Schema = json.RawMessage(`{`) })}, []string{`"good"`, "not JSON"}},
		{"a schema that is none", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Schema = json.RawMessage(`{"type":"inteher"}`) })}, []string{`"good"`, "Schema"}},
		{"a schema that must be fetched", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Schema = json.RawMessage(`{"$ref":"https://example.com/s"}`) })}, []string{`"good"`, "nothing is loaded"}},
		{"rules that cannot be", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Rules.MinRows = -1 })}, []string{`"good"`, "Rules", "min_rows"}},
		{"a write that may be left behind", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) { t.Effect, t.Isolate = fault.Write, true })}, []string{`"good"`, "Isolate"}},
		{"an upstream with a negative limit", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) {
			t.Upstream = toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Concurrency: -1})
		})}, []string{`"good"`, "Concurrency"}},
		{"an upstream without a name", toolkit.Config{}, []toolkit.Tool[query, invoice]{change(func(t *toolkit.Tool[query, invoice]) {
			t.Upstream = toolkit.NewUpstream(toolkit.UpstreamConfig{})
		})}, []string{`"good"`, "no name"}},
		{"settings", toolkit.Config{MaxAttempts: -1, Batch: -2, Backoff: toolkit.Backoff{Base: -3}}, nil, []string{"MaxAttempts", "Batch", "Backoff"}},
		{"all at once", toolkit.Config{MaxWait: -1}, []toolkit.Tool[query, invoice]{{Name: "a"}, {Name: "b"}}, []string{"MaxWait", `"a"`, `"b"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kit := toolkit.New(tt.cfg)
			for _, tool := range tt.tools {
				toolkit.Wrap(kit, tool)
			}
			_, run, err := kit.Start(t.Context(), runrecord.Task{})
			require.Error(t, err)
			require.Nil(t, run)
			for _, s := range tt.says {
				require.ErrorContains(t, err, s)
			}
			run.End() // is safe
		})
	}
}

func TestAnInvalidToolAnswersNotRun(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	hollow := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "hollow"})
	res := hollow.Invoke(t.Context(), acme)
	require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
	require.ErrorIs(t, res.Err(), toolkit.ErrNotRun)
	require.Equal(t, fault.KindNotRun, kit.Invoke(t.Context(), "hollow", nil).Outcome.Kind)

	orphan := toolkit.Wrap(nil, toolkit.Tool[query, invoice]{Name: "orphan", Effect: fault.Read, Call: lookUp})
	require.Equal(t, fault.KindNotRun, orphan.Invoke(t.Context(), acme).Outcome.Kind)
}

func TestStartPassesOnWhatTheJudgeObjectsTo(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	read(kit, "get_invoice", lookUp)
	unbound := errors.New(`requirement for "get_customers", which is not a tool of this run`)
	_, _, err := kit.Start(t.Context(), runrecord.Task{Judge: runrecord.JudgeFunc(
		func(_ context.Context, run *runrecord.Run) error {
			require.NotNil(t, run.Tool("get_invoice"))
			return unbound
		})})
	require.ErrorIs(t, err, unbound)
	_, _, err = kit.Start(t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: -1}})
	require.ErrorContains(t, err, "Calls")
}

func TestTheFirstStartWarnsOfUndeclaredEffects(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zap.WarnLevel)
	kit := toolkit.New(toolkit.Config{Logger: zap.New(core)})
	read(kit, "declared", lookUp)
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "forgotten", Call: lookUp})
	for range 2 {
		_, run, err := kit.Start(t.Context(), runrecord.Task{})
		require.NoError(t, err)
		run.End()
	}
	warnings := logs.FilterMessageSnippet("not declared").All()
	require.Len(t, warnings, 1)
	require.Equal(t, []any{"forgotten"}, warnings[0].ContextMap()["tools"])
	require.Contains(t, warnings[0].ContextMap()["advice"], "fault.Read")
}

func TestASubstituteIsKnownAsOneWhicheverWasWrappedFirst(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	read(kit, "list_directory", lookUp)
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "search_files", Effect: fault.Read, Call: lookUp, Fallback: toolkit.FallbackTo("list_directory", "read_file")})
	read(kit, "read_file", lookUp)
	_, run := start(t, kit, runrecord.Task{})
	require.Equal(t, []string{"search_files"}, run.Tool("list_directory").StandsIn)
	require.Equal(t, []string{"search_files"}, run.Tool("read_file").StandsIn)
	require.Empty(t, run.Tool("search_files").StandsIn)
}

func TestAStartWithoutAKeyNamesTheWritesThatCannotRun(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zap.WarnLevel)
	kit := toolkit.New(toolkit.Config{Logger: zap.New(core)})
	read(kit, "look", lookUp)
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write, Call: lookUp})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "book", Effect: fault.Write, Call: lookUp, KeyOf: func(q query) string { return q.Customer }})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "put", Effect: fault.Idempotent, Call: lookUp})
	ctx, _ := start(t, kit, runrecord.Task{Key: "ticket-1"})
	begin := func(ctx context.Context) {
		_, run, err := kit.Start(ctx, runrecord.Task{Name: "sub"})
		require.NoError(t, err)
		run.End()
	}
	begin(ctx)
	require.Empty(t, logs.FilterMessageSnippet("no key").All(), "a child works under the key of its parent")
	for range 3 {
		begin(t.Context())
	}
	warnings := logs.FilterMessageSnippet("no key").All()
	require.Len(t, warnings, 1, "once")
	require.Equal(t, []any{"pay"}, warnings[0].ContextMap()["tools"])
	require.Contains(t, warnings[0].ContextMap()["advice"], "Task.Key")
}

// A context from before the start is easily passed on by mistake; nothing is in
// the record then, and the log must say so.
func TestCallsOutsideARunAreInTheLog(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zap.WarnLevel)
	kit := toolkit.New(toolkit.Config{Logger: zap.New(core), MaxAttempts: 1})
	works := read(kit, "works", lookUp)
	fails := read(kit, "fails", ending(errors.New("401 Unauthorized: password=hunter2")).call)
	ctx, _ := start(t, kit, runrecord.Task{})
	require.True(t, works.Invoke(ctx, acme).Outcome.OK())
	require.Empty(t, logs.All())
	for range 2 {
		works.Invoke(t.Context(), acme)
		fails.Invoke(t.Context(), acme)
	}
	kit.Invoke(t.Context(), "absent", nil)

	outside := logs.FilterMessageSnippet("outside a run").All()
	require.Len(t, outside, 2, "the first call of each tool")
	require.Equal(t, "works", outside[0].ContextMap()["tool"])
	require.Contains(t, outside[0].ContextMap()["advice"], "Start")
	failed := logs.FilterMessage("tool call failed").All()
	require.Len(t, failed, 3)
	require.Equal(t, "fails", failed[0].ContextMap()["tool"])
	require.Equal(t, "auth", failed[0].ContextMap()["reason"])
	require.NotContains(t, failed[0].ContextMap()["error"], "hunter2")
	require.Equal(t, "unknown_tool", failed[2].ContextMap()["reason"])
}

// wrong is what Start says of a kit with one tool.
func wrong[In any](t *testing.T, change func(*toolkit.Tool[In, invoice])) error {
	t.Helper()
	kit := toolkit.New(toolkit.Config{})
	tool := toolkit.Tool[In, invoice]{Name: "tool", Effect: fault.Read, Call: func(context.Context, In) (invoice, error) { return invoice{}, nil }}
	if change != nil {
		change(&tool)
	}
	toolkit.Wrap(kit, tool)
	_, run, err := kit.Start(t.Context(), runrecord.Task{})
	run.End()
	return err
}

func TestArgumentsAreAnObject(t *testing.T) {
	t.Parallel()
	type callback struct {
		Name string
		Done func() `json:"done"`
	}
	require.ErrorContains(t, wrong[string](t, nil), "must be a JSON object")
	require.ErrorContains(t, wrong[[]int](t, nil), "must be a JSON object")
	require.ErrorContains(t, wrong[callback](t, nil), "Done is a func()")
	require.ErrorContains(t, wrong(t, func(tool *toolkit.Tool[any, invoice]) { tool.Schema = json.RawMessage(`{"type":"string"}`) }), "must be a JSON object")
	require.NoError(t, wrong[query](t, nil))
	require.NoError(t, wrong[*query](t, nil))
	require.NoError(t, wrong[struct{}](t, nil))
	require.NoError(t, wrong[map[string]any](t, nil))
	require.NoError(t, wrong[any](t, nil))
	require.NoError(t, wrong[json.RawMessage](t, nil))
	require.NoError(t, wrong(t, func(tool *toolkit.Tool[any, invoice]) { tool.Schema = json.RawMessage(`{"type":["object","null"]}`) }))
}

func TestFieldsThatTheToolDoesNotHaveAreFoundAtTheStart(t *testing.T) {
	t.Parallel()
	named := func(identity, volatile []string, schema string) error {
		return wrong(t, func(tool *toolkit.Tool[query, invoice]) {
			tool.Identity, tool.Volatile, tool.Schema = identity, volatile, json.RawMessage(schema)
		})
	}
	err := named([]string{"custmer"}, nil, "")
	require.ErrorContains(t, err, `Identity names "custmer"`)
	require.ErrorContains(t, err, "did you mean customer?")
	require.ErrorContains(t, named(nil, []string{"note"}, ""), `Volatile names "note"`)
	require.NoError(t, named([]string{"customer", "year"}, []string{"year"}, ""))
	const open = `{"type":"object","properties":{"customer":{"type":"string"}}}`
	require.NoError(t, named([]string{"custmer"}, []string{"note"}, open), "a schema that lets other fields through says nothing")
	require.NoError(t, named([]string{"customer.id"}, nil, ""), "the first member is what is known")

	kit := toolkit.New(toolkit.Config{})
	read(kit, "closed", lookUp)
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "open", Effect: fault.Read, Call: lookUp, Schema: json.RawMessage(open)})
	_, run := start(t, kit, runrecord.Task{})
	require.Equal(t, []string{"customer", "year"}, run.Tool("closed").Fields)
	require.Nil(t, run.Tool("open").Fields)
}

func TestWhatWasNotMadeByItsConstructorStartsNothing(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, wrong(t, func(tool *toolkit.Tool[query, invoice]) { tool.Upstream = &toolkit.Upstream{} }), "not made by NewUpstream")
	for _, kit := range []*toolkit.Kit{nil, {}} {
		tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "tool", Effect: fault.Read, Call: lookUp})
		require.Equal(t, fault.KindNotRun, tool.Invoke(t.Context(), acme).Outcome.Kind)
		_, run, err := kit.Start(t.Context(), runrecord.Task{})
		require.ErrorContains(t, err, "not made by New")
		run.End()
		require.Equal(t, fault.KindNotRun, kit.Invoke(t.Context(), "tool", nil).Outcome.Kind)
		require.Len(t, kit.InvokeAll(t.Context(), make12("tool")), 12)
		require.Empty(t, kit.Tools())
	}
}

// Each line of what Start says can be read alone.
func TestEachToolHasItsLine(t *testing.T) {
	t.Parallel()
	err := wrong(t, func(tool *toolkit.Tool[query, invoice]) {
		tool.Call, tool.Timeout, tool.Schema = nil, -1, json.RawMessage(`{"type":"inteher"}`)
	})
	require.NotContains(t, err.Error(), "\n")
	require.NotContains(t, err.Error(), "tool://")
	require.ErrorContains(t, err, `"type"`)
	require.ErrorContains(t, err, "Call is nil")
	require.ErrorIs(t, err, toolkit.ErrTool)
	var wrong *toolkit.ToolError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "tool", wrong.Tool)
}

func TestToolsThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "hollow"})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "good", Effect: fault.Read, Call: lookUp})
	require.Len(t, kit.Tools(), 1)
	wrong := kit.Unusable()
	require.Len(t, wrong, 1)
	require.Equal(t, "hollow", wrong[0].Tool)
	require.ErrorContains(t, wrong[0], "Call is nil")
	require.Empty(t, new(toolkit.Kit).Unusable())
}
