package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store"
	"github.com/failloud/failloud/store/runs"
)

type runsCmd struct {
	List   runsListCmd   `cmd:"" help:"List runs, the last first."`
	Show   runsShowCmd   `cmd:"" help:"Show one run step by step, and why its answer was judged as it was."`
	Stats  runsStatsCmd  `cmd:"" help:"Count: runs without a success, failures, refusals, retries."`
	Export runsExportCmd `cmd:"" help:"Write the events of runs as JSON lines, which audit and explain read."`
	Erase  runsEraseCmd  `cmd:"" help:"Erase the payloads of a run. What happened stays."`
	Prune  runsPruneCmd  `cmd:"" help:"Remove old runs."`
}

// Help is shown under the flags.
func (runsCmd) Help() string { return "The record of runs in a database.\n\n" + storeHelp }

// runFilter selects runs.
type runFilter struct {
	Task     string   `placeholder:"NAME" help:"Only runs of this task."`
	Tenant   string   `placeholder:"NAME" help:"Only runs of this tenant."`
	Key      string   `placeholder:"KEY" help:"Only runs of the task with this key."`
	Text     string   `placeholder:"TEXT" help:"Only runs whose task's key has this text in it."`
	State    []string `placeholder:"STATE" help:"Only runs in this state: running, waiting, deferred, answered, disclosed, refused, aborted, unjudged; may be given several times."`
	Decision string   `placeholder:"WORD" help:"Only runs that the guard decided so: answer, disclose, refuse, escalate, defer."`
	Tool     string   `placeholder:"NAME" help:"Only runs that called this tool."`
	Refused  bool     `help:"Only runs whose answer was refused, or would have been."`
	Since    string   `placeholder:"WHEN" help:"Only runs that were active since then: 2026-11-30, 2026-11-30T08:00:00Z, or 24h for the last day."`
	Until    string   `placeholder:"WHEN" help:"Only runs that were begun before then."`
	Children bool     `help:"Runs of sub-agents, too."`
}

func (f *runFilter) query() (q runs.Query, err error) {
	q = runs.Query{
		Task: f.Task, Tenant: f.Tenant, Key: f.Key, Text: f.Text, Tool: f.Tool,
		Decision: f.Decision, Refused: f.Refused, Children: f.Children,
	}
	for _, name := range f.State {
		var s runrecord.State
		if err := s.UnmarshalText([]byte(name)); err != nil {
			return q, fmt.Errorf("--state: there is no state %q", name)
		}
		q.States = append(q.States, s)
	}
	if q.Since, err = when(f.Since); err != nil {
		return q, fmt.Errorf("--since: %w", err)
	}
	if q.Until, err = when(f.Until); err != nil {
		return q, fmt.Errorf("--until: %w", err)
	}
	return q, nil
}

type runsListCmd struct {
	storeFlags
	runFilter
	Limit  int    `default:"50" help:"How many."`
	Format string `enum:"table,json" default:"table" help:"table or json (one line a run)."`
}

// Run lists runs.
func (cmd *runsListCmd) Run() error {
	if cmd.Limit < 1 {
		return errors.New("--limit is below 1")
	}
	q, err := cmd.query()
	if err != nil {
		return err
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		var all []runs.Summary
		for len(all) < cmd.Limit {
			q.Limit = min(cmd.Limit-len(all), 1000)
			page, err := s.Runs.List(ctx, q)
			if err != nil {
				return err
			}
			if all = append(all, page...); len(page) < q.Limit {
				break
			}
			q.After = page[len(page)-1].ID
		}
		if cmd.Format == "json" {
			return printAll(all)
		}
		return runsTable(all)
	})
}

func runsTable(all []runs.Summary) error {
	if len(all) == 0 {
		fmt.Println("no runs")
		return nil
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "RUN\tSTARTED\tTASK\tKEY\tSTATE\tCALLS\tFAILED\tRETRIES")
	for i := range all {
		r := &all[i]
		state := r.State.String()
		if r.Reported {
			state += " (reported " + r.Decision + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\n",
			cell(r.ID), stamp(r.Started), cell(r.Task), cell(r.Key), cell(state), r.Counts.Calls, r.Counts.Failed, r.Counts.Retries)
	}
	return t.Flush()
}

type runsShowCmd struct {
	Which string `arg:"" name:"run" help:"The id of the run, or the beginning of it."`
	storeFlags
	Require     []string `placeholder:"TOOL" sep:"none" help:"A tool that the run has to have called successfully; may be given several times."`
	Format      string   `enum:"text,json" default:"text" help:"text or json (one object)."`
	Full        bool     `help:"Show texts as long as they are. Otherwise each is cut."`
	ShowSecrets bool     `help:"Show what looks like a credential as it is. Otherwise it is hidden."`
}

