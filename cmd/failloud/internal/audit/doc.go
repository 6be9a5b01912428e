// Package audit judges past runs: it replays a transcript as a run, classifies
// what every call returned, and asks the guard whether the answer should have
// left. Nothing of a transcript is executed or fetched.
//
//	auditor, err := audit.New(audit.Config{Require: []string{"get_invoices"}})
//	stats, err := auditor.Stream(ctx, file, transcript.Options{File: name}, func(row *audit.Row) error {
//		… row.Decision, row.Findings …
//	})
//
// A [Row] is what was found about one run. [Row.Timeline] tells what happened in
// it, step by step; rows hold on to their transcripts, so a receiver that keeps
// many copies what it wants.
package audit
