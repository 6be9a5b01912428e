package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/policy"
)

// wrong are files with what is said about them, and whether an editor with the
// schema sees it, too.
var wrong = map[string]struct {
	file   string
	errors []string
	editor bool
}{
	"an unknown section":                   {"task: {}", []string{`f:1:1: unknown key "task", did you mean "tasks"?`}, true},
	"an unknown key of a task":             {"tasks:\n  a:\n    requires: [x]", []string{`f:3:5: unknown key "requires" in task "a", did you mean "require"?`}, true},
	"a key like no other":                  {"limits: {zzzzzzzz: 1}", []string{`f:1:10: unknown key "zzzzzzzz" in limits, want calls, money, time, tokens or turns`}, true},
	"a rule that is none":                  {"tools: {x: {rules: {soft_eror: 'a == 1'}}}", []string{`f:1:21: unknown key "soft_eror" in rules of tool "x", did you mean "soft_error"?`}, true},
	"a rule that is a setting of the tool": {"tools: {x: {rules: {poller: true}}}", []string{`f:1:21: unknown key "poller" in rules of tool "x", want content_type, denied, empty_is_failure, min_rows, no_match_exit, not_found_is_empty, page_limit, partial, soft_error, stale or truncated`}, true},
	"an unknown step":                      {"guard: {steps: {claim: off}}", []string{`f:1:17: unknown key "claim" in steps of guard, did you mean "claims"?`}, true},
	"an unknown effect":                    {"tools: {x: {effect: reed}}", []string{`f:1:21: effect of tool "x": "reed" is not one of read, idempotent, write, did you mean "read"?`}, true},
	"an unknown mode":                      {"guard: {mode: false}", []string{`f:1:15: mode of guard: want enforce, report or off, got true or false`}, true},
	"an unknown language":                  {"tasks: {a: {language: fr}}", []string{`f:1:23: language of task "a": "fr" is not one of en, vi`}, true},
	"an unknown capture":                   {"capture: [full]", []string{`f:1:10: capture: want off, redacted or full, got a list`}, true},
	"another version":                      {"version: 2", []string{`f:1:10: version: 2 is not known, this library reads version 1`}, true},
	"a version in quotes":                  {"version: '1'", []string{`f:1:10: version: want a whole number, got a text`}, true},

	"a list for a map":      {"tools: [a]", []string{`f:1:8: tools: want a map, got a list`}, true},
	"a text for the file":   {"hello", []string{`f:1:1: want a map, got a text`}, true},
	"a text for a list":     {"tools: {x: {claims: send}}", []string{`f:1:21: claims of tool "x": want a list, got a text`}, true},
	"a number for a text":   {"tools: {x: {identity: [7]}}", []string{`f:1:24: item 1 of identity of tool "x": want a text, got a number: put it in quotes`}, true},
	"an empty text":         {"tools: {x: {volatile: ['']}}", []string{`f:1:24: item 1 of volatile of tool "x": it is empty`}, true},
	"a text for a switch":   {"tools: {x: {poller: yes}}", []string{`f:1:21: poller of tool "x": want true or false, got a text`}, true},
	"a half call":           {"limits: {calls: 1.5}", []string{`f:1:17: calls of limits: want a whole number, got a number`}, true},
	"calls below none":      {"limits: {calls: -1}", []string{`f:1:17: calls of limits: want 0 or more, got -1`}, true},
	"more calls than fit":   {"limits: {calls: 3000000000}", []string{`f:1:17: calls of limits: want 0 to 2147483647, got 3000000000`}, true},
	"money below none":      {"limits: {money: -0.5}", []string{`f:1:17: money of limits: want 0 or more, got "-0.5"`}, true},
	"all the money":         {"limits: {money: .inf}", []string{`f:1:17: money of limits: want 0 or more, got ".inf"`}, true},
	"a setting of nothing":  {"kit: {batch: }", []string{`f:1:14: batch of kit: want a whole number, got nothing`}, true},
	"no attempt":            {"kit: {max_attempts: 0}", []string{`f:1:21: max_attempts of kit: want 1 or more, got 0`}, true},
	"a capture too long":    {"capture_limit: 1000000", []string{`f:1:16: capture_limit: want 256 to 262144, got 1000000`}, true},
	"a loop of one":         {"guard: {loop_after: 1}", []string{`f:1:21: loop_after of guard: one call is no loop, want 0 for never, or 2 or more`}, true},
	"a ratio of all":        {"upstreams: {b: {breaker: {ratio: 1}}}", []string{`f:1:34: ratio of breaker of upstream "b": want a share above 0 and below 1, got "1"`}, true},
	"a spread above all":    {"kit: {backoff: {spread: 1.5}}", []string{`f:1:25: spread of backoff of kit: want a share between 0 and 1, got "1.5"`}, true},
	"an unknown backoff":    {"kit: {backoff: gentel}", []string{`f:1:16: backoff of kit: "gentel" is not one of standard, gentle, did you mean "gentle"?`}, true},
	"a backoff of a number": {"kit: {backoff: 3}", []string{`f:1:16: backoff of kit: want standard, gentle or a map, got a number`}, true},

	"a duration without a unit":       {"tools: {x: {timeout: 10}}", []string{`f:1:22: timeout of tool "x": "10" is no duration, write 10s, 1m30s or 2h`}, true},
	"a duration in days":              {"tools: {x: {timeout: 1d}}", []string{`f:1:22: timeout of tool "x": "1d" is no duration, write 10s, 1m30s or 2h`}, true},
	"a duration below none":           {"limits: {time: -5s}", []string{`f:1:16: time of limits: "-5s" is no duration, write 10s, 1m30s or 2h`}, true},
	"a duration without end":          {"limits: {time: 9999999999h}", []string{`f:1:16: time of limits: "9999999999h" is no duration, write 10s, 1m30s or 2h`}, false},
	"a timeout of nothing":            {"tools: {x: {timeout: 0s}}", []string{`f:1:22: timeout of tool "x": want more than 0, leave it out for the default`}, false},
	"a list for a duration":           {"kit: {max_wait: []}", []string{`f:1:17: max_wait of kit: want a duration like 10s, 1m30s or 2h, got a list`}, true},
	"a rate of another time":          {"upstreams: {b: {rate: 10/day}}", []string{`f:1:23: rate of upstream "b": "10/day" is no rate, write 10/s, 300/m or 1000/h`}, true},
	"a rate below none":               {"upstreams: {b: {rate: -1}}", []string{`f:1:23: rate of upstream "b": want 0 or more, got "-1"`}, true},
	"an upstream nobody described":    {"tools: {x: {upstream: biling}}\nupstreams: {billing: {}}", []string{`f:1:23: upstream "biling" of tool "x" is not under upstreams, did you mean "billing"?`}, false},
	"a condition that is none":        {"tools: {x: {rules: {soft_error: 'status = 1'}}}", []string{`f:1:33: soft_error of rules of tool "x": condition "status = 1": unknown operator, want ==, !=, contains, starts with or not empty`}, false},
	"a path that is none":             {"tools: {x: {rules: {empty_is_failure: a..b}}}", []string{`f:1:39: empty_is_failure of rules of tool "x": "a..b" is not a path: want names joined by dots, and [] after a list`}, false},
	"a number for a path":             {"tools: {x: {rules: {empty_is_failure: 1}}}", []string{`f:1:39: empty_is_failure of rules of tool "x": want true or a path, got a number`}, true},
	"rows below none":                 {"tools: {x: {rules: {min_rows: -1}}}", []string{`f:1:31: min_rows of rules of tool "x": want 0 or more, got -1`}, true},
	"an exit code that is success":    {"tools: {x: {rules: {no_match_exit: [1, 0]}}}", []string{`f:1:36: no_match_exit of rules of tool "x": 0 is success already`}, true},
	"a media type that is none":       {"tools: {x: {rules: {content_type: json}}}", []string{`f:1:35: content_type of rules of tool "x": "json" is not a media type like application/json`}, true},
	"a fallback to a pattern":         {"tools: {x: {fallback: ['y*']}}", []string{`f:1:24: item 1 of fallback of tool "x": want one name, "y*" is a pattern`}, true},
	"a tool without a name":           {"tools: {'': {}}", []string{`f:1:9: tools: a name is empty`}, true},
	"a tool with a line break":        {`tools: {"a\nb": {}}`, []string{`f:1:9: tools: the name "a\nb" has a control character`}, true},
	"a tool that people call nothing": {"guard: {named: {x: []}}", []string{`f:1:20: "x" of named of guard: want at least one name`}, true},

	"a requirement of nothing":      {"guard: {require: [{fresh: 1h}]}", []string{`f:1:19: item 1 of require of guard: it names no tool, want tool or any_of`}, true},
	"a requirement of none of them": {"guard: {require: [{any_of: []}]}", []string{`f:1:19: item 1 of require of guard: it names no tool, want tool or any_of`}, true},
	"two requirements in one":       {"guard: {require: [{tool: a, any_of: [b]}]}", []string{`f:1:19: item 1 of require of guard: it has both tool and any_of, make it two requirements`}, true},
	"a requirement of a number":     {"guard: {require: [3]}", []string{`f:1:19: item 1 of require of guard: want the name of a tool or a map, got a number`}, true},
	"a requirement of a pattern":    {"guard: {require: ['x*']}", []string{`f:1:19: item 1 of require of guard: want one name, "x*" is a pattern`}, true},
	"for each of nothing":           {"guard: {require: [{tool: a, for_each: {}}]}", []string{`f:1:39: for_each of item 1 of require of guard: it names no argument`}, true},
	"for each without values":       {"guard: {require: [{tool: a, for_each: {c: []}}]}", []string{`f:1:43: for_each of item 1 of require of guard: no value for "c"`}, true},
	"for each of two":               {"guard: {require: [{tool: a, for_each: {c: [1], d: [2]}}]}", []string{`f:1:48: for_each of item 1 of require of guard: a requirement has one argument, make "d" a second requirement`}, true},
	"for each of a list":            {"guard: {require: [{tool: a, for_each: [c]}]}", []string{`f:1:39: for_each of item 1 of require of guard: want a map of one argument to its values, got a list`}, true},

	"a key twice":                      {"limits: {calls: 1}\nlimits: {calls: 2}", []string{`f:2:1: key "limits" is there twice, first in line 1`}, false},
	"a tool twice":                     {"tools:\n  a: {}\n  a: {}", []string{`f:3:3: key "a" in tools is there twice, first in line 2`}, false},
	"a merge key":                      {"tools: {a: &a {effect: read}, b: {<<: *a}}", []string{"f:1:35: merge keys are not supported, say it again or use an alias"}, true},
	"a key that is a list":             {"tools: {? [a] : {}}", []string{"f:1:11: tools: a key has to be a text"}, false},
	"a tag of one's own":               {"tools: !lua {}", []string{"f:1:8: tools: want a map, got a value with a tag of its own"}, false},
	"a text that says it is a map":     {"tools: !!map x", []string{"f:1:8: tools: want a map, got a value with a tag of its own"}, true},
	"a list that says it is nothing":   {"guard: {require: !!null [x]}", []string{"f:1:18: require of guard: want a list, got a value with a tag of its own"}, false},
	"an unknown anchor":                {"tools: *all", []string{"f:1:8: not YAML: unknown anchor 'all' referenced"}, false},
	"a tab":                            {"tools:\n\tx: {}", []string{"f:2:1: a tab cannot indent in YAML, use spaces"}, false},
	"an open list":                     {"tools: [a\nlimits: {}\n", []string{"f:2:7: not YAML: did not find expected ',' or ']' while parsing a flow sequence that begins in line 1"}, false},
	"a second document":                {"version: 1\n---\nversion: 1\n", []string{"f:2:1: a second document begins here, a policy is one"}, false},
	"a second document that is broken": {"version: 1\n---\n[", []string{"f:3:2: not YAML: did not find expected node content while parsing a flow node"}, false},
	"lines of an old Mac":              {"version: 1\r\r# \x07", []string{"f:3:3: the character U+0007 is not allowed in YAML"}, false},
	"a name with a tag":                {"capture: !x off", []string{"f:1:10: capture: want off, redacted or full, got a value with a tag of its own"}, false},
	"bytes that are no text":           {"tools:\n  é\xff: {}", []string{"f:2:4: the file is not valid UTF-8 here"}, false},
	"a control character":              {"version: 1 # \x07", []string{"f:1:14: the character U+0007 is not allowed in YAML"}, false},
	"UTF-16":                           {"\xff\xfev\x001\x00", []string{"f:1:1: the file is not valid UTF-8 here"}, false},
	"deeper than any setting":          {"tools: " + strings.Repeat("[", 64), []string{"f:1:40: not YAML: exceeded max depth of 32 while increasing flow level"}, false},

	"several at once": {"version: 3\ntools: {x: {efect: read, timeout: 3}}\nlimit: {}", []string{
		"f:1:10: version: 3 is not known, this library reads version 1",
		`f:2:13: unknown key "efect" in tool "x", did you mean "effect"?`,
		`f:2:35: timeout of tool "x": "3" is no duration, write 10s, 1m30s or 2h`,
		`f:3:1: unknown key "limit", did you mean "limits"?`,
	}, true},
}

