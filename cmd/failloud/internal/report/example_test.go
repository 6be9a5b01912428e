package report_test

import (
	"context"
	"os"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

func Example() {
	auditor, err := audit.New(audit.Config{})
	if err != nil {
		panic(err)
	}
	runs := `{"id":"a","events":[{"type":"call","id":"1","tool":"get_rate","args":{}},` +
		`{"type":"result","id":"1","content":"{\"error\":\"upstream timeout\"}","is_error":true}],"final":"The rate is fine."}`
	var sum report.Summary
	worst := report.NewWorst(report.WorstConfig{})
	_, err = auditor.Stream(context.Background(), strings.NewReader(runs), transcript.Options{File: "runs.jsonl"}, func(row *audit.Row) error {
		sum.Add(row)
		worst.Add(row)
		return nil
	})
	if err != nil {
		panic(err)
	}
	if err := (&report.Report{Summary: &sum, Worst: worst}).Table(os.Stdout, report.Style{}); err != nil {
		panic(err)
	}
	// Output:
	// 1 run, 1 answer: 1 stood on a dead tool, 0 hid a failed call, 0 claimed an
	// action that never happened, none was clean.
	//
	// 1 answer to look at
	//   refuse    a
	//             the only call failed
	//             it says “The rate is fine.”
	//             runs.jsonl:1  (and 1 more finding)
	//
	// A whole run, step by step: failloud explain ID FILE
}
