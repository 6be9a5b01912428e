package guard_test

import (
	"strconv"
	"strings"
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
		"no step 7":                     guard.OnStep(7, guard.PolicyOff),
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

func TestNamesThatNothingHasAreErrorsAtTheStart(t *testing.T) {
	invoices := read("get_invoices")
	invoices.Fields = []string{"customer", "month"}
	search := read("search")
	search.Fields = []string{"query"}
	cached := read("cached_invoices")
	cached.StandsIn = []string{"get_invoices"}
	cached.Fields = []string{"client"}
	for name, tt := range map[string]struct {
		option guard.Option
		says   []string // none: it starts
	}{
		"a field":                         {guard.Require("get_invoices").ForEach("custmer", "Acme"), []string{"ForEach", `"custmer"`, "customer"}},
		"a field of nothing like it":      {guard.Require("search").ForEach("id", "7"), []string{`"id"`, "query"}},
		"right":                           {guard.Require("get_invoices").ForEach("customer", "Acme"), nil},
		"a member of a field":             {guard.Require("get_invoices").ForEach("customer.id", "7"), nil},
		"a field of the stand-in":         {guard.Require("get_invoices").ForEach("client", "Acme"), nil},
		"a tool of unknown fields":        {guard.Require("raw").ForEach("anything", "Acme"), nil},
		"one of two that lacks it":        {guard.Require("get_invoices", "search").ForEach("customer", "Acme"), []string{"search", `"customer"`}},
		"any of two, one of which has it": {guard.RequireAny("get_invoices", "search").ForEach("customer", "Acme"), nil},
		"a name for people":               {guard.Named("get_invoice", "invoices"), []string{"Named", `"get_invoice"`, "get_invoices"}},
		"a name for people, right":        {guard.Named("get_invoices", "invoices"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tryBegin(t, guard.New(tt.option), invoices, search, cached, read("raw"))
			if tt.says == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, guard.ErrSetting)
			for _, s := range tt.says {
				require.ErrorContains(t, err, s)
			}
		})
	}
}

func TestAnAgeBeyondAllTimeIsNotFresh(t *testing.T) {
	for _, age := range []time.Duration{1<<63 - 1, 1<<63 - 2, -1 << 63} {
		s := begin(t, guard.New(guard.Require("a").Fresh(time.Hour)), read("a"))
		s.call("a", "1", aged(age))
		require.Equal(t, guard.Refuse, s.final("Now.").Decision, age)
	}
	s := begin(t, guard.New(guard.Require("a").Fresh(time.Hour)), read("a"))
	s.call("a", "1", func(c *runrecord.Call) { c.Start = time.Hour })
	require.Equal(t, guard.Refuse, s.final("Now.").Decision, "a result of the future")
}

// The evidence came early, and then the run went on for long.
func TestWhatIsRequiredOutlivesALongRun(t *testing.T) {
	for name, g := range map[string]*guard.Guard{
		"at least": guard.New(guard.Require("a").AtLeast(2)),
		"for each": guard.New(guard.Require("a").ForEach("id", "Acme", "Globex")),
		"whole":    guard.New(guard.Require("a").NotDegraded()),
	} {
		t.Run(name, func(t *testing.T) {
			s, err := beginLimited(t, runrecord.Config{KeepCalls: 32}, g, read("a"), read("other"))
			require.NoError(t, err)
			s.call("a", "Acme", s.about(map[string]string{"id": "Acme"}))
			s.call("a", "Globex", s.about(map[string]string{"id": "Globex"}))
			for i := range 200 {
				s.call("other", strconv.Itoa(i))
			}
			v := s.final("Fine.")
			require.Equal(t, guard.Answer, v.Decision, "%v", v.Findings)
		})
	}
}

// A declared identity says what a call is about, also of one that was refused
// for its form.
func TestACorrectionIsAboutTheSameThing(t *testing.T) {
	tool := read("get_invoices")
	tool.Identity = []string{"customer"}
	for name, refused := range map[string]callOption{
		"never entered": kind(fault.KindNotRun, fault.ReasonInvalidArgs, fault.FailFast),
		"refused":       failed(fault.ReasonInvalidArgs),
	} {
		s := begin(t, guard.New(), tool)
		s.call("get_invoices", "Acme, 1.3.", refused, s.about(map[string]string{"customer": "Acme"}))
		s.call("get_invoices", "Globex", s.about(map[string]string{"customer": "Globex"}))
		require.Equal(t, guard.Disclose, s.final("Both have paid.").Decision, name)
		s.call("get_invoices", "Acme, 2026-03-01", s.about(map[string]string{"customer": "Acme"}))
		require.Equal(t, guard.Answer, s.final("Both have paid.").Decision, name)
	}
	key := func(k string) callOption {
		return with(func(_ *runrecord.Call, d *runrecord.Detail) { d.Key = k })
	}
	s := begin(t, guard.New(), write("pay"))
	s.call("pay", "1", failed(fault.ReasonInvalidArgs), key("inv-1"))
	s.call("pay", "2", key("inv-2"))
	require.Equal(t, guard.Disclose, s.final("Both are paid.").Decision, "another invoice")
	s.call("pay", "1b", key("inv-1"))
	require.Equal(t, guard.Answer, s.final("Both are paid.").Decision)
}

// A list of a thousand customers is compared in the time of a thousand, not of a
// thousand times a thousand.
func TestAListOfManyValuesIsReadOnce(t *testing.T) {
	const n = 1000
	var ids []string
	for i := range n {
		ids = append(ids, strconv.Itoa(i))
	}
	list := "[" + strings.Join(ids, ",") + "]"
	s, err := beginLimited(t, runrecord.Config{KeepCalls: 4096}, guard.New(guard.Require("a").ForEach("ids", ids...)), read("a"))
	require.NoError(t, err)
	for i := range n {
		s.call("a", strconv.Itoa(i), s.about(map[string]string{"ids": list}))
	}
	begun := time.Now()
	require.Equal(t, guard.Answer, s.final("Fine.").Decision)
	require.Less(t, time.Since(begun), 5*time.Second)
}
