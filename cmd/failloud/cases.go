package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/internal/similar"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store"
)

type casesCmd struct {
	List    casesListCmd    `cmd:"" help:"List the open cases, the oldest first."`
	Show    casesShowCmd    `cmd:"" help:"Show all that is known about one case, and what each choice does."`
	Resolve casesResolveCmd `cmd:"" help:"Decide a case."`
}

// Help is shown under the flags.
func (casesCmd) Help() string {
	return `A case is a question about an effect that only a person can settle: whether a call that
got no answer went through, or whether a call may be made at all. These commands read and
record; nothing is executed by them.

` + storeHelp
}

// desk is where cases are looked up, with the ledger whose rows they are.
type desk struct {
	*escalation.Desk
	ledger *idempotency.Ledger
}

// onDesk runs do with the desk of the database.
func (f storeFlags) onDesk(do func(ctx context.Context, d desk) error) error {
	return f.with(func(ctx context.Context, s *store.Store) error {
		ledger, err := idempotency.New(idempotency.Config{Store: s.Ledger})
		if err != nil {
			return err
		}
		d := desk{ledger: ledger}
		if d.Desk, err = escalation.New(escalation.Config{Ledger: ledger, Redact: runrecord.RedactSecrets}); err != nil {
			return err
		}
		return errors.Join(do(ctx, d), ledger.Close(ctx))
	})
}

type casesListCmd struct {
	storeFlags
	Tenant string `placeholder:"NAME" help:"Only cases of this tenant."`
	Tool   string `placeholder:"NAME" help:"Only cases of this tool."`
	RunID  string `name:"run" placeholder:"ID" help:"Only cases of this run."`
	Format string `enum:"table,json" default:"table" help:"table or json (one line a case)."`
}

// Run lists the open cases, those that were opened first first.
func (cmd *casesListCmd) Run() error {
	return cmd.onDesk(func(ctx context.Context, d desk) error {
		all, err := d.open(ctx, escalation.Filter{Tenant: cmd.Tenant, Tool: cmd.Tool, RunID: cmd.RunID})
		if err != nil {
			return err
		}
		slices.SortStableFunc(all, func(a, b escalation.Case) int { return a.Opened.Compare(b.Opened) })
		if cmd.Format == "json" {
			return printAll(all)
		}
		return casesTable(os.Stdout, all)
	})
}

// open reads every page of open cases.
func (d desk) open(ctx context.Context, f escalation.Filter) (all []escalation.Case, err error) {
	for f.Limit = idempotency.DefaultLimit; ; {
		page, err := d.List(ctx, f)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < f.Limit {
			return all, nil
		}
		f.After = page[len(page)-1].ID
	}
}

type casesShowCmd struct {
	Case string `arg:"" help:"The id of the case, or the beginning of one that is open."`
	storeFlags
	Format string `enum:"text,json" default:"text" help:"text or json (one object)."`
}

// Help is shown under the flags.
func (casesShowCmd) Help() string {
	return `What looks like a credential is hidden. A case that was decided is shown until its work
is started again.

` + storeHelp + `

Exit codes: 0 shown; 1 could not work: flags, database, or no case or more than one is
meant, then the nearest ids are named; 130 interrupted.`
}

// Run shows one case.
func (cmd *casesShowCmd) Run() error {
	return cmd.onDesk(func(ctx context.Context, d desk) error {
		c, err := d.find(ctx, cmd.Case, true)
		if err != nil {
			return err
		}
		if cmd.Format == "json" {
			return printAll([]escalation.Case{c})
		}
		if err := caseText(os.Stdout, &c); err != nil || len(c.Options) == 0 {
			return err
		}
		return howToDecide(os.Stdout, &c)
	})
}

// maxNear is how many ids are named that may be meant.
const maxNear = 5

// find returns a case by its id or, of open ones and where that is enough, by the
// beginning of it.
func (d desk) find(ctx context.Context, id string, beginning bool) (escalation.Case, error) {
	c, err := d.Show(ctx, id)
	if !errors.Is(err, escalation.ErrNoCase) {
		return c, err
	}
	if err := d.past(ctx, id); err != nil {
		return c, err
	}
	open, lerr := d.open(ctx, escalation.Filter{})
	if lerr != nil {
		return c, lerr
	}
	var ids, near []string
	for _, other := range open {
		ids = append(ids, other.ID)
		if id != "" && strings.HasPrefix(other.ID, id) {
			c, near = other, append(near, other.ID)
		}
	}
	if beginning && len(near) == 1 {
		return c, nil
	}
	if len(near) == 0 {
		near = similar.Names(id, slices.Values(ids), maxNear)
	}
	switch more := len(near) - maxNear; {
	case more > 0:
		return c, fmt.Errorf("%w; %s and %d more begin so", err, strings.Join(near[:maxNear], ", "), more)
	case len(near) > 0:
		return c, fmt.Errorf("%w; do you mean %s?", err, strings.Join(near, ", "))
	}
	return c, fmt.Errorf("%w; %d are open", err, len(open))
}

// past says what has become of a case whose work was started again since, nil where
// there was none of this id.
func (d desk) past(ctx context.Context, id string) error {
	rowID, number, _ := strings.Cut(id, "-")
	epoch, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return nil
	}
	row, err := d.ledger.Row(ctx, rowID)
	switch {
	case errors.Is(err, idempotency.ErrNotFound):
		return nil
	case err != nil:
		return err
	case epoch >= row.Epoch:
		return nil
	}
	since := fmt.Sprintf("its work was started again since, and is %s", row.State)
	if row.State.Open() {
		since += "; that is case " + row.CaseID()
	}
	if v := row.Decision; v != nil && v.Epoch == epoch {
		return fmt.Errorf("%w: %s; %s", idempotency.ErrDecided, verdict(v.Choice, v.Actor, v.At), since)
	}
	return fmt.Errorf("case %s is closed: %s", id, since)
}
