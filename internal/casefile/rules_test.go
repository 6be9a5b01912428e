package casefile_test

import (
	"encoding/json"
	"testing"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/casefile"
)

// FuzzParseRules: rules are data that the owner of a tool writes. They are read
// or refused, and what was read judges any result and is read again the same.
func FuzzParseRules(f *testing.F) {
	for _, seed := range []string{
		`{"soft_error":"status == \"error\"","min_rows":1}`, `{"empty_is_failure":true}`, `{"empty_is_failure":"data.rows"}`,
		`{"empty_is_failure":[1]}`, `{"empty_is_failure":"a..b"}`, `{"truncated":"has_more == true","page_limit":100}`,
		`{"partial":"results[].state contains \"x\"","no_match_exit":[1,2],"not_found_is_empty":true}`, `{"content_type":"application/json"}`,
	} {
		f.Add([]byte(seed), []byte(`{"status":"error","data":{"rows":[]},"results":[{"state":"x"}],"has_more":true}`))
	}
	var classifier fault.Classifier
	f.Fuzz(func(t *testing.T, raw, body []byte) {
		rules, err := casefile.ParseRules(raw)
		if err != nil {
			return
		}
		judge := func(rules *fault.Rules) fault.Outcome {
			return classifier.Classify(&fault.Signal{
				Effect: fault.Read, Rules: rules, HTTP: &fault.Response{Status: 200, Body: body},
			})
		}
		first := judge(rules)
		if first.Kind == fault.KindNone {
			t.Fatalf("%s under %s has no outcome", body, raw)
		}
		written, err := json.Marshal(rules)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		again, err := casefile.ParseRules(written)
		if err != nil {
			t.Fatalf("%s was written as %s: %v", raw, written, err)
		}
		if second := judge(again); second.Kind != first.Kind || second.Reason() != first.Reason() || second.Qualifiers != first.Qualifiers {
			t.Fatalf("%s under %s: %v, under %s: %v", body, raw, first, written, second)
		}
	})
}
