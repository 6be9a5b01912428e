package main

import (
	"context"
	"fmt"

	"github.com/failloud/failloud/store"
)

type runsEraseCmd struct {
	Which string `arg:"" name:"run" help:"The id of the run, in full."`
	storeFlags
	Yes bool `help:"Do not ask for confirmation."`
}

// Help is shown under the flags.
func (runsEraseCmd) Help() string {
	return `Removes questions, arguments, results and drafts of the run and of those it started; how
its calls and the run ended, and all counts, stay. The ledger has arguments and results of
its own, so that nothing is done twice: Ledger.Erase removes those. Backups are not reached.

` + storeFlags{}.Help()
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
		if !cmd.Yes {
			question := fmt.Sprintf("Erase the payloads of run %s (%s) and of those it started?", run.ID, run.Task)
			if err := confirm(ctx, question, "--yes"); err != nil {
				return err
			}
		}
		if err := s.Runs.Erase(ctx, run.ID); err != nil {
			return err
		}
		_, err = fmt.Printf("erased the payloads of run %s\n", printable([]byte(run.ID)))
		return err
	})
}

type runsPruneCmd struct {
	storeFlags
	OlderThan string `required:"" placeholder:"AGE" help:"Runs whose last event is older than this are removed: 90d, 12w, 720h."`
	Yes       bool   `help:"Do not ask for confirmation."`
}

// Run removes old runs.
func (cmd *runsPruneCmd) Run() error {
	oldest, ok := age(cmd.OlderThan)
	if !ok || oldest == 0 {
		return fmt.Errorf("--older-than: %q is no age above zero (90d, 12w, 720h)", cmd.OlderThan)
	}
	return cmd.with(func(ctx context.Context, s *store.Store) error {
		if !cmd.Yes {
			if err := confirm(ctx, fmt.Sprintf("Remove every run without an event in the last %s?", cmd.OlderThan), "--yes"); err != nil {
				return err
			}
		}
		n, err := s.Runs.Prune(ctx, oldest)
		if err != nil {
			return err
		}
		_, err = fmt.Printf("removed %d runs\n", n)
		return err
	})
}
