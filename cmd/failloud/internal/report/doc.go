// Package report shows what an audit found to people. A [Summary] counts every
// row, a [Worst] keeps a bounded number of the worst ones, and a [Report] of
// both is written as a table for a terminal or as one HTML file:
//
//	worst := report.NewWorst(report.WorstConfig{Keep: 10})
//	var sum report.Summary
//	… for each row: sum.Add(row); worst.Add(row)
//	err := (&report.Report{Summary: &sum, Worst: worst, Views: views}).Table(os.Stdout, report.Style{})
//
// Memory does not grow with the number of rows. Every text of a transcript is
// cleaned on its way out, by the functions in clean.go: what looks like a
// credential is hidden, and nothing of it reaches a terminal as a command.
package report
