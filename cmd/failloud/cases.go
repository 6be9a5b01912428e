package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/internal/similar"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store"
)

type casesCmd struct {
	List    casesListCmd    `cmd:"" help:"List the open cases."`
	Show    casesShowCmd    `cmd:"" help:"Show all that is known about one case, and what each choice does."`
	Resolve casesResolveCmd `cmd:"" help:"Decide a case."`
}

// Help is shown under the flags.
func (casesCmd) Help() string {
	return `A case is a question about an effect that only a person can settle: whether a call that
got no answer went through, or whether a call may be made at all.

` + storeHelp
}

// onDesk runs do with the desk of the database.
func (f storeFlags) onDesk(do func(ctx context.Context, desk *escalation.Desk) error) error {
	return f.with(func(ctx context.Context, s *store.Store) error {
		ledger, err := idempotency.New(idempotency.Config{Store: s.Ledger})
		if err != nil {
			return err
		}
		desk, err := escalation.New(escalation.Config{Ledger: ledger, Redact: runrecord.RedactSecrets})
		if err != nil {
			return err
		}
		return errors.Join(do(ctx, desk), ledger.Close(ctx))
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
	return cmd.onDesk(func(ctx context.Context, desk *escalation.Desk) error {
		all, err := openCases(ctx, desk, escalation.Filter{Tenant: cmd.Tenant, Tool: cmd.Tool, RunID: cmd.RunID})
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

// openCases reads every page.
func openCases(ctx context.Context, desk *escalation.Desk, f escalation.Filter) (all []escalation.Case, err error) {
	for {
		page, err := desk.List(ctx, f)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < idempotency.DefaultLimit {
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

// Run shows one case.
func (cmd *casesShowCmd) Run() error {
	return cmd.onDesk(func(ctx context.Context, desk *escalation.Desk) error {
		c, err := findCase(ctx, desk, cmd.Case, true)
		if err != nil {
			return err
		}
		if cmd.Format == "json" {
			return printAll([]escalation.Case{c})
		}
		return caseText(os.Stdout, &c)
	})
}

// findCase returns a case by its id or, of open ones, by the beginning of it.
func findCase(ctx context.Context, desk *escalation.Desk, id string, beginning bool) (escalation.Case, error) {
	c, err := desk.Show(ctx, id)
	if !errors.Is(err, escalation.ErrNoCase) {
		return c, err
	}
	open, lerr := openCases(ctx, desk, escalation.Filter{})
	if lerr != nil {
		return c, lerr
	}
	var begin []escalation.Case
	var ids []string
	for _, other := range open {
		if ids = append(ids, other.ID); id != "" && strings.HasPrefix(other.ID, id) {
			begin = append(begin, other)
		}
	}
	if beginning && len(begin) == 1 {
		return begin[0], nil
	}
	var near []string
	for _, other := range begin {
		near = append(near, other.ID)
	}
	if len(near) == 0 {
		near = similar.Names(id, slices.Values(ids), 3)
	}
	if len(near) > 0 {
		return c, fmt.Errorf("%w; do you mean %s?", err, strings.Join(near, ", "))
	}
	return c, fmt.Errorf("%w; %d are open", err, len(open))
}

type casesResolveCmd struct {
	Case string `arg:"" help:"The id of the case, in full."`
	storeFlags
	Choose      string `required:"" placeholder:"CHOICE" help:"approve, approve_edited, reject, went_through, run_again, give_up or abort; which of them answer the case, show says."`
	By          string `placeholder:"NAME" help:"Who decides. Default: the user of this session."`
	Note        string `help:"A note for whoever looks at it later."`
	Result      string `placeholder:"FILE" help:"Of went_through: a file with what the tool would have returned, as JSON; - for standard input."`
	Args        string `placeholder:"FILE" help:"Of approve_edited: a file with the arguments to run it with, as JSON; - for standard input."`
	Fingerprint string `help:"The fingerprint of the arguments that were shown; without it, what is shown now is decided."`
	Yes         bool   `help:"Do not ask for confirmation."`
}

// Help is shown under the flags.
func (casesResolveCmd) Help() string {
	return `Records what a person has decided. The command executes nothing: what is approved or is
to run again is run by the agent, when it asks for the call again or by its recovery loop.
A decision counts once, and only for the arguments that were shown.

Exit codes: 0 decided; 1 not: flags, no such case, decided by somebody else before, expired,
or about other arguments than were shown.`
}

// Run decides one case.
func (cmd *casesResolveCmd) Run() error {
	var choice idempotency.Choice
	if err := choice.UnmarshalText([]byte(cmd.Choose)); err != nil || choice == idempotency.NoChoice {
		return fmt.Errorf("--choose: there is no choice %q", cmd.Choose)
	}
	if cmd.Result != "" && choice != idempotency.WentThrough {
		return errors.New("--result goes with --choose went_through alone")
	}
	if (cmd.Args != "") != (choice == idempotency.ApproveEdited) {
		return errors.New("--args and --choose approve_edited go together")
	}
	by := cmd.By
	if by == "" {
		by = thisUser()
	}
	if by == "" {
		return errors.New("give --by: nobody knows who decides")
	}
	result, err := jsonOf(cmd.Result)
	if err != nil {
		return fmt.Errorf("--result: %w", err)
	}
	args, err := jsonOf(cmd.Args)
	if err != nil {
		return fmt.Errorf("--args: %w", err)
	}
	return cmd.onDesk(func(ctx context.Context, desk *escalation.Desk) error {
		c, err := findCase(ctx, desk, cmd.Case, false)
		if err != nil {
			return err
		}
		if c.Status != escalation.Open {
			return closedCase(&c)
		}
		if !slices.ContainsFunc(c.Options, func(o escalation.Option) bool { return o.Choice == choice }) {
			return fmt.Errorf("%s does not answer this case; what does: %s", choice, choicesOf(&c))
		}
		if !cmd.Yes && cmd.Fingerprint == "" {
			if err := caseText(os.Stderr, &c); err != nil {
				return err
			}
			if err := confirmed(false, "Decide "+choice.String()+"?"); err != nil {
				return err
			}
		}
		d := c.Decide(choice, by)
		d.Note, d.Result, d.Args = cmd.Note, result, args
		if cmd.Fingerprint != "" {
			d.Fingerprint = cmd.Fingerprint
		}
		c, err = desk.Resolve(ctx, d)
		if errors.Is(err, idempotency.ErrDecided) {
			if other, serr := desk.Show(ctx, cmd.Case); serr == nil {
				return closedCase(&other)
			}
		}
		if err != nil {
			return err
		}
		fmt.Printf("case %s: %s, by %s\n%s", c.ID, choice, printable([]byte(by)), after(choice))
		return nil
	})
}

// after is what follows from a decision.
func after(choice idempotency.Choice) string {
	switch choice {
	case idempotency.Approve, idempotency.ApproveEdited, idempotency.RunAgain:
		return "The agent runs it: when it asks for the call again, or in the next pass of its recovery loop.\n"
	}
	return ""
}

// closedCase says why a case can no longer be decided.
func closedCase(c *escalation.Case) error {
	switch c.Status {
	case escalation.Decided:
		return fmt.Errorf("%w: %s by %s, %s", idempotency.ErrDecided, c.Decision.Choice, c.Decision.Actor, stamp(c.Decision.At))
	case escalation.Expired:
		return fmt.Errorf("%w, at %s", idempotency.ErrExpired, stamp(c.Deadline))
	}
	return fmt.Errorf("case %s has settled itself: the work is %s", c.ID, c.State)
}

func choicesOf(c *escalation.Case) string {
	var names []string
	for _, o := range c.Options {
		names = append(names, o.Choice.String())
	}
	return strings.Join(names, ", ")
}

func thisUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// jsonOf reads a file of JSON; none where it has no name.
func jsonOf(name string) (json.RawMessage, error) {
	if name == "" {
		return nil, nil
	}
	in := io.Reader(os.Stdin)
	if name != stdin {
		f, err := os.Open(name) //nolint:gosec // the user says which file
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, 16<<20))
	if err != nil {
		return nil, err
	}
	if !json.Valid(raw) {
		return nil, errors.New("it is not JSON")
	}
	return raw, nil
}

// printAll writes values as JSON lines.
func printAll[T any](all []T) error {
	out := newPrinter(os.Stdout)
	for i := range all {
		if err := out.print(&all[i]); err != nil {
			return err
		}
	}
	return out.flush()
}
