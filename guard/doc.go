// Package guard decides whether an answer may leave.
//
// An agent whose tool has died keeps answering. The guard looks at what the
// run record holds, never at what the model believes, and lets a draft leave,
// adds a sentence to it, or replaces it by a text that code wrote:
//
//	answers := guard.New(guard.Require("get_invoices"))
//	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "invoice-question", Judge: answers})
//	...
//	verdict := answers.Final(ctx, draft) // verdict.Text may leave
//
// # The steps
//
//  1. Waiting: a case is open or a write is in doubt → [Escalate]. A required
//     call is pending, everything that was called is, or a call has not come back
//     that may be required or a write → [Defer].
//  2. Required: a [Requirement] is not met → [Refuse].
//  3. No evidence: calls were made and none succeeded → [Refuse]. A correct
//     empty result is a success. No call at all passes, unless [NeedsTools].
//  4. Failed and hidden: a call failed, was denied, never entered its tool, is
//     pending, of unknown outcome, partial, truncated or stale, was never made
//     good, and the draft does not say so → [Disclose]. That the run or one that
//     it started was ended early, or that look-ups are still running, has to be
//     told, too.
//
// The first step decides alone; of the others the strictest decision wins and
// every finding is kept. [OnStep] turns a step off or makes it milder or
// stricter; [Report] lets everything leave and only records.
//
// # Made good
//
// A later success makes a call good when it is about the same thing: of the
// same tool or a declared substitute, with the same arguments or the same
// values of the tool's identity fields. A success about something else does
// not. Three kinds of calls are about nothing yet, or were only put wrongly:
//
//   - A name that no tool has is made good by any later success.
//   - Arguments that never entered the tool are made good by any later success
//     of that tool.
//   - A correctable refusal of the form of a call (invalid arguments, too
//     large, a conflict; for a write also "not found" and a failure of unknown
//     cause) is made good by a later success of that tool.
//
// Where the tool declares identity fields the last two must be about the same
// identity, and where it has a business key never about another. Without either
// the next customer's success passes for the correction: declare Identity.
//
// Later means that it was asked for when the refusal was known, not beside it
// in the same batch, and two such calls of one batch need two successes.
//
// For a look-up "not found" and a failure of unknown cause, and always the exit
// code of a command, are answers about that very thing: only the same thing
// makes them good.
// So an agent that corrects a date format is not punished, and a customer that
// drops out of a list of look-ups is not overlooked. A write in doubt is made
// good only by its own tool or by its settlement, never by a substitute.
//
// # Does the draft say so?
//
// Step 4 looks for phrases of failure, age, incompleteness and so on in English
// and Vietnamese, with or without diacritics, clause by clause, in what a
// reader sees: not in thoughts, comments, code, quotations or struck text. A
// phrase counts for a call when what it is about, its subject or object, is
// the tool (the words of its name, or those of [Named]), one of the call's
// identity values, or nothing but look-ups and data ("some look-ups failed").
// A phrase about anything else is the subject matter of the answer ("the red
// shirt is unavailable", "I cannot process refunds"). Nor does a negated,
// conditional, asked, reported or overcome failure count, nor what somebody
// else could not do, nor more failures than the phrase says ("one look-up
// failed"). When in doubt the sentence is added: a needless one costs less than
// a hidden failure. Phrases in other languages are not recognised.
//
// # Loops
//
// The same tool with the same arguments and the same result three times
// ([LoopAfter]), also with others in between, ends the run. A changed result and
// a new success of a tool that writes start the count again, equal calls of one
// batch are one, declared pollers are exempt, invented names are counted together.
package guard
