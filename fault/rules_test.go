package fault_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

func TestConditions(t *testing.T) {
	t.Parallel()
	const result = `{"status":"rejected","count":3,"cached":true,"empty":"","none":null,"list":["a","b"],
		"results":[{"content":"one","score":0.5},{"content":"","score":1}],"nested":{"deep":{"code":"E1"}}}`
	for text, want := range map[string]bool{
		`status == "rejected"`:             true,
		`status == "accepted"`:             false,
		`status != "accepted"`:             true,
		`count == 3`:                       true,
		`count == 3.0`:                     true,
		`count != 3`:                       false,
		`cached == true`:                   true,
		`missing == null`:                  true,
		`missing != null`:                  false,
		`none == null`:                     true,
		`nested.deep.code == "E1"`:         true,
		`nested.deep.code contains "E"`:    true,
		`nested.deep.code starts with "1"`: false,
		`status starts with "rej"`:         true,
		`list contains "b"`:                true,
		`list contains "c"`:                false,
		`list == ["a","b"]`:                true,
		`list not empty`:                   true,
		`empty not empty`:                  false,
		`none not empty`:                   false,
		`missing not empty`:                false,
		`results[].content == "one"`:       true,
		`results[].content != "one"`:       false,
		`results[].content != "two"`:       true,
		`results[].content not empty`:      true,
		`results[].missing not empty`:      false,
		`list[] == "a"`:                    true,
		`text contains "rejected"`:         true,
		`text starts with "{"`:             true,
		`text not empty`:                   true,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			c, err := fault.ParseCondition(text)
			require.NoError(t, err)
			var root any
			require.NoError(t, json.Unmarshal([]byte(result), &root))
			require.Equal(t, want, c.Holds(root, result))
			require.False(t, fault.Condition{}.Holds(root, result), "the zero condition holds for nothing")
		})
	}
}

func TestConditionsThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, complaint := range map[string]string{
		``:                         "no path",
		`status`:                   "want PATH OP VALUE",
		`status=="x"`:              "is not a path",
		`a..b == 1`:                "is not a path",
		`a[0] == 1`:                "is not a path",
		`status is "x"`:            "unknown operator",
		`status == rejected`:       "stands in double quotes",
		`status ==`:                "stands in double quotes",
		`status contains 3`:        "wants a text",
		`status starts with ["x"]`: "wants a text",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, err := fault.ParseCondition(text)
			require.ErrorContains(t, err, complaint)
		})
	}
}

