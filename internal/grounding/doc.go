// Package grounding says which figures, dates and identifiers of an answer are
// supported by the evidence of a run: the results of its calls that succeeded,
// what the user said, what is declared to be known.
//
// An [Index] takes the evidence; [Index.Check] judges a draft, one [Result] for
// each checkable piece of it:
//
//	var x grounding.Index
//	x.Add(grounding.Source{Call: 1, Tool: "list_invoices"}, result)
//	x.Add(grounding.Source{Kind: grounding.Heard}, question)
//	for _, r := range x.Check(draft, time.Now()) {
//		if r.Verdict.Finding() {
//			// draft[r.Start:r.End] has no source; r.Nearest comes closest
//		}
//	}
//
// # What supports a figure
//
// A number supports another when the digits of the draft can stand for it: half
// a unit of the last written digit is rounding. Percentages and ratios, cents
// and amounts, units of one dimension, magnitudes with and without a sign are
// compared with each other; two currencies that are both stated must be one.
// JSON is recognised by itself, also behind a few words, in lines and inside of
// a JSON string, and what a key says of a unit ("latency_ms") counts.
//
// What is not there as it stands may follow ([Derived]): the length of a list,
// the rows with one value, the sum or the mean of a field or a column, the sum,
// difference, ratio or change of two figures of one object, one field or one
// short evidence, a bill of quantities and prices, the total or the balance of
// the draft's own figures; then what natural answers compute from one row, the sums
// of one table, one result and the question: a price for each square metre, a share,
// an amount at a rate, the time between two. Tables in a plain text are rows, as
// those of JSON are. Every pair that is tried makes more numbers reachable by chance,
// so a match counts only where their number is small against the precision of the
// written digits. Where it is not, a figure that its words give as computed
// ("about", "each", "in total", any percentage) is [Unchecked], unless it is the
// figure of a row with digits swapped.
//
// Dates agree in any form, with a day of difference where a zone is written.
// Identifiers and addresses agree in any case and grouping, or not at all.
//
// # What is no finding
//
// Numbers below 10, and those below 100 that count nothing, where the evidence
// does not speak of such a thing; the year of the run, what the user said, program
// text: [Exempt]. Where a part of the evidence is missing, what is not found and
// of a kind with what is left of that text is [Unchecked]. No evidence at all is
// never a pass: then every other figure is [Unsupported].
//
// # What it cannot see
//
// The right digits of another entity, a wrong name, a negation in other words
// than "is not available" beside a flag of that name, wrong small numbers in
// prose, and figures that a tool repeats because the model gave it them.
package grounding
