package guard_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

type anyCall struct {
	tool, args int
	ok         bool
}

func drawCalls(t *rapid.T) []anyCall {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) anyCall {
		return anyCall{rapid.IntRange(0, 1).Draw(t, "tool"), rapid.IntRange(1, 3).Draw(t, "args"), rapid.Bool().Draw(t, "ok")}
	}), 0, 12).Draw(t, "calls")
}

func play(t *rapid.T, g *guard.Guard, calls []anyCall) guard.Verdict {
	tools := []*runrecord.ToolInfo{{Name: "get_invoices", Effect: fault.Read}, {Name: "get_shipping", Effect: fault.Read}}
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "q", Judge: g}, tools)
	if err != nil {
		t.Fatal(err)
	}
	defer run.End()
	for i, c := range calls {
		call := runrecord.Call{Tool: tools[c.tool], ArgsHash: uint64(c.args), ResultHash: uint64(i + 1), Kind: fault.KindOK}
		if !c.ok {
			call.Kind, call.Reason = fault.KindFailed, fault.ReasonServerError
		}
		run.Finish(call)
	}
	return g.Final(ctx, "Everything is paid and on its way.")
}

// The plain requirement, said again without any index: called, and each
// failure followed by a success about the same thing.
func TestRequireMeansWhatItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := drawCalls(t)
		met := false
		for _, c := range calls {
			met = met || c.tool == 0 && c.ok
		}
		for i, c := range calls {
			good := c.ok
			for _, later := range calls[i+1:] {
				good = good || later.ok && later.tool == c.tool && later.args == c.args
			}
			met = met && (good || c.tool != 0)
		}
		v := play(t, guard.New(guard.Require("get_invoices"), guard.LoopAfter(0)), calls)
		if got := v.Decision != guard.Refuse; got != met {
			t.Fatalf("met %v, decided %v: %v", met, v.Decision, v.Findings)
		}
	})
}

// Whatever else is set, a draft that hides a failure never leaves unchanged,
// and the set of failures it is told about is the set that was never made good.
func TestNoFailureStaysHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := drawCalls(t)
		hidden := map[string]bool{}
		anyOK := len(calls) == 0
		for i, c := range calls {
			good := c.ok
			anyOK = anyOK || c.ok
			for _, later := range calls[i+1:] {
				good = good || later.ok && later.tool == c.tool && later.args == c.args
			}
			if !good {
				hidden[fmt.Sprint(i+1)] = true
			}
		}
		v := play(t, guard.New(guard.LoopAfter(0)), calls)
		told := map[string]bool{}
		for _, f := range v.Findings {
			if f.Step == guard.StepHidden {
				told[fmt.Sprint(f.Call)] = true
			}
		}
		if fmt.Sprint(told) != fmt.Sprint(hidden) {
			t.Fatalf("hidden %v, told %v", hidden, told)
		}
		want := guard.Answer
		if len(hidden) > 0 {
			want = guard.Disclose
		}
		if !anyOK {
			want = guard.Refuse
		}
		if v.Decision != want {
			t.Fatalf("want %v, decided %v: %v", want, v.Decision, v.Findings)
		}
	})
}
