package toolkit_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// declaring is a kit for which this is said about the tool get_invoice.
func declaring(d toolkit.Declaration, cfg toolkit.Config) *toolkit.Kit {
	cfg.Declare = func(tool string) toolkit.Declaration {
		if tool != "get_invoice" {
			return toolkit.Declaration{}
		}
		return d
	}
	return toolkit.New(cfg)
}

func TestWhatIsDeclaredHoldsOverTheCode(t *testing.T) {
	t.Parallel()
	crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm"})
	yes := true
	kit := declaring(toolkit.Declaration{
		Effect: fault.Read, Upstream: crm, Claims: []string{"look up"}, Identity: []string{"customer"}, Poller: &yes,
		Fallback: []string{"archive"}, MaxResult: 4,
	}, toolkit.Config{MaxAttempts: 1})
	written := toolkit.Tool[query, invoice]{
		Name: "get_invoice", Effect: fault.Write, Claims: []string{"pay"}, Identity: []string{"year"}, MaxResult: 100,
		Call: ending(nil, refusedBy(fault.ReasonServerError, 500)).call,
	}
	get := toolkit.Wrap(kit, written)
	read(kit, "archive", lookUp)
	ctx, run := start(t, kit, runrecord.Task{})
	info := *run.Tool("get_invoice")
	require.Equal(t, runrecord.ToolInfo{
		Name: "get_invoice", Upstream: "crm", Effect: fault.Read, Poller: true, Identity: []string{"customer"},
		Claims: []string{"look up"}, Fields: []string{"customer", "year"},
	}, info)
	require.Equal(t, []string{"get_invoice"}, run.Tool("archive").StandsIn)
	require.Contains(t, get.Invoke(ctx, acme).String(), "[cut here: 4 of")
	require.Equal(t, "get_invoice", get.Invoke(ctx, acme).Outcome.FallbackOf)

	other := toolkit.New(toolkit.Config{Declare: func(string) toolkit.Declaration { return toolkit.Declaration{} }})
	toolkit.Wrap(other, written)
	_, run = start(t, other, ticket)
	require.Equal(t, runrecord.ToolInfo{
		Name: "get_invoice", Upstream: "get_invoice", Effect: fault.Write, Identity: []string{"year"},
		Claims: []string{"pay"}, Fields: []string{"customer", "year"},
	}, *run.Tool("get_invoice"), "nothing said, nothing changed")
}

func TestDeclaredRulesAndTimesHold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := declaring(toolkit.Declaration{
			Timeout: time.Second, Rules: &fault.Rules{SoftError: `id == "INV-1"`},
		}, toolkit.Config{MaxAttempts: 1})
		slow := read(kit, "get_invoice", func(ctx context.Context, q query) (invoice, error) {
			if q.Year == 0 {
				<-ctx.Done()
			}
			return lookUp(ctx, q)
		})
		ctx, _ := start(t, kit, runrecord.Task{})
		before := time.Now()
		slow.Invoke(ctx, query{})
		require.Equal(t, time.Second, time.Since(before))
		require.Equal(t, fault.KindFailed, slow.Invoke(ctx, acme).Outcome.Kind, "the rule says so")
	})
}

func TestADeclaredEffectIsDeclared(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zap.WarnLevel)
	kit := declaring(toolkit.Declaration{Effect: fault.Read}, toolkit.Config{Logger: zap.New(core)})
	for _, name := range []string{"get_invoice", "forgotten"} {
		toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: name, Call: lookUp})
	}
	start(t, kit, ticket)
	require.Equal(t, []any{"forgotten"}, logs.FilterMessageSnippet("effect of tools not declared").All()[0].ContextMap()["tools"])
}

func TestABadDeclarationIsReportedByItsToolsName(t *testing.T) {
	t.Parallel()
	no := false
	for want, d := range map[string]toolkit.Declaration{
		"its effect is not one of":                   {Effect: 9},
		"its Timeout is negative":                    {Timeout: -1},
		"its KeyTTL is negative":                     {KeyTTL: -1},
		"its MaxResult is negative":                  {MaxResult: -1},
		"its Rules":                                  {Rules: &fault.Rules{SoftError: "=="}},
		`its Identity names "custmer"`:               {Identity: []string{"custmer"}},
		`its Volatile names "memo"`:                  {Volatile: []string{"memo"}, Poller: &no},
		`its fallback "nowhere" is not a tool`:       {Fallback: []string{"nowhere"}},
		"its upstream has no name":                   {Upstream: toolkit.NewUpstream(toolkit.UpstreamConfig{})},
		"its Claims[1] is empty":                     {Claims: []string{"send", " "}},
		"Isolate is only for reads":                  {Effect: fault.Write},
		"its upstream was not made by NewUpstream":   {Upstream: new(toolkit.Upstream)},
		"its Claims[0] is empty: name what was done": {Claims: []string{""}},
	} {
		kit := declaring(d, toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Isolate: true, Call: lookUp})
		_, _, err := kit.Start(t.Context(), ticket)
		require.ErrorIs(t, err, toolkit.ErrTool, want)
		require.ErrorContains(t, err, `tool "get_invoice": `)
		require.ErrorContains(t, err, want)
		if !strings.Contains(want, "fallback") {
			require.Equal(t, fault.KindNotRun, get.Invoke(t.Context(), acme).Outcome.Kind)
		}
	}
}

func TestADeclareThatPanicsDisablesTheTool(t *testing.T) {
	t.Parallel()
	own := errors.New("no endpoint configured")
	kit := toolkit.New(toolkit.Config{Declare: func(string) toolkit.Declaration { panic("half a policy") }})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Call: lookUp, Invalid: own})
	_, _, err := kit.Start(t.Context(), ticket)
	require.ErrorIs(t, err, own)
	require.ErrorIs(t, err, toolkit.ErrPanic)
	require.ErrorContains(t, err, "Config.Declare")
}

func TestAnEmptyDeclarationTakesAway(t *testing.T) {
	t.Parallel()
	kit := declaring(toolkit.Declaration{Claims: []string{}, Fallback: []string{}}, toolkit.Config{})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Call: lookUp,
		Claims: []string{"pay"}, Fallback: toolkit.FallbackTo("nowhere")})
	_, run := start(t, kit, ticket)
	require.NotNil(t, run.Tool("get_invoice").Claims, "not to be inferred")
	require.Empty(t, run.Tool("get_invoice").Claims)
}