func TestRulesDecideAboutAResult(t *testing.T) {
	t.Parallel()
	type row struct {
		ID string `json:"id"`
	}
	type page struct {
		Items  []row `json:"items"`
		Cached bool  `json:"cached"`
		Age    int   `json:"age_s"`
	}
	for name, tc := range map[string]struct {
		rules  fault.Rules
		signal fault.Signal
		want   string
	}{
		"soft error names its cause":      {fault.Rules{SoftError: `state == "bad"`}, value(map[string]any{"state": "bad", "why": "x", "code": "token_expired"}), "auth fail_fast no"},
		"soft error without a cause":      {fault.Rules{SoftError: `state == "bad"`}, value(map[string]any{"state": "bad"}), "soft_error fail_fast no"},
		"soft error in text":              {fault.Rules{SoftError: `text starts with "NACK"`}, text("NACK 7"), "soft_error fail_fast no"},
		"denied":                          {fault.Rules{Denied: `error starts with "denied"`}, value(map[string]any{"error": "denied: not on the list"}), "permission fail_fast no"},
		"denied by a status":              {fault.Rules{Denied: `by == "policy"`}, answer(fault.Write, 403, `{"by":"policy"}`), "permission fail_fast no"},
		"partial beats a failed batch":    {fault.Rules{Partial: "failed not empty"}, value(map[string]any{"ok": 38, "failed": []any{map[string]any{"id": "m7"}}}), "ok partial"},
		"stale, typed":                    {fault.Rules{Stale: "cached == true"}, value(page{Items: []row{{"a"}}, Cached: true, Age: 60}), "ok stale"},
		"truncated":                       {fault.Rules{Truncated: "more == true"}, value(map[string]any{"more": true, "items": []any{1}}), "ok truncated"},
		"page limit, list":                {fault.Rules{PageLimit: 2}, value([]row{{"a"}, {"b"}}), "ok truncated"},
		"page limit, not reached":         {fault.Rules{PageLimit: 3}, value([]row{{"a"}, {"b"}}), "ok "},
		"page limit, number":              {fault.Rules{PageLimit: 20}, value(map[string]any{"items": 20}), "ok truncated"},
		"page limit, typed":               {fault.Rules{PageLimit: 1}, value(page{Items: []row{{"a"}}}), "ok truncated"},
		"too few rows":                    {fault.Rules{MinRows: 1}, answer(fault.Read, 200, `[]`), "soft_error fail_fast no"},
		"too few rows, nil":               {fault.Rules{MinRows: 1}, value([]row(nil)), "soft_error fail_fast no"},
		"enough rows":                     {fault.Rules{MinRows: 1}, answer(fault.Read, 200, `{"results":[1]}`), "ok "},
		"empty is a failure":              {fault.Rules{EmptyIsFailure: json.RawMessage(`true`)}, value(nil), "soft_error fail_fast no"},
		"empty at a path":                 {fault.Rules{EmptyIsFailure: json.RawMessage(`"results[].content"`)}, value(map[string]any{"results": []any{map[string]any{"content": ""}}}), "soft_error fail_fast no"},
		"not empty at a path":             {fault.Rules{EmptyIsFailure: json.RawMessage(`"results[].content"`)}, value(map[string]any{"results": []any{map[string]any{"content": "x"}}}), "ok "},
		"not found is an answer":          {fault.Rules{NotFoundIsEmpty: true}, answer(fault.Read, 404, `{"error":"not found"}`), "ok empty"},
		"only not found is":               {fault.Rules{NotFoundIsEmpty: true}, answer(fault.Read, 403, ``), "permission fail_fast no"},
		"no match":                        {fault.Rules{NoMatchExit: []int{1}}, fault.Signal{Effect: fault.Read, Exit: &fault.Exit{Code: 1}}, "ok empty"},
		"another exit":                    {fault.Rules{NoMatchExit: []int{1}}, fault.Signal{Effect: fault.Read, Exit: &fault.Exit{Code: 2}}, "command_failed fail_fast yes"},
		"content type, by header":         {fault.Rules{ContentType: "application/json"}, headed(answer(fault.Read, 200, `<p>hi</p>`), "Content-Type", "text/html"), "malformed_response retry yes"},
		"content type, by body":           {fault.Rules{ContentType: "application/json"}, answer(fault.Read, 200, `<html>`), "malformed_response retry yes"},
		"content type, a login page":      {fault.Rules{ContentType: "application/json"}, answer(fault.Read, 200, `<html><head><title>Sign in</title>`), "auth fail_fast no"},
		"content type, as declared":       {fault.Rules{ContentType: "application/json"}, headed(answer(fault.Read, 200, `{"a":1}`), "Content-Type", "application/json; charset=utf-8"), "ok "},
		"rules do not excuse a failure":   {fault.Rules{PageLimit: 1}, answer(fault.Read, 200, `{"ok":false,"error":"invalid_auth"}`), "auth fail_fast no"},
		"rules that do not compile: none": {fault.Rules{SoftError: `what?`}, value(map[string]any{"a": 1}), "ok "},
		"an error is not a result":        {fault.Rules{EmptyIsFailure: json.RawMessage(`true`)}, failure(fault.Read, "dial tcp: connection refused"), "network retry no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.signal.Rules = &tc.rules
			require.Equal(t, tc.want, short(classify(tc.signal)))
			if tc.rules.Compile() == nil {
				require.Equal(t, tc.want, short(classify(tc.signal)), "compiled rules decide the same")
			}
		})
	}
	o := classify(fault.Signal{Rules: &fault.Rules{Stale: "cached == true"}, HasValue: true, Value: page{Items: []row{{"a"}}, Cached: true, Age: 60}})
	require.Equal(t, time.Minute, o.Age)
}

func TestRulesAreCheckedAtTheStart(t *testing.T) {
	t.Parallel()
	require.NoError(t, (&fault.Rules{}).Validate())
	bad := fault.Rules{
		SoftError: "status", Stale: `cached = true`, EmptyIsFailure: json.RawMessage(`7`), MinRows: -1, PageLimit: -2,
		NoMatchExit: []int{0}, ContentType: "json",
	}
	err := bad.Validate()
	for _, rule := range []string{"soft_error", "stale", "empty_is_failure", "min_rows", "page_limit", "no_match_exit", "content_type"} {
		require.ErrorContains(t, err, rule+":")
	}
	require.Error(t, bad.Compile())
}

func value(v any) fault.Signal {
	return fault.Signal{Effect: fault.Read, HasValue: true, Value: v}
}

func text(s string) fault.Signal {
	return fault.Signal{Effect: fault.Read, HasText: true, Text: s}
}