// Run tells the story of one run, as explain does of one in a file.
func (cmd *runsShowCmd) Run() error {
	auditor, err := newAuditor(audit.Config{Require: cmd.Require}, cmd.Policy)
	if err != nil {
		return err
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		run, err := s.Runs.Find(ctx, cmd.Which)
		if err != nil {
			return err
		}
		var lines bytes.Buffer
		sealed := s.Runs.ExportRun(ctx, &lines, run.ID)
		if sealed != nil && !errors.Is(sealed, runs.ErrSealed) {
			return sealed
		}
		var found *transcript.Transcript
		o := transcript.Options{File: "store"}
		if _, err := transcript.Read(ctx, &lines, o, func(t *transcript.Transcript) error {
			if t.ID == run.ID {
				found = t
			}
			return nil
		}); err != nil {
			return err
		}
		if found == nil {
			return fmt.Errorf("run %s has no events that can be shown", run.ID)
		}
		explain := explainCmd{Format: cmd.Format, Full: cmd.Full, ShowSecrets: cmd.ShowSecrets}
		return errors.Join(explain.tell(ctx, auditor, found), sealed)
	})
}

type runsStatsCmd struct {
	storeFlags
	Task   string `placeholder:"NAME" help:"Only runs of this task."`
	Tenant string `placeholder:"NAME" help:"Only runs of this tenant."`
	Tool   string `placeholder:"NAME" help:"Only calls of this tool, and runs that made one."`
	Status int    `placeholder:"CODE" help:"Only calls that ended with this HTTP status, and runs that made one."`
	Since  string `placeholder:"WHEN" help:"Only what ended since then: 2026-11-30, 2026-11-30T08:00:00Z, or 24h for the last day."`
	Until  string `placeholder:"WHEN" help:"Only what ended before then."`
	Format string `enum:"table,json" default:"table" help:"table or json (one object)."`
}

// Run counts.
func (cmd *runsStatsCmd) Run() error {
	f := runrecord.Filter{Task: cmd.Task, Tenant: cmd.Tenant, Tool: cmd.Tool, Status: cmd.Status}
	var err error
	if f.Since, err = when(cmd.Since); err != nil {
		return fmt.Errorf("--since: %w", err)
	}
	if f.Until, err = when(cmd.Until); err != nil {
		return fmt.Errorf("--until: %w", err)
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		v, err := s.Runs.Views(ctx, f)
		if err != nil {
			return err
		}
		if cmd.Format == "json" {
			return printAll([]*runs.Views{v})
		}
		fmt.Println(v.String())
		if warning := v.Refusals.Warning(); warning != "" {
			fmt.Println("\n" + warning)
		}
		return nil
	})
}

type runsExportCmd struct {
	storeFlags
	runFilter
}

// Run writes events.
func (cmd *runsExportCmd) Run() error {
	q, err := cmd.query()
	if err != nil {
		return err
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error { return s.Runs.Export(ctx, os.Stdout, q) })
}

type runsEraseCmd struct {
	Which string `arg:"" name:"run" help:"The id of the run, in full."`
	storeFlags
	Yes bool `help:"Do not ask for confirmation."`
}

// Run erases the payloads of a run.
func (cmd *runsEraseCmd) Run() error {
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		run, err := s.Runs.Find(ctx, cmd.Which)
		if err != nil {
			return err
		}
		if run.ID != cmd.Which {
			return fmt.Errorf("to erase a run its whole id is needed: %s", run.ID)
		}
		if err := confirmed(cmd.Yes, fmt.Sprintf("Erase the payloads of run %s (%s) and of those it started?", run.ID, run.Task)); err != nil {
			return err
		}
		if err := s.Runs.Erase(ctx, run.ID); err != nil {
			return err
		}
		fmt.Printf("erased the payloads of run %s\n", printable([]byte(run.ID)))
		return nil
	})
}

type runsPruneCmd struct {
	storeFlags
	OlderThan time.Duration `required:"" placeholder:"AGE" help:"Runs whose last event is older than this are removed: 720h."`
	Yes       bool          `help:"Do not ask for confirmation."`
}

// Run removes old runs.
func (cmd *runsPruneCmd) Run() error {
	if cmd.OlderThan <= 0 {
		return errors.New("--older-than is not above zero")
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		if err := confirmed(cmd.Yes, fmt.Sprintf("Remove every run without an event in the last %s?", cmd.OlderThan)); err != nil {
			return err
		}
		n, err := s.Runs.Prune(ctx, cmd.OlderThan)
		fmt.Printf("removed %d runs\n", n)
		return err
	})
}
