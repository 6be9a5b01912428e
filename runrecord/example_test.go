package runrecord_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// A run is recorded as lines of JSON and read back as a view. The toolkit
// admits and finishes the calls; it is done by hand here.
func Example() {
	var file bytes.Buffer // or runrecord.OpenJSONLines("runs.jsonl")
	rec, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewJSONLines(&file)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	invoices := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read}

	_, run, err := rec.Start(context.Background(), runrecord.Task{Name: "invoice-question"}, []*runrecord.ToolInfo{invoices})
	defer run.End()
	if err != nil {
		fmt.Println(err)
		return
	}
	first, err := run.Admit(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	run.Finish(runrecord.Call{
		Seq: first, Tool: invoices, Kind: fault.KindFailed,
		Reason: fault.ReasonAuth, Action: fault.FailFast, Status: 401, Attempts: 1,
	})
	run.Judged(runrecord.Judgment{Decision: "refuse", State: runrecord.Refused})
	run.End()

	views, err := runrecord.NewViews(runrecord.ViewsConfig{Filter: runrecord.Filter{Task: "invoice-question"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	skipped, err := views.Read(runrecord.ReadJSONLines(&file))
	fmt.Println("skipped:", skipped, err)
	fmt.Print(views.Runs())
	worst := views.Failures(1).Rows[0]
	fmt.Println(worst.Tool, worst.Status, worst.Reason)
	// Output:
	// skipped: 0 <nil>
	// runs ended                   1
	// without one successful call  1 (100.0 %)
	// of these, calls were made    1
	// still open                   0
	// get_invoices 401 auth
}

// A reader of a record decides what to do about lines that cannot be used.
func ExampleReadJSONLines() {
	file := bytes.NewBufferString(`{"schema":1,"type":"run_ended","run_id":"r1","state":"refused"}
{"schema":1,"type":"run_en`)
	for event, err := range runrecord.ReadJSONLines(file) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(event.Run, event.State)
	}
	// Output:
	// r1 refused
	// runrecord: line 2: the line ends too early
}

func ExampleRedactSecrets() {
	fmt.Println(runrecord.RedactSecrets(`401 for https://bob:hunter2@api.example.com/?api_key=abc123&page=2`))
	// Output: 401 for https://[REDACTED]@api.example.com/?api_key=[REDACTED]&page=2
}
