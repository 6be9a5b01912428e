package policy_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func parse(t testing.TB, file string, options ...policy.Option) *policy.Policy {
	t.Helper()
	p, err := policy.Parse("failloud.yaml", []byte(file), options...)
	require.NoError(t, err)
	return p
}

func example(t testing.TB) *policy.Policy {
	t.Helper()
	data, err := os.ReadFile("testdata/failloud.yaml")
	require.NoError(t, err)
	return parse(t, string(data))
}

func TestEverySettingOfAToolIsDeclared(t *testing.T) {
	t.Parallel()
	p := example(t)
	d, named := p.Tool("get_invoices")
	require.True(t, named)
	rules := *d.Rules
	require.NoError(t, rules.Compile())
	require.Equal(t, toolkit.Declaration{
		Effect: fault.Read, Upstream: p.Upstream("billing"), Timeout: 10 * time.Second, Identity: []string{"customer"}, Rules: d.Rules,
	}, d)
	want := fault.Rules{
		SoftError: `status == "error"`, Denied: `status == "denied"`, Partial: `partial == true`, Truncated: `next_page not empty`,
		Stale: `cached == true`, EmptyIsFailure: json.RawMessage(`"invoices"`), MinRows: 1, PageLimit: 50, NotFoundIsEmpty: true,
		NoMatchExit: []int{1}, ContentType: "application/json",
	}
	got, err := json.Marshal(d.Rules)
	require.NoError(t, err)
	wanted, err := json.Marshal(want)
	require.NoError(t, err)
	require.JSONEq(t, string(wanted), string(got))

	d, _ = p.Tool("send_email")
	require.Equal(t, toolkit.Declaration{
		Effect: fault.Write, Claims: []string{"send", "email"}, Volatile: []string{"body"}, KeyTTL: 24 * time.Hour, MaxResult: 2048, Fallback: []string{"send_letter"},
		Approve: toolkit.ApprovalAlways, Defer: 30 * time.Minute,
	}, d)
	d, _ = p.Tool("send_letter")
	require.Equal(t, toolkit.Declaration{Claims: []string{}}, d, "it may claim nothing, which is not the same as nothing said")
	d, _ = p.Tool("watch_job")
	require.True(t, *d.Poller)
	require.NotNil(t, d.Fallback)
}

func TestTheLongestNameThatMatchesHolds(t *testing.T) {
	t.Parallel()
	p := parse(t, `
tools:
  "*": {timeout: 1s}
  "a*": {timeout: 2s}
  "a*z": {timeout: 3s}
  "*-b-*-c": {timeout: 4s}
  "a/exact": {timeout: 5s}
  "x*x": {timeout: 6s}
`)
	for name, seconds := range map[string]int{
		"other": 1, "": 1, "ab": 2, "a": 2, "az": 3, "a/b/z": 3, "a/exact": 5, "a-b-q-c": 4, "-b--c": 4, "-b-c": 1, "x": 1, "xx": 6, "xyx": 6,
	} {
		d, named := p.Tool(name)
		require.True(t, named)
		require.Equal(t, time.Duration(seconds)*time.Second, d.Timeout, name)
	}
	_, named := parse(t, "tools: {a: {}}").Tool("b")
	require.False(t, named)
}

func TestToolsOfOnePolicyShareAnUpstream(t *testing.T) {
	t.Parallel()
	p := example(t)
	one, _ := p.Tool("github/list_issues")
	other, _ := p.Tool("github/create_issue")
	require.Equal(t, fault.Read, one.Effect)
	require.Equal(t, fault.Write, other.Effect)
	require.NotNil(t, one.Upstream)
	require.Same(t, one.Upstream, other.Upstream)
	require.Equal(t, "github", one.Upstream.Name())
}

func TestTheFileHoldsOverTheCodeWhereItSaysSomething(t *testing.T) {
	t.Parallel()
	code := toolkit.Config{
		MaxAttempts: 7, Batch: 9, Capture: runrecord.CaptureFull, Backoff: toolkit.GentleBackoff(),
		Declare: func(string) toolkit.Declaration { return toolkit.Declaration{Timeout: time.Minute} },
	}
	cfg := parse(t, "kit: {batch: 2, backoff: standard}\ncapture: off\ntools: {x: {effect: read}}").Kit(code)
	require.Equal(t, 7, cfg.MaxAttempts)
	require.Equal(t, 2, cfg.Batch)
	require.Equal(t, toolkit.StandardBackoff(), cfg.Backoff)
	require.Equal(t, runrecord.CaptureOff, cfg.Capture)
	require.Equal(t, toolkit.Declaration{Effect: fault.Read}, cfg.Declare("x"))
	require.Equal(t, time.Minute, cfg.Declare("y").Timeout, "the file does not name it")

	cfg = example(t).Kit(toolkit.Config{})
	require.Equal(t, 100, cfg.Retries.Left())
	cfg.Retries, cfg.Declare = nil, nil
	require.Equal(t, toolkit.Config{
		MaxAttempts: 2, MaxWait: 10 * time.Second, Batch: 4, KeepCalls: 256, DecideWithin: 24 * time.Hour, ApprovedFor: 2 * time.Hour,
		Backoff: toolkit.Backoff{Base: 500 * time.Millisecond, Max: 8 * time.Second, Jitter: 250 * time.Millisecond, Spread: 0.2},
		Capture: runrecord.CaptureRedacted, CaptureLimit: 4096,
	}, cfg)
}

