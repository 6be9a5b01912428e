package policy_test

import (
	"context"
	"fmt"

	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/toolkit"
)

// The code says what a tool is called and does; the file says everything else.
func Example() {
	rules, err := policy.Parse("failloud.yaml", []byte(`
tools:
  get_invoices: {effect: read, rules: {empty_is_failure: true}}
tasks:
  invoice-question: {require: [get_invoices]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	kit := toolkit.New(rules.Kit(toolkit.Config{}))
	invoices := toolkit.Wrap(kit, toolkit.Tool[query, []string]{
		Name: "get_invoices",
		Call: func(context.Context, query) ([]string, error) { return nil, nil },
	})

	ctx, run, err := kit.Start(context.Background(), rules.Task("invoice-question", "ticket-4711"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.End()
	fmt.Println(invoices.Invoke(ctx, query{Customer: "Acme"}).Outcome.Kind)
	fmt.Println(rules.Guard("invoice-question").Final(ctx, "Acme owes nothing.").Decision)
	// Output:
	// failed
	// refuse
}

func ExampleParse_errors() {
	_, err := policy.Parse("failloud.yaml", []byte(`
tools:
  get_invoices: {efect: read, timeout: 10}
tasks:
  invoice-question:
    requires: [get_invoices]
`))
	fmt.Println(err)
	// Output:
	// failloud.yaml:3:18: unknown key "efect" in tool "get_invoices", did you mean "effect"?
	// failloud.yaml:3:40: timeout of tool "get_invoices": "10" is no duration, write 10s, 1m30s or 2h
	// failloud.yaml:6:5: unknown key "requires" in task "invoice-question", did you mean "require"?
}
