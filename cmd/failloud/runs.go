package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

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
func (runsCmd) Help() string {
	return `The record of runs in a database. Only erase and prune change it.

` + storeHelp
}

// runFilter selects runs.
type runFilter struct {
	Task     string   `placeholder:"NAME" help:"Only runs of this task."`
	Tenant   string   `placeholder:"NAME" help:"Only runs of this tenant."`
	Key      string   `placeholder:"KEY" help:"Only runs of the task with this key."`
	Text     string   `placeholder:"TEXT" help:"Only runs whose task's key has this text in it."`
	State    []string `placeholder:"STATE" help:"Only runs in this state: running, waiting, deferred, answered, disclosed, refused, aborted, unjudged; may be given several times."`
	Decision string   `enum:",answer,disclose,refuse,escalate,defer" default:"" placeholder:"WORD" help:"Only runs that the guard decided so: answer, disclose, refuse, escalate, defer."`
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
	Limit  int    `default:"50" placeholder:"N" help:"How many at most (${default})."`
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
		all, more, err := lastRuns(ctx, s.Runs, q, cmd.Limit)
		if err != nil {
			return err
		}
		if more {
			fmt.Fprintf(os.Stderr, "failloud: these are the last %d, and there are more: --limit shows them\n", cmd.Limit)
		}
		if cmd.Format == "json" {
			return printAll(all)
		}
		return runsTable(os.Stdout, all)
	})
}

// lastRuns reads pages up to a limit, and whether there is more.
func lastRuns(ctx context.Context, s *runs.Store, q runs.Query, limit int) (all []runs.Summary, more bool, err error) {
	const page = 1000 // the longest there is
	for len(all) <= limit {
		q.Limit = min(limit+1-len(all), page)
		next, err := s.List(ctx, q)
		if err != nil {
			return nil, false, err
		}
		if all = append(all, next...); len(next) < q.Limit {
			return all, false, nil
		}
		q.After = next[len(next)-1].ID
	}
	return all[:limit], true, nil
}

func runsTable(w io.Writer, all []runs.Summary) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no runs")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
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
		_, err = fmt.Printf("Runs\n%s\nFailures\n%s\nHow runs ended\n%s\nRetries\n%s", v.Runs, v.Failures, v.Refusals, v.Retries)
		return err
	})
}

type runsExportCmd struct {
	storeFlags
	runFilter
}

// Help is shown under the flags.
func (runsExportCmd) Help() string {
	return `Runs of sub-agents come with those that started them. Payloads are written as they were
kept.

Examples:
  failloud runs export --since 7d > week.jsonl
  failloud runs export --task invoices | failloud audit -

` + storeHelp + `

Exit codes: 0 done, also where no run is selected; 1 could not work: flags, database, or
payloads that cannot be read for want of a key, then all else was written; 130 interrupted.`
}

// Run writes events.
func (cmd *runsExportCmd) Run() error {
	q, err := cmd.query()
	if err != nil {
		return err
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		out := bufio.NewWriter(os.Stdout)
		err := s.Runs.Export(ctx, &printableLines{out: out}, q)
		return errors.Join(err, out.Flush())
	})
}
