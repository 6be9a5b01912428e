package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// never is the --fail-on of an audit that nothing depends on.
const never = "never"

// auditing is one run of the command.
type auditing struct {
	auditor    *audit.Auditor
	out        *auditOutput
	since      time.Time
	progress   *progress
	complaints *complaints
	input      report.Input
}

// all audits the inputs one after the other. Its error is one of the output;
// what is wrong with an input is reported, and the others are still read.
func (a *auditing) all(ctx context.Context, inputs *inputs) error {
	defer a.progress.clear()
	for _, bad := range inputs.bad {
		a.unread(bad.name, bad.err)
	}
	for _, in := range inputs.files {
		if ctx.Err() != nil {
			return nil
		}
		if err := a.one(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

func (a *auditing) one(ctx context.Context, in input) error {
	r, err := in.open(ctx)
	if err != nil {
		a.unread(in.name, err)
		return nil
	}
	defer r.Close()
	o := transcript.Options{File: in.name, Since: a.since, OnProblem: a.complaints.problem, OnBytes: a.progress.bytes}
	var failed error
	stats, err := a.auditor.Stream(ctx, r, o, func(row *audit.Row) error {
		a.progress.run()
		for _, p := range row.Transcript().Problems {
			a.complaints.problem(p)
		}
		if row.Unjudged {
			a.input.Unreadable++
		}
		failed = a.out.row(row)
		return failed
	})
	a.progress.next(in.size)
	a.input.Files++
	a.input.Lines += stats.Lines
	a.input.Unreadable += stats.Broken + stats.Unknown
	a.input.Old += stats.Old
	switch {
	case failed != nil:
		return failed
	case err != nil && !errors.Is(err, context.Canceled):
		a.unread(in.name, err)
	}
	return nil
}

// unread reports an input that could not be read, or not to its end.
func (a *auditing) unread(name string, err error) {
	a.input.Unread++
	a.complaints.file(name, err)
}

// end shows what was found and says how the command ends.
func (a *auditing) end(ctx context.Context, failOn string) error {
	a.complaints.end()
	for _, line := range a.auditor.Unmatched() {
		a.complaints.say(line)
	}
	a.input.Troubles = a.complaints.troubles()
	a.input.Interrupted = ctx.Err() != nil
	sum := &a.out.summary
	if sum.Runs == 0 && a.input.Old == 0 && a.input.Unread == 0 && !a.input.Interrupted {
		a.complaints.say("no run was found in the input")
	}
	if sum.Runs == 0 && a.input.Old > 0 {
		a.complaints.say("every run is older than --since asks for")
	}
	if err := a.out.end(a.input); err != nil {
		return err
	}
	switch {
	case a.input.Interrupted:
		return errInterrupted
	case failOn == audit.DecisionRefuse && sum.Refuse > 0, failOn == audit.DecisionDisclose && sum.Refuse+sum.Disclose > 0:
		return fmt.Errorf("%w: %d to refuse, %d to disclose", errFound, sum.Refuse, sum.Disclose)
	case a.input.Unread+a.input.Unreadable > 0, sum.Runs == 0 && (a.input.Old == 0 || failOn != never):
		return errUnreadable
	}
	return nil
}
