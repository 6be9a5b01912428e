package casefile

import "github.com/failloud/failloud/fault"

// Verdict is what the library makes of one case, in the form that
// "failloud classify" prints.
type Verdict struct {
	ID         string       `json:"id"`
	Outcome    fault.Kind   `json:"outcome"`
	Qualifiers string       `json:"qualifiers,omitempty"` // "empty", "partial,stale", …
	IsFailure  bool         `json:"is_failure"`
	Reason     fault.Reason `json:"reason"` // as shown: unknown_outcome where an effect is in doubt
	Action     fault.Action `json:"action"` // after the effect of the tool is taken into account
	Ran        fault.Ran    `json:"ran"`
	RetryAfter *float64     `json:"retry_after_s"` // what the service asked for, null where it did not say
	Rule       string       `json:"rule"`          // the detector or rule that decided
	Line       string       `json:"line"`          // what the model would see; "" for a plain success
}

// Decide classifies one case as the library would after a single attempt of a
// tool that has no Check.
func Decide(classifier *fault.Classifier, c Case) Verdict {
	effect := c.Signal.Effect
	o := fault.Conclude(effect, classifier.Classify(c.Signal), c.Signal.Keyed, false)
	tool := c.Tool
	if tool == "" {
		tool = "tool"
	}
	v := Verdict{
		ID:         c.ID,
		Outcome:    o.Kind,
		Qualifiers: o.Qualifiers.String(),
		IsFailure:  o.Failure(),
		Line: fault.Line(fault.LineInput{
			Tool: tool, Effect: effect, Outcome: o, Attempts: 1, Printed: c.Signal.Exit != nil,
		}),
	}
	switch f := o.Fault; {
	case f != nil:
		v.Reason, v.Action, v.Ran, v.Rule = f.Shown(o.Kind), f.Action, f.Ran, f.Rule
		if f.Wait > 0 {
			seconds := f.Wait.Seconds()
			v.RetryAfter = &seconds
		}
	case o.OK():
		v.Ran = fault.RanYes
	}
	return v
}
