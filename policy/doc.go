// Package policy reads failloud.yaml: what the tools of an agent do, what its
// tasks require, and what guards do about it, in one file that the library, the
// command and an editor read alike.
//
//	rules, err := policy.Load("failloud.yaml")
//	if err != nil {
//		return err // every problem, with file, line and column
//	}
//	kit := toolkit.New(rules.Kit(toolkit.Config{Logger: logger}))
//	invoices := toolkit.Wrap(kit, toolkit.Tool[Query, []Invoice]{Name: "get_invoices", Call: api.Invoices})
//	if err := rules.Check(kit); err != nil {
//		return err // tools that the file names and the kit does not have, or cannot use
//	}
//
//	task := rules.Task("invoice-question", "ticket-4711")
//	task.Question = question // what the user wrote
//	ctx, run, err := kit.Start(ctx, task)
//	defer run.End()
//	...
//	verdict := rules.Guard("invoice-question").Final(ctx, draft)
//
// # What a file says
//
// Its keys are the names of the Go settings in snake case:
//
//	version: 1
//	tools:
//	  get_invoices: {effect: read, upstream: billing, identity: [customer], rules: {min_rows: 1}}
//	  "github/*": {effect: read}
//	upstreams:
//	  billing: {rate: 10/s, concurrency: 4}
//	tasks:
//	  invoice-question: {require: [get_invoices], limits: {calls: 50}}
//
// What is not said keeps the default, or what the code says; what is said holds
// over the code. An empty file is valid. Nothing is taken from the environment,
// no other file is included.
//
// # Tools by pattern
//
// A * in a name under tools stands for any characters. A tool has the settings
// of its own name; where there are none, those of the pattern with the most
// characters besides *, of equal ones that which stands first. The settings of two
// names are not mixed, and [Policy.Check] refuses a tool that equal ones match.
//
// # Code over the file
//
// What only code can say is said at the load: [Refresh] is the hook of an upstream,
// [Extend] gives a guard options. So [Policy.Guard] is one guard for each task,
// however often it is asked for.
//
// # Errors
//
// A file is right or it is refused: a key that nobody knows is an error, with
// the key that may have been meant. All problems are told together, the first
// twenty of them as [Problem] values of a [FileError].
//
// # For editors
//
// [Schema] is the JSON Schema of the format. With it an editor completes keys,
// explains them and marks what is wrong.
package policy
