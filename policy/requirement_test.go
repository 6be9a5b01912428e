package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/toolkit"
)

// What a file requires is what a guard says is missing.
func TestEachFormOfARequirement(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]string{
		"a":                             "a",
		"{tool: a}":                     "a",
		"{any_of: [a, b]}":              "a or b",
		"{tool: a, at_least: 2}":        "a at least 2",
		"{tool: a, fresh: 90m}":         "a not older than 1h30m0s",
		"{tool: a, not_degraded: true}": "a not degraded",
		"{tool: a, not_partial: true}":  "a not partial",
		"{tool: a, not_partial: false}": "a",
		"{tool: a, for_each: {customer: [Acme, 4711, 2026-01-02]}}":    "a for each customer",
		"{any_of: [a, b], at_least: 3, fresh: 1h, not_degraded: true}": "a or b at least 3 not older than 1h0m0s not degraded",
	} {
		p := parse(t, "guard: {require: [b]}\ntasks: {t: {require: ["+item+"]}}")
		kit := toolkit.New(p.Kit(toolkit.Config{}))
		add(kit, "a")
		add(kit, "b")
		ctx, run, err := kit.Start(t.Context(), p.Task("t", "k"))
		require.NoError(t, err, item)
		v := p.Guard("t").Final(ctx, "All paid.")
		run.End()
		require.Len(t, v.Unmet, 2, item)
		require.Equal(t, "b", v.Unmet[0].Requirement, "what every task requires holds as well")
		require.Equal(t, want, v.Unmet[1].Requirement, item)
		if len(v.Unmet[1].Missing) > 0 {
			require.Equal(t, []string{"Acme", "4711", "2026-01-02"}, v.Unmet[1].Missing, "values are texts as they are written")
		}
	}
}

func TestSettingsOfATaskHoldOverThoseOfAll(t *testing.T) {
	t.Parallel()
	p := parse(t, `
guard: {needs_tools: true, language: vi, named: {a: [hóa đơn]}}
tasks:
  chat: {needs_tools: false}
  english: {language: en, require: [b], named: {b: [orders of today]}}
`)
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	add(kit, "a")
	add(kit, "b")
	judge := func(task string, more ...guard.Option) guard.Verdict {
		begin := p.Task(task, "k")
		answers := p.Guard(task, more...)
		begin.Judge = answers
		ctx, run, err := kit.Start(t.Context(), begin)
		require.NoError(t, err)
		defer run.End()
		return answers.Final(ctx, "Hello.")
	}
	require.Equal(t, guard.Refuse, judge("any").Decision)
	require.Equal(t, guard.Answer, judge("chat").Decision)
	require.Contains(t, judge("english").Text, "orders of today")
	require.Contains(t, judge("chat", guard.Require("a")).Text, "hóa đơn", "what code adds is judged with what the file says")
	require.Equal(t, guard.Refuse, judge("chat", guard.NeedsTools()).Decision, "what code adds holds over the file")
}
