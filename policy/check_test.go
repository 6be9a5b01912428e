package policy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/toolkit"
)

// wrap adds a tool whose effect code declares.
func wrap(kit *toolkit.Kit, name string, effect fault.Effect) {
	toolkit.Wrap(kit, toolkit.Tool[query, []string]{Name: name, Effect: effect, Call: func(context.Context, query) ([]string, error) { return nil, nil }})
}

func TestAToolThatCannotBeUsedIsNotCalledUnknown(t *testing.T) {
	t.Parallel()
	p := parse(t, `tools:
  get_invoices: {effect: read, identity: [custommer]}
guard:
  require: [get_invoices]
`)
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	add(kit, "get_invoices")
	err := p.Check(kit)
	require.ErrorIs(t, err, policy.ErrUnusableTool)
	require.NotErrorIs(t, err, policy.ErrUnknownTool)
	require.EqualError(t, err, `failloud.yaml:2:3: tool "get_invoices" cannot be used: its Identity names "custommer", which is not among its arguments; did you mean customer?`)
}

func TestAToolOfAPatternThatCannotBeUsedIsFound(t *testing.T) {
	t.Parallel()
	p := parse(t, "tools:\n  \"get_*\": {volatile: [when]}\ntasks: {a: {require: [get_x, gett_x]}}")
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	add(kit, "get_x")
	err := p.Check(kit)
	require.ErrorIs(t, err, policy.ErrUnusableTool)
	require.ErrorIs(t, err, policy.ErrUnknownTool)
	require.EqualError(t, err, `failloud.yaml:2:3: tool "get_x" cannot be used: its Volatile names "when", which is not among its arguments
failloud.yaml:3:30: no tool "gett_x", did you mean "get_x"?`)
}

func TestOfEquallyLongPatternsTheFirstOfTheFileHoldsAndCheckSaysSo(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]fault.Effect{
		"tools:\n  \"a*\": {effect: read}\n  \"*b\": {effect: write}": fault.Read,
		"tools:\n  \"*b\": {effect: write}\n  \"a*\": {effect: read}": fault.Write,
	} {
		p := parse(t, file)
		d, _ := p.Tool("ab")
		require.Equal(t, want, d.Effect)
		kit := toolkit.New(p.Kit(toolkit.Config{}))
		add(kit, "ax")
		add(kit, "xb")
		require.NoError(t, p.Check(kit), "each has one pattern")
		add(kit, "ab")
		require.ErrorIs(t, p.Check(kit), policy.ErrInvalid)
		require.ErrorContains(t, p.Check(kit), `failloud.yaml:3:3: tool "ab" matches this and`)
	}
	p := parse(t, "tools: {\"a*\": {effect: read}, \"*b\": {effect: write}, ab: {}}")
	kit := toolkit.New(toolkit.Config{})
	for _, name := range []string{"ab", "ax", "xb"} {
		add(kit, name)
	}
	require.NoError(t, p.Check(kit), "its own name decides")
}

func TestALookupThatWouldFallBackToAWriteIsFound(t *testing.T) {
	t.Parallel()
	_, err := policy.Parse("f", []byte("tools:\n  a: {effect: read, fallback: [c, b]}\n  b: {effect: write}\n  c: {effect: read}"))
	require.ErrorIs(t, err, policy.ErrInvalid)
	require.EqualError(t, err, `f:2:35: tool "a" only reads, and its fallback "b" writes`)
	_, err = policy.Parse("f", []byte("tools:\n  \"r_*\": {effect: read, fallback: [\"w_x\"]}\n  \"w_*\": {effect: write}"))
	require.EqualError(t, err, `f:2:36: tools that match "r_*" only read, and their fallback "w_x" writes`)

	p := parse(t, "tools: {a: {fallback: [b]}}")
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	wrap(kit, "a", fault.Read)
	wrap(kit, "b", fault.Undeclared)
	err = p.Check(kit)
	require.ErrorIs(t, err, policy.ErrInvalid)
	require.EqualError(t, err, `failloud.yaml:1:24: tool "a" only reads, and its fallback "b" may write: declare its effect`)

	kit = toolkit.New(p.Kit(toolkit.Config{}))
	wrap(kit, "a", fault.Read)
	wrap(kit, "b", fault.Idempotent)
	require.NoError(t, p.Check(kit))

	kit = toolkit.New(p.Kit(toolkit.Config{}))
	wrap(kit, "a", fault.Write)
	wrap(kit, "b", fault.Write)
	require.NoError(t, p.Check(kit), "a write may fall back to another")
}

