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
//  3. No evidence: calls were made and none succeeded → [Refuse], unless the draft
//     states nothing but that, or asks, offers, instructs or declines. A correct
//     empty result is a success. No call at all passes, unless [NeedsTools].
//  4. Failed and hidden: a call failed, was denied, never entered its tool, is
//     pending, of unknown outcome, partial, truncated or stale, was never made
//     good, and the draft does not say so → [Disclose]. That the run was ended
//     early, or that look-ups are still running, has to be told, too, and that a
//     result says of itself that it was cut, where the draft speaks for the whole.
//  5. Claimed and not done: the draft says that something was sent, paid, booked,
//     deleted, and no call that could have done it succeeded → [Refuse].
//  6. Figures, dates and identifiers that no evidence of the run supports, also
//     where the draft calls them the model's own knowledge, and attempts and
//     failures that the record does not have: reported.
//
// The first step decides alone; of the others the strictest decision wins and
// every finding is kept, with the call and the bytes of the draft it is about.
// [OnStep] turns a step off or makes it milder or stricter; [Report] lets
// everything leave and only records.
//
// # Made good
//
// A later success makes a call good when it is about the same thing: of the
// same tool or a declared substitute, with the same arguments or the same
// values of the tool's identity fields. A sibling's success does not. A name
// that no tool has, arguments that never entered the tool, and a refusal of the
// form of a call (for a write also "not found" and a failure of unknown cause)
// are corrected by a later success of the tool that was asked for when the
// refusal was known; where the tool declares identity fields or a business key,
// only by one about the same. Without either the next customer's success passes
// for the correction: declare Identity. The exit code of a command is an answer
// about that very command, and a write in doubt is settled by nothing else.
//
// # Reading the draft
//
// Steps 4 to 6 read English and Vietnamese, with or without diacritics, clause
// by clause, in what a reader sees: not in thoughts, comments, code, quotations
// or struck text. A statement that is negated, conditional, asked, planned,
// reported or somebody else's is none. The words are data, one file a language;
// how a language is added stands at [tongue] for deeds and at [lexicon] for
// admissions. When in doubt step 4 adds its sentence, since a needless one costs
// less than a hidden failure, and steps 5 and 6 stay silent, since a needless
// refusal costs more than it saves.
//
// What a tool can have done is what its ToolInfo.Claims says, else what its name
// and effect tell; a tool that runs what it is told to may have done anything but
// what its command failed at, and nothing where its commands only look.
// That something "was cancelled" may also be what a look-up or the user said;
// "I have cancelled it" may not. "I've created a summary" is about the text and
// claims nothing. Not seen are a right figure in the wrong place and a deed done
// to another than was said, unless the identity is kept and contradicts it.
//
// # Loops
//
// The same tool with the same arguments and the same result three times
// ([LoopAfter]), also with others in between, ends the run. A changed result and
// a new success of a tool that writes start the count again, equal calls of one
// batch are one, declared pollers are exempt, invented names are counted together.
package guard
