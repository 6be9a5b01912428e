// Package toolkit wraps the tools of an agent so that a tool that has died is
// noticed: by the code at once, by the model in one line, and by the record for
// good.
//
// A tool is any function of the form func(context.Context, In) (Out, error). It
// is put into a [Kit] by [Wrap] with a [Tool] that says what it does to the
// world, and it is called as part of a run:
//
//	kit := toolkit.New(toolkit.Config{Logger: logger})
//	invoices := toolkit.Wrap(kit, toolkit.Tool[Query, []Invoice]{
//		Name: "get_invoices", Effect: fault.Read, Timeout: 10 * time.Second, Call: api.Invoices,
//	})
//	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "invoice-question", Key: "ticket-4711"})
//	defer run.End()
//	res := invoices.Invoke(ctx, query) // res.Value for Go; res.String() for the model
//
// Loops that call tools by name use [Kit.Invoke] and [Kit.InvokeAll], with JSON
// arguments that are validated against a schema; an [net/http.Client] gets the
// same care from [Transport].
//
// # What happens to a call
//
// Its layers are built once a tool and always in this order:
//
//		Record(Halt(Fallback(Latch(Retry(Ledger(Breaker(Timeout(call))))))))
//
//	  - Record: every call ends in the run's record with exactly one outcome.
//	  - Halt: a run that has ended, is aborted or has used up a budget starts nothing.
//	  - Fallback: where the tool fails, its substitutes are tried, each with attempts
//	    and a key of its own; a write only where it did not happen.
//	  - Latch: a refused credential is renewed once by the [Upstream]'s hook; what then
//	    stays refused, and an empty account, is dead for the run and not asked again.
//	  - Retry: what [fault.Next] allows, with the wait that the service asked for or
//	    longer; a wait that does not fit is not slept. Retries draw on a [RetryBudget].
//	  - Ledger: an effect is never started twice without proof, across processes.
//	  - Breaker: an upstream that keeps failing is left alone for a while; its limits
//	    and the pause after a 429 hold for every goroutine.
//	  - Timeout: by the context, where the caller's deadline is not nearer. A result
//	    that arrived is kept, whatever the context says by then.
//
// # Reads and writes
//
// An effect that is not declared counts as a [fault.Write]: it is executed only
// under a key (a KeyOf, or the key of the task), repeated only where it cannot
// have happened, and where nobody can tell, looked up by Check or put before a
// person. Declaring [fault.Read] where it is true is the most useful line of a
// [Tool].
//
// # What a model sees
//
// Of a success its value, bounded by MaxResult, with a note where it is empty,
// [Partial], [Stale], [Truncated], replayed or from a substitute. Of everything
// else one line made from enumerations and the tool's name, in which no byte of
// the upstream's answer can appear.
//
// # What a judge and a policy see
//
// Where the judge of a run asks for evidence, each success leaves it the arguments
// and the text that the model may see, see [runrecord.Run.KeepEvidence]; with
// Config.Capture the sinks get payloads, too. Config.Declare lets a policy say what
// a tool is, in the place of the code that wraps it.
//
// # What it costs
//
// A success costs one allocation and no lock that runs share. No log line is
// written for it, and a timeout makes a timer only for a function that listens
// to its context.
package toolkit
