package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/policy"
)

type auditCmd struct {
	Files       []string `arg:"" optional:"" default:"-" help:"Transcripts, or folders of them; - for standard input (the default)."`
	Require     []string `placeholder:"TOOL" sep:"none" help:"A tool that every run has to have called successfully; may be given several times."`
	Policy      string   `placeholder:"FILE" help:"A policy file (failloud.yaml): what tools do, what tasks require, what each step of the guard asks for."`
	Format      string   `enum:"table,json,html" default:"table" help:"table, json (one line a run) or html (one file to open in a browser)."`
	FailOn      string   `enum:"refuse,disclose,never" default:"never" help:"Exit with 3 where an answer should have been refused, or (disclose) should at least have had a sentence added."`
	Since       string   `placeholder:"WHEN" help:"Leave out runs that ended before: 2026-01-31, a time in RFC 3339, or 7d, 24h ago. Runs without a time stay in."`
	Top         int      `default:"10" placeholder:"N" help:"How many of the worst runs and of the failing tools the table shows (${default})."`
	HTMLMax     int      `name:"html-max" default:"500" placeholder:"N" help:"How many of the worst runs the HTML report holds (${default})."`
	ShowSecrets bool     `help:"Show what looks like a credential as it is. Otherwise it is hidden."`
}

// Help is shown under the flags.
func (auditCmd) Help() string {
	return `Reads what your agents did and says which answers should not have left as they were:
those that stood on a dead tool, hid a failed call, claimed an action that never
happened, or gave figures that no tool returned. Nothing is executed or fetched, no
model is asked, nothing leaves this machine.

The format is recognised: OpenAI and Anthropic messages and requests, Claude Code
sessions (~/.claude/projects), failloud's own records, and lines of "evidence",
"prompt", "answer". JSON or JSON lines, also gzipped. A folder is read with all *.jsonl,
*.ndjson, *.json and *.gz in it.

Examples:
  failloud audit ~/.claude/projects --since 7d
  failloud audit --format html runs/*.jsonl.gz > report.html
  failloud audit --format json --fail-on refuse runs.jsonl > findings.jsonl

What is wrong with the input goes to standard error with file and line.
What each finding means: docs/verdicts.md.

Exit codes: 0 done; 1 could not work (flags, policy, output); 2 some input was
unreadable and everything else was done, or there was none; 3 --fail-on found something
(also where 2 applies); 130 interrupted: what had been read by then is shown.`
}

// Run audits every file.
func (cmd *auditCmd) Run() error {
	since, err := when(cmd.Since)
	if err != nil {
		return fmt.Errorf("--since: %w", err)
	}
	switch {
	case cmd.Top < 1:
		return fmt.Errorf("--top: %d is too few, at least 1", cmd.Top)
	case cmd.HTMLMax < 1:
		return fmt.Errorf("--html-max: %d is too few, at least 1", cmd.HTMLMax)
	case cmd.Format == "html" && isTerminal(os.Stdout):
		return errors.New("an HTML report is for a browser: write it into a file, as in: failloud audit --format html FILE > report.html")
	}
	out, err := newAuditOutput(cmd)
	if err != nil {
		return err
	}
	auditor, err := newAuditor(audit.Config{Require: cmd.Require, Sink: out.views}, cmd.Policy)
	if err != nil {
		return err
	}
	in, err := findInputs(cmd.Files)
	if err != nil {
		return err
	}
	tuneMemory()
	ctx, stop := interruptible()
	defer stop()
	a := &auditing{
		auditor: auditor, out: out, since: since,
		progress: newProgress(os.Stderr, in.size(), cmd.Format == "json" && isTerminal(os.Stdout)),
	}
	a.complaints = newComplaints(a.progress)
	if err := a.all(ctx, in); err != nil {
		return err
	}
	return a.end(ctx, cmd.FailOn)
}

// newAuditor loads the policy. The kill switch of running guards is not for a
// look at the past.
func newAuditor(cfg audit.Config, file string) (*audit.Auditor, error) {
	if err := os.Unsetenv(guard.EnvMode); err != nil {
		return nil, err
	}
	if file != "" {
		p, err := policy.Load(file)
		if err != nil {
			return nil, err
		}
		cfg.Policy = p
	}
	return audit.New(cfg)
}

// interruptible is a context that ends with the first Ctrl-C. The second one
// ends the command.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
