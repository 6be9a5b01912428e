package main

import (
	"os"

	"github.com/mattn/go-isatty"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/runrecord"
)

// auditOutput is where the rows of an audit go.
type auditOutput struct {
	format  string
	top     int
	clean   report.Cleaner
	summary report.Summary
	worst   *report.Worst
	views   *runrecord.Views
	lines   *printer // of the format json
}

func newAuditOutput(cmd *auditCmd) (*auditOutput, error) {
	views, err := runrecord.NewViews(runrecord.ViewsConfig{})
	if err != nil {
		return nil, err
	}
	o := &auditOutput{format: cmd.Format, top: cmd.Top, clean: report.Cleaner{Bare: cmd.ShowSecrets}, views: views}
	switch cmd.Format {
	case "json":
		o.lines = newPrinter(os.Stdout)
	case "html":
		o.worst = report.NewWorst(report.WorstConfig{Keep: cmd.HTMLMax, Whole: true, Cleaner: o.clean})
	default:
		o.worst = report.NewWorst(report.WorstConfig{Keep: cmd.Top, Cleaner: o.clean})
	}
	return o, nil
}

// row takes one row. A line of JSON is written at once: the input may go on for
// as long as an agent runs.
func (o *auditOutput) row(row *audit.Row) error {
	o.summary.Add(row)
	if o.lines == nil {
		o.worst.Add(row)
		return nil
	}
	o.clean.Row(row)
	if err := o.lines.print(row); err != nil {
		return err
	}
	return o.lines.flush()
}

// end writes what is shown of all rows together.
func (o *auditOutput) end(in report.Input) error {
	r := &report.Report{Summary: &o.summary, Worst: o.worst, Views: o.views, Input: in, Top: o.top}
	switch o.format {
	case "table":
		return r.Table(os.Stdout, report.Style{Colour: wantsColour(os.Stdout)})
	case "html":
		return r.HTML(os.Stdout)
	}
	return nil
}

// isTerminal reports whether a person is at the other end of the file.
func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()) }

// wantsColour follows no-color.org.
func wantsColour(f *os.File) bool {
	return isTerminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
