package fault_test

import (
	"fmt"
	"net/http"

	"github.com/failloud/failloud/fault"
)

// A 200 is not a success until its body says so.
func ExampleClassifier_Classify() {
	var c fault.Classifier
	for _, body := range []string{
		`{"ok":true,"messages":[]}`,
		`{"ok":false,"error":"ratelimited"}`,
		`{"ok":false,"error":"invalid_auth"}`,
	} {
		o := c.Classify(&fault.Signal{
			Effect: fault.Read,
			HTTP:   &fault.Response{Status: http.StatusOK, Body: []byte(body)},
		})
		fmt.Println(o.Kind, o.Reason())
	}
	// Output:
	// ok none
	// failed rate_limit
	// failed auth
}

// The same error is worth another try for a read, and a question to a person
// for a write: the money may have moved.
func ExampleConclude() {
	var c fault.Classifier
	for _, effect := range []fault.Effect{fault.Read, fault.Write} {
		s := fault.Signal{Effect: effect, HTTP: &fault.Response{Status: http.StatusGatewayTimeout}}
		o := fault.Conclude(effect, c.Classify(&s), false, false)
		fmt.Println(effect, o.Kind, o.Fault.Shown(o.Kind), o.Fault.Action)
	}
	// Output:
	// read failed server_error retry
	// write unknown unknown_outcome escalate
}

// What only the owner of a tool can know is declared as data.
func ExampleRules() {
	rules := fault.Rules{SoftError: `state == "rejected"`, PageLimit: 2}
	if err := rules.Compile(); err != nil {
		fmt.Println(err)
		return
	}
	var c fault.Classifier
	for _, value := range []map[string]any{
		{"state": "rejected", "why": "permission denied"},
		{"state": "done", "items": []any{"a", "b"}},
	} {
		o := c.Classify(&fault.Signal{Effect: fault.Read, Rules: &rules, HasValue: true, Value: value})
		fmt.Println(o.Kind, o.Qualifiers, o.Reason())
	}
	fmt.Println((&fault.Rules{SoftError: "state = rejected"}).Validate())
	// Output:
	// failed  permission
	// ok truncated none
	// soft_error: condition "state = rejected": unknown operator, want ==, !=, contains, starts with or not empty
}

// An own detector is asked before the built-in ones.
func ExampleDetectorFunc() {
	maintenance := fault.DetectorFunc(func(s *fault.Signal) (fault.Outcome, bool) {
		if s.HTTP == nil || s.HTTP.Header.Get("X-Maintenance") == "" {
			return fault.Outcome{}, false
		}
		return fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{
			Reason: fault.ReasonOverloaded, Action: fault.Retry, Ran: fault.RanNo, Rule: "maintenance",
		}}, true
	})
	c := fault.Classifier{Detectors: []fault.Detector{maintenance}}
	o := c.Classify(&fault.Signal{HTTP: &fault.Response{Status: 200, Header: http.Header{"X-Maintenance": {"1"}}}})
	fmt.Println(o.Reason(), o.Fault.Action)
	// Output: overloaded retry
}
