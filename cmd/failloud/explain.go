package main

import (
	"context"
	"errors"
	"os"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

type explainCmd struct {
	Which string   `arg:"" name:"run" help:"The id of the run, the beginning of it, or FILE:LINE."`
	Files []string `arg:"" optional:"" help:"Transcripts, or folders of them; - for standard input. Default: the file of FILE:LINE, else standard input."`
	storyFlags
	Policy string `placeholder:"FILE" help:"A policy file (failloud.yaml)."`
	Store  string `placeholder:"NAME" help:"Look for the run in a database, as failloud runs show does: postgres://…, sqlite:PATH, or the path of a SQLite file."`
}

// storyFlags say how a run is told.
type storyFlags struct {
	Require     []string `placeholder:"TOOL" sep:"none" help:"A tool that the run has to have called successfully; may be given several times."`
	Format      string   `enum:"text,json" default:"text" help:"text or json (one object)."`
	Full        bool     `help:"Show texts as long as they are. Otherwise each is cut."`
	ShowSecrets bool     `help:"Show what looks like a credential as it is. Otherwise it is hidden."`
}

// Help is shown under the flags.
func (explainCmd) Help() string {
	return `Shows what happened in one run: the question, each call with how it ended and which
rule of the classification decided that, the answer with the places that findings are
about, and why it was judged as it was. Of failloud's own records also attempts, waits
and settlements.

Examples:
  failloud explain livemcp-0e32 runs.jsonl
  failloud explain runs.jsonl:14
  failloud explain 4f1c ~/.claude/projects
  failloud explain 01a22ff7 --store failloud.db

Exit codes: 0 shown; 1 could not work: flags, policy, or no run or more than one is meant,
then the nearest ids are named; 2 shown, and some input was unreadable; 130 interrupted.`
}

// Run finds the run and tells its story.
func (cmd *explainCmd) Run() error {
	if cmd.Store != "" {
		if len(cmd.Files) > 0 {
			return errors.New("--store looks in a database, and files are given: give one of them")
		}
		show := runsShowCmd{Which: cmd.Which, storeFlags: storeFlags{Store: cmd.Store, Policy: cmd.Policy}, storyFlags: cmd.storyFlags}
		return show.Run()
	}
	auditor, err := newAuditor(audit.Config{Require: cmd.Require}, cmd.Policy)
	if err != nil {
		return err
	}
	tuneMemory()
	ctx, stop := interruptible()
	defer stop()
	s := newRunSearch(cmd.Which)
	files := cmd.Files
	if len(files) == 0 {
		files = []string{stdin}
		if s.file != "" {
			files = []string{s.file}
		}
	}
	in, err := findInputs(files)
	if err != nil {
		return err
	}
	p := newProgress(os.Stderr, in.size(), false)
	unreadable := s.all(ctx, in, p, newComplaints(p))
	p.clear()
	if ctx.Err() != nil {
		return errInterrupted
	}
	t, err := s.found()
	if err != nil {
		return err
	}
	if err := cmd.tell(ctx, auditor, t); err != nil {
		return err
	}
	if unreadable {
		return errUnreadable
	}
	return nil
}

// tell judges the run and tells its story.
func (f storyFlags) tell(ctx context.Context, auditor *audit.Auditor, t *transcript.Transcript) error {
	row, err := auditor.Judge(ctx, t)
	if err != nil {
		return err
	}
	story := report.NewStory(row, report.Cleaner{Bare: f.ShowSecrets}, f.Full)
	if f.Format == "text" {
		return story.Text(os.Stdout, report.Style{Colour: wantsColour(os.Stdout)})
	}
	out := newPrinter(os.Stdout)
	return errors.Join(out.print(story), out.flush())
}
