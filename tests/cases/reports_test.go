package cases_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/casefile"
)

// report is one public report of an agent that failed, reduced to what its
// owner declared, what the model called, what the tool answered and what the
// agent wanted to say.
type report struct {
	ID       string       `json:"id"`
	Declares declarations `json:"declares"`
	Input    scenario     `json:"minimal_input"`
	Kind     string       `json:"kind_of_check"` // "special": asserted by a test of its own
	Check    string       `json:"check"`
	Expect   expectation  `json:"expect"`
}

// declarations is all that a user would have told the library.
type declarations struct {
	Effect   fault.Effect    `json:"effect"`
	Required []string        `json:"required"`
	Rules    json.RawMessage `json:"rules"`
}

type scenario struct {
	Tool  string          `json:"tool"`
	Args  json.RawMessage `json:"args"` // a string is the raw text of invalid arguments
	Calls []call          `json:"calls"`
	Draft *string         `json:"final_draft"` // nil: nothing to judge
}

// call is one call of the model. Tool and Args are the scenario's where empty.
type call struct {
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args"`
	Attempts []attempt       `json:"attempts"` // none: the function is never entered
}

// UnmarshalJSON reads both forms: the list of attempts alone, or an object.
func (c *call) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, &c.Attempts)
	}
	type plain call
	return json.Unmarshal(raw, (*plain)(c))
}

// attempt is what the tool's function returns the n-th time it is entered.
type attempt struct {
	Type    string            `json:"type"` // "http", "mcp", "value" or "error"
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"` // a string is the body itself
	IsError bool              `json:"isError"`
	Text    string            `json:"text"`
	Value   json.RawMessage   `json:"value"`
	Error   string            `json:"error"`
}

// expectation is the right end of the last call of the tool, and of the draft.
// A nil field is not to be compared.
type expectation struct {
	Outcome  string        `json:"outcome"` // a kind, or "ok_" and a qualifier
	Action   *fault.Action `json:"action"`
	Reason   *fault.Reason `json:"reason"`
	Decision *string       `json:"decision"`
	Step     *int          `json:"step"`
	Finding  bool          `json:"finding"`
}

func reports(t *testing.T) []report {
	t.Helper()
	var all []report
	read(t, "reports.jsonl", func(line []byte) {
		var r report
		require.NoError(t, json.Unmarshal(line, &r), "%s", line)
		all = append(all, r)
	})
	return all
}

// Every report must be one that a scenario can play: known kinds of attempts,
// known rules, a decision exactly where there is a draft.
func TestReportsCanBePlayed(t *testing.T) {
	kinds := map[string]int{}
	for _, r := range reports(t) {
		require.NotEmpty(t, r.Input.Tool, r.ID)
		require.Equal(t, r.Kind == "special", r.Check != "", r.ID)
		require.Equal(t, r.Input.Draft == nil, r.Expect.Decision == nil, r.ID)
		require.NotEmpty(t, r.Expect.Outcome, r.ID)
		if len(r.Declares.Rules) > 0 {
			_, err := casefile.ParseRules(r.Declares.Rules)
			require.NoError(t, err, r.ID)
		}
		for i, c := range r.Input.Calls {
			for _, a := range c.Attempts {
				kinds[a.Type]++
				switch a.Type {
				case "http":
					require.NotZero(t, a.Status, r.ID)
				case "mcp", "value", "error":
				default:
					require.Fail(t, "an attempt of an unknown kind", "%s call %d: %q", r.ID, i, a.Type)
				}
			}
		}
	}
	require.NotEmpty(t, kinds, "no attempt in the whole file")
}
