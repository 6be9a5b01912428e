package policy_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// billing is a service whose answers are 200, whatever went wrong. Nothing in
// the code that wraps it says so, or what the tool does: the file does.
type billing struct {
	answer map[string]any
	err    error
	calls  int
}

func (b *billing) invoices(context.Context, query) (map[string]any, error) {
	b.calls++
	return b.answer, b.err
}

// agent is a program with a policy file and one tool.
func agent(t *testing.T, file string, service *billing, options ...policy.Option) (*policy.Policy, *toolkit.Kit, *toolkit.Wrapped[query, map[string]any]) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "failloud.yaml")
	require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
	p, err := policy.Load(path, options...)
	require.NoError(t, err)
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	tool := toolkit.Wrap(kit, toolkit.Tool[query, map[string]any]{Name: "get_invoices", Call: service.invoices})
	require.NoError(t, p.Check(kit))
	return p, kit, tool
}

const invoiceFile = `
kit: {max_attempts: 1}
tools:
  get_invoices:
    effect: read
    identity: [customer]
    rules: {soft_error: 'status == "error"'}
tasks:
  invoice-question:
    require: [{tool: get_invoices, for_each: {customer: [Acme, Globex]}}]
    limits: {calls: 3}
    loop_after: 0
    language: vi
`

func TestAnswersNeedWhatTheFileRequires(t *testing.T) {
	t.Parallel()
	service := &billing{answer: map[string]any{"status": "ok", "total": 1250}}
	p, kit, tool := agent(t, invoiceFile, service)

	ctx, run, err := kit.Start(t.Context(), p.Task("invoice-question", "ticket-1"))
	require.NoError(t, err)
	defer run.End()
	require.Equal(t, fault.KindOK, tool.Invoke(ctx, query{"Acme"}).Outcome.Kind)
	v := p.Guard("invoice-question").Final(ctx, "Acme owes 1250.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, []string{"Globex"}, v.Unmet[0].Missing)
	require.Contains(t, v.Text, "không", "the file fixes the language")

	require.Equal(t, fault.KindOK, tool.Invoke(ctx, query{"Globex"}).Outcome.Kind)
	v = p.Guard("invoice-question").Final(ctx, "Acme owes 1250, Globex owes 1250.")
	require.Equal(t, guard.Answer, v.Decision, v.Findings)

	require.Equal(t, fault.KindOK, tool.Invoke(ctx, query{"Acme"}).Outcome.Kind)
	require.Equal(t, fault.ReasonBudget, tool.Invoke(ctx, query{"Acme"}).Outcome.Fault.Reason, "three calls is what the file allows")
}

func TestAResultThatTheFileCallsAFailureIsOne(t *testing.T) {
	t.Parallel()
	service := &billing{answer: map[string]any{"status": "error"}}
	p, kit, tool := agent(t, invoiceFile, service)

	ctx, run, err := kit.Start(t.Context(), p.Task("invoice-question", "ticket-1"))
	require.NoError(t, err)
	defer run.End()
	res := tool.Invoke(ctx, query{"Acme"})
	require.Equal(t, fault.KindFailed, res.Outcome.Kind)
	require.Equal(t, fault.ReasonSoftError, res.Outcome.Fault.Reason)
	require.Equal(t, guard.Refuse, p.Guard("invoice-question").Final(ctx, "Acme owes nothing.").Decision)
}

func TestATaskThatOnlyReportsLetsEverythingLeave(t *testing.T) {
	t.Parallel()
	service := &billing{err: &toolkit.HTTPError{Status: http.StatusForbidden}}
	p, kit, tool := agent(t, "tools: {get_invoices: {effect: read}}\nguard: {mode: report}\ntasks: {strict: {mode: enforce}, dark: {mode: off}}", service)
	for name, want := range map[string]struct {
		decision, would guard.Decision
		state           runrecord.State
	}{
		"any":    {guard.Answer, guard.Refuse, runrecord.Answered},
		"strict": {guard.Refuse, guard.Refuse, runrecord.Refused},
		"dark":   {guard.Answer, guard.Answer, runrecord.Unjudged},
	} {
		ctx, run, err := kit.Start(t.Context(), p.Task(name, "k"))
		require.NoError(t, err)
		tool.Invoke(ctx, query{"Acme"})
		v := p.Guard(name).Final(ctx, "Acme owes nothing.")
		run.End()
		require.Equal(t, want.decision, v.Decision, name)
		require.Equal(t, want.would, v.Would, name)
		require.Equal(t, want.state, run.State(), name)
	}
}

func TestStepsOfATaskHoldOverThoseOfAll(t *testing.T) {
	t.Parallel()
	service := &billing{err: errors.New("no")}
	p, kit, tool := agent(t, "tools: {get_invoices: {effect: read}}\nguard: {steps: {evidence: off, hidden: disclose}}\ntasks: {strict: {steps: {hidden: refuse}}, plain: {steps: {evidence: default}}}", service)
	for name, want := range map[string]guard.Decision{"any": guard.Disclose, "strict": guard.Refuse, "plain": guard.Refuse} {
		ctx, run, err := kit.Start(t.Context(), p.Task(name, "k"))
		require.NoError(t, err)
		tool.Invoke(ctx, query{"Acme"})
		require.Equal(t, want, p.Guard(name).Final(ctx, "Acme owes nothing.").Decision, name)
		run.End()
	}
}

func TestARefusedCredentialIsRenewedByTheHookOfTheUpstream(t *testing.T) {
	t.Parallel()
	service := &billing{err: &toolkit.HTTPError{Status: http.StatusUnauthorized}}
	renew := policy.Refresh("billing", func(context.Context) error {
		service.answer, service.err = map[string]any{"total": 7}, nil
		return nil
	})
	p, kit, tool := agent(t, "tools: {get_invoices: {effect: read, upstream: billing}}\nupstreams: {billing: {concurrency: 1}}", service, renew)
	ctx, run, err := kit.Start(t.Context(), p.Task("any", "k"))
	require.NoError(t, err)
	defer run.End()
	require.Equal(t, fault.KindOK, tool.Invoke(ctx, query{"Acme"}).Outcome.Kind)
	require.Equal(t, 2, service.calls)
}

func TestTheRateOfAnUpstreamIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &billing{answer: map[string]any{"total": 7}}
		p, kit, tool := agent(t, "tools: {get_invoices: {effect: read, upstream: billing}}\nupstreams: {billing: {rate: 30/m}}\nguard: {loop_after: 0}", service)
		ctx, run, err := kit.Start(t.Context(), p.Task("any", "k"))
		require.NoError(t, err)
		defer run.End()
		begin := time.Now()
		for range 3 {
			require.Equal(t, fault.KindOK, tool.Invoke(ctx, query{"Acme"}).Outcome.Kind)
		}
		require.Equal(t, 4*time.Second, time.Since(begin))
	})
}

// What a file can say is never what keeps a run from starting: that is an error
// of the file, told when it is read.
func TestTheGuardsOfTheExampleCanJudge(t *testing.T) {
	t.Parallel()
	p := example(t)
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	for _, name := range []string{"get_invoices", "get_orders", "search_web", "search_news", "get_balance"} {
		toolkit.Wrap(kit, toolkit.Tool[query, []string]{Name: name, Effect: fault.Read, Call: func(context.Context, query) ([]string, error) { return nil, nil }})
	}
	for _, name := range append(p.Tasks(), "any") {
		_, run, err := kit.Start(t.Context(), p.Task(name, "k"))
		require.NoError(t, err)
		run.End()
	}
}
