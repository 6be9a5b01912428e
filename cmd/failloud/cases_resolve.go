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
	"time"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
)

type casesResolveCmd struct {
	Case string `arg:"" help:"The id of the case, in full."`
	storeFlags
	Choose      string `required:"" placeholder:"CHOICE" help:"approve, approve_edited, reject, went_through, run_again, give_up or abort; which of them answer the case, show says."`
	By          string `placeholder:"NAME" help:"Who decides. Default: the user of this session."`
	Note        string `placeholder:"TEXT" help:"A note for whoever looks at it later."`
	Result      string `placeholder:"FILE" help:"Of went_through: a file with what the tool would have returned, as JSON; - for standard input. Without it the agent is told that it was done, and gets no result."`
	Args        string `placeholder:"FILE" help:"Of approve_edited: a file with the arguments to run it with, as JSON; - for standard input."`
	Fingerprint string `placeholder:"HEX" help:"The fingerprint that was shown: decide only if the same is asked still. Nothing is asked then."`
	Yes         bool   `help:"Do not ask for confirmation: decide what is asked now."`
}

// Help is shown under the flags.
func (casesResolveCmd) Help() string {
	return `Records what a person has decided. The command executes nothing: the agent finds the
decision when it asks for the call again, or in the next pass of its recovery loop
(Kit.Recover), and makes the call that was approved or is to run again.

A decision counts once, and only for the arguments that were shown. On a terminal the case
is shown, and it is asked whether to go on; elsewhere give --fingerprint or --yes.

Examples:
  failloud cases resolve 4f1c…-1 --choose went_through --by maria --result receipt.json
  failloud cases resolve 77ab…-0 --choose reject --by pedro --note "paid by hand" --yes

` + storeHelp + `

Exit codes: 0 decided; 1 not: flags, database, no such case, decided by somebody else
before, expired, or about other arguments than were shown; 130 interrupted.`
}

// Run decides one case.
func (cmd *casesResolveCmd) Run() error {
	choice, by, err := cmd.check()
	if err != nil {
		return err
	}
	result, err := jsonOf(cmd.Result)
	if err != nil {
		return fmt.Errorf("--result: %w", err)
	}
	args, err := jsonOf(cmd.Args)
	if err != nil {
		return fmt.Errorf("--args: %w", err)
	}
	return cmd.onDesk(func(ctx context.Context, d desk) error {
		c, err := d.find(ctx, cmd.Case, false)
		if err != nil {
			return err
		}
		if err := answers(choice, &c); err != nil {
			return err
		}
		if !cmd.Yes && cmd.Fingerprint == "" {
			if err := caseText(os.Stderr, &c); err != nil {
				return err
			}
			if err := confirm(ctx, fmt.Sprintf("Decide %s, by %s?", choice, by), "--fingerprint or --yes"); err != nil {
				return err
			}
		}
		dec := c.Decide(choice, by)
		dec.Note, dec.Result, dec.Args = cmd.Note, result, args
		if cmd.Fingerprint != "" {
			dec.Fingerprint = cmd.Fingerprint
		}
		if err := d.decide(ctx, dec); err != nil {
			return err
		}
		_, err = fmt.Printf("case %s: %s, by %s\n%s\n", c.ID, choice, printable([]byte(by)), after(choice))
		return err
	})
}

// check reads the flags.
func (cmd *casesResolveCmd) check() (choice idempotency.Choice, by string, err error) {
	switch err := choice.UnmarshalText([]byte(cmd.Choose)); {
	case err != nil || choice == idempotency.NoChoice:
		return 0, "", fmt.Errorf("--choose: there is no choice %q; there are %s", cmd.Choose, everyChoice())
	case cmd.Result != "" && choice != idempotency.WentThrough:
		return 0, "", errors.New("--result goes with --choose went_through alone")
	case (cmd.Args != "") != (choice == idempotency.ApproveEdited):
		return 0, "", errors.New("--args and --choose approve_edited go together")
	}
	if by = strings.TrimSpace(cmd.By); by == "" {
		if u, err := user.Current(); err == nil {
			by = u.Username
		}
	}
	if by == "" {
		return 0, "", errors.New("give --by: nobody knows who decides")
	}
	return choice, by, nil
}

func everyChoice() string {
	var names []string
	for c := idempotency.Approve; c <= idempotency.Abort; c++ {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

// answers says why a choice does not answer a case.
func answers(choice idempotency.Choice, c *escalation.Case) error {
	if c.Status != escalation.Open {
		return closed(c)
	}
	if slices.ContainsFunc(c.Options, func(o escalation.Option) bool { return o.Choice == choice }) {
		return nil
	}
	var names []string
	for _, o := range c.Options {
		names = append(names, o.Choice.String())
	}
	return fmt.Errorf("%s does not answer this case; what does: %s", choice, strings.Join(names, ", "))
}

// decide applies a decision. Its errors say what happened instead.
func (d desk) decide(ctx context.Context, dec escalation.Decision) error {
	_, err := d.Resolve(ctx, dec)
	switch {
	case errors.Is(err, idempotency.ErrDecided), errors.Is(err, idempotency.ErrExpired):
		if c, serr := d.Show(ctx, dec.Case); serr == nil {
			return closed(&c)
		}
	case errors.Is(err, idempotency.ErrStale):
		if perr := d.past(ctx, dec.Case); perr != nil {
			return perr
		}
		return fmt.Errorf("%w: this is not the fingerprint of the arguments; look at it again with: failloud cases show %s", err, dec.Case)
	}
	return err
}

// after is what follows from a decision.
func after(choice idempotency.Choice) string {
	switch choice {
	case idempotency.Approve, idempotency.ApproveEdited, idempotency.RunAgain:
		return "It is recorded, nothing was executed. The agent makes the call: when it asks for it again, or in the next pass of its recovery loop (Kit.Recover)."
	}
	return "It is recorded. The agent finds it when it asks for the call again, or in the next pass of its recovery loop (Kit.Recover)."
}

// closed says why a case can no longer be decided.
func closed(c *escalation.Case) error {
	switch c.Status {
	case escalation.Decided:
		return fmt.Errorf("%w: %s", idempotency.ErrDecided, verdict(c.Decision.Choice, c.Decision.Actor, c.Decision.At))
	case escalation.Expired:
		return fmt.Errorf("%w: nobody had decided by %s, so the agent is told that it may not", idempotency.ErrExpired, stamp(c.Deadline))
	}
	return fmt.Errorf("case %s has settled itself: the work is %s", c.ID, c.State)
}

// verdict is what was decided, in one line whatever the name of the person is.
func verdict(choice idempotency.Choice, by string, at time.Time) string {
	return fmt.Sprintf("%s by %s, %s", choice, printable([]byte(by)), stamp(at))
}

// maxJSON is the longest result that the stores keep.
const maxJSON = 16 << 20

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
	raw, err := io.ReadAll(io.LimitReader(in, maxJSON+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > maxJSON:
		return nil, fmt.Errorf("it is longer than %d bytes", maxJSON)
	case !json.Valid(raw):
		return nil, errors.New("it is not JSON")
	}
	return raw, nil
}
