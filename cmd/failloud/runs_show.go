package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/store"
	"github.com/failloud/failloud/store/runs"
)

type runsShowCmd struct {
	Which string `arg:"" name:"run" help:"The id of the run, or the beginning of it."`
	storeFlags
	storyFlags
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
		return errors.Join(cmd.tell(ctx, auditor, found), sealed)
	})
}
