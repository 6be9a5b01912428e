package audit

import (
	"slices"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// classify says how a call ended. The source's own flag is a hint in one
// direction only: a result that it calls an error is one, and one that it does
// not may be.
func classify(t *tool, args string, e *transcript.Event) fault.Outcome {
	if o := e.Outcome; o != nil {
		return recorded(o)
	}
	s := &fault.Signal{Effect: fault.Read, Rules: t.rules} // nothing of it will be repeated
	if effect := t.info.Effect; effect.Writes() && effect != fault.Undeclared {
		s.Effect = effect
	}
	code, output, ended := exitOf(e)
	if ended && code == 1 && executes(t.info.Name) {
		if o, found := compared(args, output); found {
			return o
		}
	}
	switch declared := t.rules != nil && slices.Contains(t.rules.NoMatchExit, code); {
	case e.ExitCode != nil, ended && declared:
		s.Exit = &fault.Exit{Code: code, Killed: code < 0, Output: []byte(output)}
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
