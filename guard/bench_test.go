package guard_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// A run of 50 calls and a draft of 2 KB, the size of a long chat answer.
func BenchmarkFinal(b *testing.B) {
	draft := strings.Repeat("The customer has three open invoices and the last one is due on Friday, which is fine. ", 24)
	for name, failures := range map[string]int{"clean": 0, "five hidden": 5, "half hidden": 25} {
		b.Run(name, func(b *testing.B) {
			g := guard.New(guard.Require("tool0").AtLeastOnce())
			var tools []*runrecord.ToolInfo
			for i := range 10 {
				tools = append(tools, &runrecord.ToolInfo{Name: "tool" + strconv.Itoa(i), Effect: fault.Read})
			}
			rec, _ := runrecord.NewRecorder(runrecord.Config{})
			_, run, err := rec.Start(context.Background(), runrecord.Task{Name: "q", Judge: g}, tools)
			if err != nil {
				b.Fatal(err)
			}
			defer run.End()
			for i := range 50 {
				c := runrecord.Call{Tool: tools[i%10], ArgsHash: uint64(i + 1), ResultHash: uint64(i + 1), Kind: fault.KindOK}
				if i < failures {
					c.Kind, c.Reason = fault.KindFailed, fault.ReasonTimeout
				}
				run.Finish(c)
			}
			b.ReportAllocs()
			for b.Loop() {
				g.FinalRun(run, draft)
			}
		})
	}
}

// Claims in every sentence of a 2 KB draft, more than any answer has.
func BenchmarkClaims(b *testing.B) {
	for name, draft := range map[string]string{
		"none":  strings.Repeat("The customer has three open invoices and the last one is due on Friday, which is fine. ", 24),
		"every": strings.Repeat("I have sent the email to the customer, and the last one is due on Friday, which is fine. ", 24),
	} {
		b.Run(name, func(b *testing.B) {
			g := guard.New(guard.OnStep(guard.StepSources, guard.PolicyOff))
			rec, _ := runrecord.NewRecorder(runrecord.Config{})
			tools := []*runrecord.ToolInfo{{Name: "send_email", Effect: fault.Write}, {Name: "get_order", Effect: fault.Read}}
			_, run, err := rec.Start(context.Background(), runrecord.Task{Name: "q", Judge: g}, tools)
			if err != nil {
				b.Fatal(err)
			}
			defer run.End()
			run.Finish(runrecord.Call{Tool: tools[0], ArgsHash: 1, Kind: fault.KindOK})
			b.ReportAllocs()
			for b.Loop() {
				g.FinalRun(run, draft)
			}
		})
	}
}