func TestAFallbackIsNamedOnce(t *testing.T) {
	t.Parallel()
	_, err := policy.Parse("f", []byte("tools: {a: {fallback: [b, c, b, a]}}"))
	require.EqualError(t, err, `f:1:30: fallback of tool "a": "b" is there twice
f:1:33: fallback of tool "a": a tool cannot stand in for itself`)
}

func TestNumbersMeanWhatPeopleRead(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"limits: {calls: 010}":                       `f:1:17: calls of limits: want a number without a leading 0, got "010"`,
		"limits: {calls: 08}":                        `f:1:17: calls of limits: want a number without a leading 0, got "08"`,
		"limits: {money: 010.5}":                     `f:1:17: money of limits: want a number without a leading 0, got "010.5"`,
		"limits: {calls: 99999999999999999999}":      `f:1:17: calls of limits: want 0 to 2147483647, got 99999999999999999999`,
		"limits: {calls: 1e30}":                      `f:1:17: calls of limits: want 0 to 2147483647, got 1e30`,
		"limits: {calls: 3000000000}":                `f:1:17: calls of limits: want 0 to 2147483647, got 3000000000`,
		"limits: {calls: -99999999999999999999}":     `f:1:17: calls of limits: want 0 or more, got -99999999999999999999`,
		"capture_limit: 99999999999999999999":        `f:1:16: capture_limit: want 256 to 262144, got 99999999999999999999`,
		"limits: {calls: 1.5}":                       `f:1:17: calls of limits: want a whole number, got a number`,
		"version: 99999999999999999999":              `f:1:10: version: 99999999999999999999 is not known, this library reads version 1`,
		"upstreams: {x: {rate: 010}}":                `f:1:23: rate of upstream "x": want a number without a leading 0, got "010"`,
		"tools: {x: {rules: {no_match_exit: [01]}}}": `f:1:37: item 1 of no_match_exit of rules of tool "x": want a number without a leading 0, got "01"`,
	} {
		_, err := policy.Parse("f", []byte(file))
		require.EqualError(t, err, want, file)
	}
	for _, file := range []string{"limits: {calls: 0, money: 0.5}", "limits: {calls: 3.0}", "limits: {calls: 1e3}", "limits: {money: 0}"} {
		_, err := policy.Parse("f", []byte(file))
		require.NoError(t, err, file)
	}
}

func TestTasksThatCodeAndFileNameDifferentlyAreFound(t *testing.T) {
	t.Parallel()
	p := parse(t, "tasks:\n  order-question: {}\n  small-talk: {}")
	require.NoError(t, p.CheckTasks("order-question", "small-talk"))
	err := p.CheckTasks("ordr-question", "refund")
	require.ErrorIs(t, err, policy.ErrUnknownTask)
	require.EqualError(t, err, `failloud.yaml:1:1: no task "ordr-question" under tasks, did you mean "order-question"?
failloud.yaml:1:1: no task "refund" under tasks
failloud.yaml:2:3: nobody asks for task "order-question", did you mean "ordr-question"?
failloud.yaml:3:3: nobody asks for task "small-talk"`)
	var none *policy.Policy
	require.NoError(t, none.CheckTasks())
	require.ErrorIs(t, none.CheckTasks("x"), policy.ErrUnknownTask)
}

func TestOptionsOfCodeAreTakenWhenTheFileIsLoaded(t *testing.T) {
	t.Parallel()
	const file = "tasks: {strict: {}, free: {mode: report}}"
	p := parse(t, file, policy.Extend("strict", guard.Require("pay")), policy.Extend("", guard.NeedsTools()))
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	add(kit, "pay")
	for _, name := range []string{"strict", "free", "any"} {
		require.Same(t, p.Guard(name), p.Task(name, "").Judge)
		ctx, run, err := kit.Start(t.Context(), p.Task(name, "k"))
		require.NoError(t, err)
		v := p.Guard(name).Final(ctx, "Paris.")
		run.End()
		require.Equal(t, guard.Refuse, v.Would, name)
		require.Len(t, v.Unmet, map[string]int{"strict": 1}[name], name)
	}
	_, err := policy.Parse("f", []byte(file), policy.Extend("strct", guard.NeedsTools()))
	require.ErrorIs(t, err, policy.ErrUnknownTask)
	require.EqualError(t, err, `policy: Extend: "strct" is not under tasks, did you mean "strict"?`)
}
