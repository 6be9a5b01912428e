package audit

import (
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// classify says how a call ended. The source's own flag is a hint in one
// direction only: a result that it calls an error is one, and one that it does
// not may be.
func classify(tool *runrecord.ToolInfo, rules *fault.Rules, e *transcript.Event) fault.Outcome {
	if o := e.Outcome; o != nil {
		return recorded(o)
	}
	s := &fault.Signal{Effect: fault.Read, Rules: rules} // nothing of it will be repeated
	if tool.Effect.Writes() && tool.Effect != fault.Undeclared {
		s.Effect = tool.Effect
	}
	switch {
	case e.ExitCode != nil:
		s.Exit = &fault.Exit{Code: *e.ExitCode, Killed: *e.ExitCode < 0, Output: []byte(e.Text)}
	default:
		s.MCP = &fault.MCP{IsError: e.IsError != nil && *e.IsError, Text: e.Text}
	}
	var c fault.Classifier
	return c.Classify(s)
}

// recorded is the outcome of a call that was classified when it ended.
func recorded(e *runrecord.Event) fault.Outcome {
	o := fault.Outcome{Kind: e.Outcome, Qualifiers: e.Qualifiers, FallbackOf: e.FallbackOf, Case: e.Case, Age: e.Age}
	if e.Reason != fault.ReasonNone || !o.OK() && o.Kind != fault.KindPending {
		o.Fault = &fault.Fault{
			Reason: e.Reason, Action: e.Action, Ran: e.Ran, Status: e.Status, Wait: e.Wait,
			Code: e.Code, Rule: e.Rule, Correctable: e.Correctable,
		}
	}
	return o
}