func TestWhatIsWrongIsSaidWhereItStands(t *testing.T) {
	t.Parallel()
	for name, c := range wrong {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := policy.Parse("f", []byte(c.file))
			require.Nil(t, p)
			require.ErrorIs(t, err, policy.ErrInvalid)
			require.Equal(t, c.errors, strings.Split(err.Error(), "\n"))
			if c.editor {
				require.Error(t, editor(t).Validate(plain(t, []byte(c.file))), "the schema takes it")
			}
		})
	}
}

func TestAFileThatSaysNothingIsValid(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"", "\n", "# nothing yet\n", "---\n", "null", "{}", "\xef\xbb\xbf", "version: 1", "tools:\nguard:\ntasks:\n  a:\n", "guard: {require: , known: }"} {
		p, err := policy.Parse("f", []byte(file))
		require.NoError(t, err, "%q", file)
		require.NoError(t, editor(t).Validate(plain(t, []byte(file))), "%q", file)
		require.Empty(t, p.Tools())
	}
}

func TestMarksAndLineEndsOfOtherSystemsChangeNothing(t *testing.T) {
	t.Parallel()
	p, err := policy.Parse("f", []byte("\xef\xbb\xbftools:\r\n  x:\r\n    effect: read\r\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"x"}, p.Tools())
	_, err = policy.Parse("f", []byte("\xef\xbb\xbftools:\r\n  x:\r\n    efect: read\r\n"))
	require.EqualError(t, err, `f:3:5: unknown key "efect" in tool "x", did you mean "effect"?`)
}

func TestOfManyProblemsTheFirstAreToldAndTheRestCounted(t *testing.T) {
	t.Parallel()
	_, err := policy.Parse("f", []byte("tools:\n"+lines("  t%d: {efect: read}\n", 1000)))
	wrong, ok := errors.AsType[*policy.FileError](err)
	require.True(t, ok)
	require.Len(t, wrong.Problems, 20)
	require.Equal(t, 980, wrong.More)
	require.Equal(t, 2, wrong.Problems[0].Line)
	require.Equal(t, "effect", wrong.Problems[0].Nearest)
	require.Contains(t, err.Error(), "\nand 980 more")
}

// lines repeats a line with its number.
func lines(format string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, format, i)
	}
	return text.String()
}
