package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

type invoiceQuery struct {
	Customer string `json:"customer"`
}

// A tool is a function with a name and an effect. Its result is a value for Go
// and a text for the model.
func Example() {
	kit := toolkit.New(toolkit.Config{})
	invoices := toolkit.Wrap(kit, toolkit.Tool[invoiceQuery, []string]{
		Name: "get_invoices", Effect: fault.Read, Timeout: 10 * time.Second,
		Call: func(_ context.Context, q invoiceQuery) ([]string, error) {
			switch q.Customer {
			case "ACME":
				return []string{"INV-1", "INV-2"}, nil
			case "Initech":
				return nil, nil
			}
			return nil, &fault.Fault{Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo, Status: 401}
		},
	})
	ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "invoice-question", Key: "ticket-4711"})
	if err != nil {
		panic(err)
	}
	defer run.End()

	for _, customer := range []string{"ACME", "Initech", "Globex", "Hooli"} {
		fmt.Println(invoices.Invoke(ctx, invoiceQuery{customer}))
	}
	// Output:
	// ["INV-1","INV-2"]
	// TOOL_NOTE: get_invoices worked. It found nothing: zero results. Do not make any up.
	// TOOL_FAILED: get_invoices returned 401 (auth) after 1 attempt. Do not guess. Tell the user this lookup failed.
	// TOOL_FAILED: get_invoices is out of order (tool_dead). Do not call it again in this task. Do not guess. Tell the user this lookup was not made.
}

// A loop that gets names and JSON from a model passes them on as they are.
func ExampleKit_Invoke() {
	kit := toolkit.New(toolkit.Config{})
	toolkit.Wrap(kit, toolkit.Tool[invoiceQuery, string]{
		Name: "get_invoices", Effect: fault.Read,
		Call: func(_ context.Context, q invoiceQuery) (string, error) { return "none for " + q.Customer, nil },
	})
	ctx, run, _ := kit.Start(context.Background(), runrecord.Task{})
	defer run.End()

	fmt.Println(kit.Invoke(ctx, "get_invoices", json.RawMessage(`{"customer":"ACME"}`)))
	fmt.Println(kit.Invoke(ctx, "get_invoices", json.RawMessage(`{"customer":7}`)).Outcome.Fault.Fields)
	fmt.Println(kit.Invoke(ctx, "fetch_invoices", nil).Twin().Nearest)
	// Output:
	// none for ACME
	// [{customer type string}]
	// [get_invoices]
}

// The calls of one model turn run side by side, and each gets its one result.
func ExampleKit_InvokeAll() {
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
	toolkit.Wrap(kit, toolkit.Tool[invoiceQuery, string]{
		Name: "get_invoices", Effect: fault.Read,
		Call: func(_ context.Context, q invoiceQuery) (string, error) {
			if q.Customer == "Globex" {
				panic("nobody expected that")
			}
			return "none for " + q.Customer, nil
		},
	})
	ctx, run, _ := kit.Start(context.Background(), runrecord.Task{Limits: runrecord.Limits{Calls: 10}})
	defer run.End()

	for _, res := range kit.InvokeAll(ctx, []toolkit.Request{
		{ID: "call_1", Name: "get_invoices", Args: json.RawMessage(`{"customer":"ACME"}`)},
		{ID: "call_2", Name: "get_invoices", Args: json.RawMessage(`{"customer":"Globex"}`)},
		{ID: "call_3", Name: "get_customers"},
	}) {
		fmt.Println(res.CallID(), res.Outcome.Kind, res.Outcome.Reason())
	}
	// Output:
	// call_1 ok none
	// call_2 failed panic
	// call_3 not_run unknown_tool
}

// Where one tool fails, another stands in, with arguments of its own.
func ExampleFallback() {
	type search struct {
		Folder, Pattern string
	}
	type folder struct{ Path string }
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
	files := toolkit.Wrap(kit, toolkit.Tool[search, []string]{
		Name: "search_files", Effect: fault.Read,
		Call: func(context.Context, search) ([]string, error) { return nil, errors.New("the index is broken") },
		Fallback: []toolkit.Fallback{{
			Tool: "list_directory",
			Adapt: func(args json.RawMessage) (json.RawMessage, error) {
				var s search
				if err := json.Unmarshal(args, &s); err != nil {
					return nil, err
				}
				return json.Marshal(folder{Path: s.Folder})
			},
		}},
	})
	toolkit.Wrap(kit, toolkit.Tool[folder, []string]{
		Name: "list_directory", Effect: fault.Read,
		Call: func(_ context.Context, f folder) ([]string, error) { return []string{f.Path + "/a.txt"}, nil },
	})
	ctx, run, _ := kit.Start(context.Background(), runrecord.Task{})
	defer run.End()

	res := files.Invoke(ctx, search{Folder: "/srv", Pattern: "a"})
	fmt.Println(res.Value, res.Outcome.Qualifiers, res.Outcome.FallbackOf)
	// Output:
	// [/srv/a.txt] fallback search_files
}

// Tools of one service share an upstream: they die together, and its hook renews
// their credential.
func ExampleUpstream() {
	token := "expired"
	crm := toolkit.NewUpstream(toolkit.UpstreamConfig{
		Name:        "crm",
		Refresh:     func(context.Context) error { token = "fresh"; return nil },
		Concurrency: 8,
	})
	kit := toolkit.New(toolkit.Config{})
	customer := toolkit.Wrap(kit, toolkit.Tool[invoiceQuery, string]{
		Name: "get_customer", Effect: fault.Read, Upstream: crm,
		Call: func(_ context.Context, q invoiceQuery) (string, error) {
			if token == "expired" {
				return "", &fault.Fault{Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo, Status: 401}
			}
			return q.Customer + " is a customer", nil
		},
	})
	ctx, run, _ := kit.Start(context.Background(), runrecord.Task{})
	defer run.End()

	res := customer.Invoke(ctx, invoiceQuery{"ACME"})
	fmt.Println(res, "after", res.Attempts, "attempts")
	// Output: ACME is a customer after 2 attempts
}

// A tool says that its result needs a word of caution in the place of its error.
func ExamplePartial() {
	kit := toolkit.New(toolkit.Config{})
	orders := toolkit.Wrap(kit, toolkit.Tool[invoiceQuery, []string]{
		Name: "get_orders", Effect: fault.Read,
		Call: func(context.Context, invoiceQuery) ([]string, error) {
			return []string{"O-1"}, toolkit.Partial(errors.New("the archive did not answer"))
		},
	})
	ctx, run, _ := kit.Start(context.Background(), runrecord.Task{})
	defer run.End()

	res := orders.Invoke(ctx, invoiceQuery{"ACME"})
	fmt.Println(res.Err(), res.Outcome.Qualifiers)
	// Output: <nil> partial
}
