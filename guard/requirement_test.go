package guard_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func TestRequirementForms(t *testing.T) {
	down := failed(fault.ReasonServerError)
	tools := func() []*runrecord.ToolInfo {
		list := read("list_directory")
		list.StandsIn = []string{"search_files"}
		return []*runrecord.ToolInfo{read("a"), read("b"), read("search_files"), list}
	}
	type c struct {
		tool, args string
		options    []callOption
	}
	cases := []struct {
		name    string
		require guard.Requirement
		calls   []c
		met     bool
	}{
		{"every call good", guard.Require("a"), []c{{"a", "1", nil}, {"a", "2", nil}}, true},
		{"one never made good", guard.Require("a"), []c{{"a", "1", nil}, {"a", "2", []callOption{down}}}, false},
		{"the same again made it good", guard.Require("a"), []c{{"a", "1", []callOption{down}}, {"a", "1", nil}}, true},
		{"an earlier success does not", guard.Require("a"), []c{{"a", "1", nil}, {"a", "1", []callOption{down}}}, false},
		{"both of two", guard.Require("a", "b"), []c{{"a", "1", nil}}, false},
		{"two of two", guard.Require("a", "b"), []c{{"a", "1", nil}, {"b", "1", nil}}, true},
		{"at least once", guard.Require("a").AtLeastOnce(), []c{{"a", "1", nil}, {"a", "2", []callOption{down}}}, true},
		{"at least once, none", guard.Require("a").AtLeastOnce(), []c{{"a", "2", []callOption{down}}}, false},
		{"at least once, each of two", guard.Require("a", "b").AtLeastOnce(), []c{{"a", "1", nil}}, false},
		{"at least two", guard.Require("a").AtLeast(2), []c{{"a", "1", nil}, {"a", "2", nil}}, true},
		{"the same twice learns nothing", guard.Require("a").AtLeast(2), []c{{"a", "1", []callOption{result("r")}}, {"a", "1", []callOption{result("r")}}}, false},
		{"the same with another result does", guard.Require("a").AtLeast(2), []c{{"a", "1", []callOption{result("r")}}, {"a", "1", []callOption{result("q")}}}, true},
		{"any of", guard.RequireAny("a", "b"), []c{{"a", "1", []callOption{down}}, {"b", "1", nil}}, true},
		{"none of", guard.RequireAny("a", "b"), []c{{"a", "1", []callOption{down}}, {"search_files", "1", nil}}, false},
		{"any of, added up", guard.RequireAny("a", "b").AtLeast(2), []c{{"a", "1", nil}, {"b", "1", nil}}, true},
		{"a fallback inside the call", guard.Require("search_files"), []c{{"list_directory", "1", []callOption{qualified(fault.Fallback), with(func(_ *runrecord.Call, d *runrecord.Detail) { d.FallbackOf = "search_files" })}}}, true},
		{"a declared stand-in for the same", guard.Require("search_files"), []c{{"search_files", "/x", []callOption{down}}, {"list_directory", "/x", nil}}, true},
		{"a declared stand-in for another", guard.Require("search_files"), []c{{"search_files", "/x", []callOption{down}}, {"list_directory", "/y", nil}}, false},
		{"an undeclared stand-in", guard.Require("search_files"), []c{{"search_files", "/x", []callOption{down}}, {"a", "/x", nil}}, false},
		{"not degraded, but stale", guard.Require("a").NotDegraded(), []c{{"a", "1", []callOption{aged(time.Hour)}}}, false},
		{"not degraded, made good", guard.Require("a").NotDegraded(), []c{{"a", "1", []callOption{qualified(fault.Truncated)}}, {"a", "1", nil}}, true},
		{"not degraded, a stand-in", guard.Require("search_files").NotDegraded(), []c{{"list_directory", "1", []callOption{qualified(fault.Fallback), with(func(_ *runrecord.Call, d *runrecord.Detail) { d.FallbackOf = "search_files" })}}}, false},
		{"not degraded, a stand-in called by name", guard.Require("search_files").NotDegraded(), []c{{"list_directory", "1", nil}}, false},
		{"not partial, but truncated", guard.Require("a").NotPartial(), []c{{"a", "1", []callOption{qualified(fault.Truncated)}}}, false},
		{"not partial, stale is whole", guard.Require("a").NotPartial(), []c{{"a", "1", []callOption{aged(time.Hour)}}}, true},
		{"fresh enough", guard.Require("a").Fresh(2 * time.Hour), []c{{"a", "1", []callOption{aged(time.Hour)}}}, true},
		{"too old", guard.Require("a").Fresh(30 * time.Minute), []c{{"a", "1", []callOption{aged(time.Hour)}}}, false},
		{"of unknown age", guard.Require("a").Fresh(time.Hour), []c{{"a", "1", []callOption{qualified(fault.Stale)}}}, false},
		{"combined", guard.Require("a").AtLeast(2).NotPartial(), []c{{"a", "1", nil}, {"a", "2", []callOption{qualified(fault.Partial)}}}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, guard.New(c.require, guard.OnStep(guard.StepEvidence, guard.PolicyOff), guard.OnStep(guard.StepHidden, guard.PolicyOff)), tools()...)
			for _, call := range c.calls {
				s.call(call.tool, call.args, call.options...)
			}
			v := s.final("Fine.")
			require.Equal(t, c.met, v.Decision == guard.Answer, "%v", v.Findings)
			require.Equal(t, c.met, len(v.Unmet) == 0)
		})
	}
}