func TestATaskHasItsOwnLimitsOverThoseOfAll(t *testing.T) {
	t.Parallel()
	p := example(t)
	all := runrecord.Limits{Calls: 100, Turns: 40, Tokens: 500_000, Money: 5, Time: 10 * time.Minute}
	require.Equal(t, all, p.Task("greeting", "k").Limits)
	require.Equal(t, all, p.Task("a task that nobody described", "k").Limits)
	task := p.Task("invoice-question", "ticket-4711")
	require.Equal(t, runrecord.Limits{Calls: 50, Turns: 40, Tokens: 500_000, Money: 2.50}, task.Limits, "0s takes the limit of all away")
	require.Equal(t, "invoice-question", task.Name)
	require.Equal(t, "ticket-4711", task.Key)
	require.Equal(t, []string{"greeting", "invoice-question"}, p.Tasks())
}

// The guard that judges has to be the one that watched.
func TestTheGuardOfATaskIsItsJudge(t *testing.T) {
	t.Parallel()
	p := example(t)
	for _, name := range []string{"invoice-question", "greeting", "nobody described it"} {
		require.Same(t, p.Guard(name), p.Task(name, "").Judge)
	}
	require.NotSame(t, p.Guard("greeting"), p.Guard("invoice-question"))
	require.NotSame(t, p.Guard("greeting"), p.Guard("greeting", guard.NeedsTools()))
}

func TestNoPolicyIsOneThatSaysNothing(t *testing.T) {
	t.Parallel()
	for _, p := range []*policy.Policy{nil, {}, parse(t, "")} {
		require.Empty(t, p.Tools())
		require.Empty(t, p.Tasks())
		require.Nil(t, p.Upstream("x"))
		require.Equal(t, runrecord.Limits{}, p.Task("x", "").Limits)
		require.Same(t, p.Guard("x"), p.Task("x", "").Judge)
		require.NoError(t, p.Check(toolkit.New(toolkit.Config{})))
		cfg := p.Kit(toolkit.Config{MaxAttempts: 5})
		require.Equal(t, 5, cfg.MaxAttempts)
		require.Equal(t, toolkit.Declaration{}, cfg.Declare("x"))
	}
}

func TestAHookForAnUpstreamThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	hook := policy.Refresh("biling", func(context.Context) error { return nil })
	_, err := policy.Parse("f", []byte("upstreams: {billing: {}}"), hook)
	require.ErrorIs(t, err, policy.ErrUnknownUpstream)
	require.EqualError(t, err, `policy: Refresh: "biling" is not under upstreams, did you mean "billing"?`)
}

func TestNamesThatNoKitHasAreFound(t *testing.T) {
	t.Parallel()
	p := parse(t, `tools:
  get_invoices: {fallback: [get_invoice_archive]}
  get_invoice: {}
  "git*": {}
  "get_*": {}
guard:
  named: {get_orders: [orders]}
tasks:
  a:
    require: [get_invoices, get_invoises, {any_of: [pay, get_invoices]}]
`)
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	add(kit, "get_invoices")
	other := toolkit.New(toolkit.Config{})
	add(other, "get_invoices_archive")
	err := p.Check(kit, other)
	require.ErrorIs(t, err, policy.ErrUnknownTool)
	require.NotErrorIs(t, err, policy.ErrInvalid)
	require.EqualError(t, err, `failloud.yaml:2:29: no tool "get_invoice_archive", did you mean "get_invoices_archive"?
failloud.yaml:3:3: no tool "get_invoice", did you mean "get_invoices"?
failloud.yaml:4:3: no tool matches "git*"
failloud.yaml:7:11: no tool "get_orders"
failloud.yaml:10:29: no tool "get_invoises", did you mean "get_invoices"?
failloud.yaml:10:53: no tool "pay"`)
}

func add(kit *toolkit.Kit, name string) *toolkit.Wrapped[query, []string] {
	return toolkit.Wrap(kit, toolkit.Tool[query, []string]{Name: name, Effect: fault.Read, Call: func(context.Context, query) ([]string, error) { return []string{"x"}, nil }})
}

type query struct {
	Customer string `json:"customer"`
}
