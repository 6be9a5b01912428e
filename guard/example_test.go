package guard_test

import (
	"context"
	"fmt"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// A credential expires between the second and the third look-up. Toolkit makes
// the record in a real program; here it is written by hand.
func Example() {
	invoices := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read}
	answers := guard.New(guard.Require("get_invoices"))

	recorder, err := runrecord.NewRecorder(runrecord.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	task := runrecord.Task{Name: "invoice-question", Key: "ticket-4711", Judge: answers}
	ctx, run, err := recorder.Start(context.Background(), task, []*runrecord.ToolInfo{invoices})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.End()

	run.Finish(runrecord.Call{Tool: invoices, ArgsHash: 1, Kind: fault.KindOK})
	run.Finish(runrecord.Call{Tool: invoices, ArgsHash: 2, Kind: fault.KindOK})
	run.Finish(runrecord.Call{Tool: invoices, ArgsHash: 3, Kind: fault.KindFailed, Reason: fault.ReasonAuth, Status: 401})
	run.Finish(runrecord.Call{Tool: invoices, ArgsHash: 4, Kind: fault.KindNotRun, Reason: fault.ReasonToolDead})

	verdict := answers.Final(ctx, "All four customers have paid their invoices.")
	fmt.Println(verdict.Decision)
	fmt.Println(verdict.Text)
	// Output:
	// refuse
	// I could not get all the data needed to answer this, so I am not going to guess. What went wrong: the lookup "get invoices" failed (2 of 4 calls; the service did not accept the access credentials). Trying again will not help until the people who run this assistant have repaired it; please tell them.
}

// What failed may be left out of an answer only if the answer says so.
func ExampleGuard_Final() {
	weather := &runrecord.ToolInfo{Name: "get_weather", Effect: fault.Read}
	answers := guard.New()
	recorder, _ := runrecord.NewRecorder(runrecord.Config{})
	ctx, run, _ := recorder.Start(context.Background(), runrecord.Task{Name: "trip", Judge: answers}, []*runrecord.ToolInfo{weather})
	defer run.End()
	run.Finish(runrecord.Call{Tool: weather, ArgsHash: 1, Kind: fault.KindOK})
	run.Finish(runrecord.Call{Tool: weather, ArgsHash: 2, Kind: fault.KindFailed, Reason: fault.ReasonTimeout})

	fmt.Println(answers.Final(ctx, "Hanoi is sunny. The weather of Huế could not be retrieved.").Text)
	fmt.Println("--")
	fmt.Println(answers.Final(ctx, "Hanoi and Huế are sunny.").Text)
	// Output:
	// Hanoi is sunny. The weather of Huế could not be retrieved.
	// --
	// Hanoi and Huế are sunny.
	//
	// Note: the lookup "get weather" failed (1 of 2 calls; no answer in time), so please do not rely on that part of this answer.
}

// Requirements read as what they ask for and can be combined.
func ExampleRequire() {
	g := guard.New(
		guard.Require("get_invoices").ForEach("customer", "Acme", "Globex"),
		guard.RequireAny("search_web", "search_news").AtLeastOnce(),
		guard.Require("get_rate").Fresh(time.Hour).NotDegraded(),
	)
	recorder, _ := runrecord.NewRecorder(runrecord.Config{})
	_, _, err := recorder.Start(context.Background(), runrecord.Task{Name: "report", Judge: g}, []*runrecord.ToolInfo{
		{Name: "get_invoices"}, {Name: "search_web"}, {Name: "search_news"}, {Name: "get_rates"},
	})
	fmt.Println(err)
	// Output:
	// guard: required tool "get_rate" is not bound; did you mean get_rates?
}