func TestRequiredForEachOfTheseCustomers(t *testing.T) {
	g := guard.New(guard.Require("get_invoices").ForEach("customer", "Acme", "Globex", "7"))
	about := func(s *scenario, customer string, o ...callOption) {
		s.call("get_invoices", customer, append(o, s.about(map[string]string{"customer": customer}))...)
	}
	s := begin(t, g, read("get_invoices"))
	about(s, "Acme")
	about(s, "Globex", failed(fault.ReasonServerError))
	about(s, "Other", failed(fault.ReasonServerError)) // nobody asked for it
	v := s.final("Fine.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, []string{"Globex", "7"}, v.Unmet[0].Missing)
	require.Contains(t, v.Text, "for Globex, 7")
	require.NotContains(t, v.Findings[0].String(), "Globex", "a value is payload: it stays out of the record")

	about(s, "Globex")
	s.call("get_invoices", "7 and 8", s.about(map[string]string{"customer": "[7,8]"}))
	require.Equal(t, guard.Disclose, s.final("Fine.").Decision, "met, and the failure about Other is still hidden")
}

func TestIdentityTellsACorrectionFromASibling(t *testing.T) {
	tool := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read, Identity: []string{"customer"}}
	run := func(first, second string) guard.Decision {
		s := begin(t, guard.New(guard.Require("get_invoices")), tool)
		s.call("get_invoices", first+" 30/6", failed(fault.ReasonInvalidArgs), s.about(map[string]string{"customer": first}))
		s.call("get_invoices", second+" 2026-06-30", s.about(map[string]string{"customer": second}))
		return s.final("Fine.").Decision
	}
	require.Equal(t, guard.Answer, run("Acme", "Acme"))
	require.Equal(t, guard.Refuse, run("Acme", "Globex"))
}

func TestACallOfTheSameBatchIsNoCorrection(t *testing.T) {
	s := begin(t, guard.New(guard.Require("a")), read("a"))
	s.call("a", "1", failed(fault.ReasonInvalidArgs), func(c *runrecord.Call) { c.Start, c.Duration = 0, time.Second })
	s.call("a", "2", func(c *runrecord.Call) { c.Start, c.Duration = time.Millisecond, time.Second })
	require.Equal(t, guard.Refuse, s.final("Fine.").Decision)
}

func TestFreshnessIsMeasuredWhenTheAnswerIsJudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, guard.New(guard.Require("a").Fresh(time.Hour)), read("a"))
		s.call("a", "1")
		time.Sleep(50 * time.Minute)
		require.Equal(t, guard.Answer, s.final("Fine.").Decision)
		time.Sleep(20 * time.Minute)
		require.Equal(t, guard.Refuse, s.final("Fine.").Decision)
	})
}

func TestARequirementIsAValue(t *testing.T) {
	base := guard.Require("a")
	_ = base.AtLeast(5).NotDegraded()
	s := begin(t, guard.New(base), read("a"))
	s.call("a", "1")
	require.Equal(t, guard.Answer, s.final("Fine.").Decision)
}

func TestInvalidSettingsAreNamedAtTheStart(t *testing.T) {
	cases := map[string]guard.Option{
		"Require()":                     guard.Require(),
		"Require( )":                    guard.Require(" "),
		"Require(a).AtLeast: -1":        guard.Require("a").AtLeast(-1),
		"RequireAny(a, b).ForEach":      guard.RequireAny("a", "b").ForEach("", "x"),
		"no value for customer":         guard.Require("a").ForEach("customer"),
		"a requirement has one field":   guard.Require("a").ForEach("x", "1").ForEach("y", "1"),
		"Require(a).Fresh: -1s":         guard.Require("a").Fresh(-time.Second),
		"LoopAfter: 1":                  guard.LoopAfter(1),
		"no step 5":                     guard.OnStep(5, guard.PolicyOff),
		"no policy 9":                   guard.OnStep(4, 9),
		`no texts in "fr"`:              guard.In("fr"),
		"Texts: the function is nil":    guard.Texts(nil),
		"ModeFrom: the function is nil": guard.ModeFrom(nil),
		"Named: a has an empty name":    guard.Named("a", " "),
		"Named: the name of the tool":   guard.Named("", "x"),
	}
	for want, option := range cases {
		_, err := tryBegin(t, guard.New(option), read("a"), read("b"))
		require.ErrorIs(t, err, guard.ErrSetting, want)
		require.ErrorContains(t, err, want)
	}
	_, err := tryBegin(t, guard.New(nil, guard.LoopAfter(1), guard.Require()), read("a"))
	require.ErrorContains(t, err, "LoopAfter")
	require.ErrorContains(t, err, "Require()")
}

func TestARequirementForAnUnboundToolNamesIt(t *testing.T) {
	_, err := tryBegin(t, guard.New(guard.Require("get_invoces"), guard.RequireAny("nope", "get_invoices")), read("get_invoices"), read("pay"))
	require.ErrorIs(t, err, guard.ErrNotBound)
	require.ErrorContains(t, err, `"get_invoces" is not bound; did you mean get_invoices?`)
	require.ErrorContains(t, err, `"nope"`)
}
