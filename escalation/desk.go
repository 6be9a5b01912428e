package escalation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/failloud/failloud/idempotency"
)

// Config of a [Desk].
type Config struct {
	// Ledger holds the rows that cases are views of. Required.
	Ledger *idempotency.Ledger
	// Redact is applied to the arguments and to every error text before they are
	// shown. Default: they are withheld.
	Redact func(string) string
	// Notify is told about every case, at least once, see [Desk.Announce]. Default:
	// nobody is.
	Notify Notifier
	// Fits is asked before a decision about the row is applied, and says what of
	// its Result or Args the tool could not have returned or cannot take. The text
	// of its error must not quote them. Default: everything fits.
	Fits func(row idempotency.Row, d Decision) error
	// Closed is called after a decision has changed the row, on the goroutine of
	// whoever decided, so that a run that waits in this process goes on.
	// Default: nothing waits.
	Closed func(ctx context.Context, row idempotency.Row)
}

// Desk is where cases are looked at and decided. It has no state of its own.
// Safe for concurrent use.
type Desk struct{ cfg Config }

// New checks cfg.
func New(cfg Config) (*Desk, error) {
	if cfg.Ledger == nil {
		return nil, errors.New("escalation: Config.Ledger is nil")
	}
	return &Desk{cfg: cfg}, nil
}

// ErrNoCase is matched where there is no case of this id, or no longer: the work
// has been started again since.
var ErrNoCase = errors.New("escalation: no such case")

// ErrDecision is matched where a decision is incomplete, or does not fit the tool.
var ErrDecision = errors.New("escalation: unusable decision")

// Filter selects open cases. The zero value selects the first 100 of all.
type Filter struct {
	Tenant string // "" for any
	Tool   string // "" for any
	RunID  string // "" for any
	After  string // id of the last case of the page before
	Limit  int    // 0: 100
}

// List returns the open cases that match, by id. The ledger's store must be an
// [idempotency.Lister].
func (d *Desk) List(ctx context.Context, f Filter) ([]Case, error) {
	after, _, _ := parse(f.After)
	rows, err := d.cfg.Ledger.List(ctx, idempotency.Query{
		States: []idempotency.State{idempotency.Escalated, idempotency.AwaitingApproval},
		Tenant: f.Tenant, Tool: f.Tool, RunID: f.RunID, After: after, Limit: f.Limit,
	})
	if err != nil {
		return nil, err
	}
	cases := make([]Case, len(rows))
	for i := range rows {
		cases[i] = d.view(&rows[i])
	}
	return cases, nil
}

// Show returns one case, also after it was decided, until the work is started
// again. The error matches [ErrNoCase] or [idempotency.ErrStore].
func (d *Desk) Show(ctx context.Context, id string) (Case, error) {
	row, err := d.row(ctx, id)
	if err != nil {
		return Case{}, err
	}
	return d.view(&row), nil
}

func (d *Desk) row(ctx context.Context, id string) (idempotency.Row, error) {
	rowID, _, ok := parse(id)
	if !ok {
		return idempotency.Row{}, fmt.Errorf("%w: %.80q", ErrNoCase, id)
	}
	row, err := d.cfg.Ledger.Row(ctx, rowID)
	if errors.Is(err, idempotency.ErrNotFound) || err == nil && row.CaseID() != id {
		return row, fmt.Errorf("%w: %.80q", ErrNoCase, id)
	}
	return row, err
}

// parse cuts the id of a case into the row's and the epoch.
func parse(id string) (row string, epoch int64, ok bool) {
	i := strings.LastIndexByte(id, '-')
	if i <= 0 {
		return "", 0, false
	}
	epoch, err := strconv.ParseInt(id[i+1:], 10, 64)
	return id[:i], epoch, err == nil && epoch >= 0 && strconv.FormatInt(epoch, 10) == id[i+1:]
}

// Decision is what a person decides about a case. [Case.Decide] makes one.
type Decision struct {
	Case        string             `json:"case"`        // its id
	Fingerprint string             `json:"fingerprint"` // of the arguments that were shown
	Choice      idempotency.Choice `json:"choice"`
	Actor       string             `json:"actor"`            // who decides; never the agent
	Note        string             `json:"note,omitempty"`   // for whoever reads the row later
	Result      json.RawMessage    `json:"result,omitempty"` // for WentThrough: what the tool would have returned
	Args        json.RawMessage    `json:"args,omitempty"`   // for ApproveEdited
	// ID makes the same decision, sent twice, count once. Default: every call of
	// Resolve is a decision of its own.
	ID string `json:"id,omitempty"`
}

// Resolve applies a decision and returns the case as it is then. The error
// matches [ErrDecision] (something is missing or does not fit), [ErrNoCase],
// [idempotency.ErrDecided] (somebody was faster), [idempotency.ErrStale] (other
// arguments were shown), [idempotency.ErrNoCase] (the choice is no answer),
// [idempotency.ErrExpired] or [idempotency.ErrStore].
func (d *Desk) Resolve(ctx context.Context, dec Decision) (Case, error) {
	if err := dec.check(); err != nil {
		return Case{}, err
	}
	rowID, epoch, ok := parse(dec.Case)
	if !ok {
		return Case{}, fmt.Errorf("%w: %.80q", ErrNoCase, dec.Case)
	}
	if err := d.fits(ctx, rowID, dec); err != nil {
		return Case{}, err
	}
	row, err := d.cfg.Ledger.Decide(ctx, rowID, idempotency.Decision{
		ID: dec.ID, Choice: dec.Choice, Actor: dec.Actor, Note: dec.Note,
		Epoch: epoch, Fingerprint: dec.Fingerprint, Result: dec.Result, Args: dec.Args,
	})
	switch {
	case errors.Is(err, idempotency.ErrNotFound):
		return Case{}, fmt.Errorf("%w: %.80q", ErrNoCase, dec.Case)
	case errors.Is(err, idempotency.ErrExpired):
		d.Closed(ctx, row)
		return d.view(&row), err
	case err != nil:
		return Case{}, err
	}
	d.Closed(ctx, row)
	return d.view(&row), nil
}

// fits asks about what the decision brings. Whether there is such a row is for
// the ledger to say.
func (d *Desk) fits(ctx context.Context, rowID string, dec Decision) (err error) {
	if d.cfg.Fits == nil || len(dec.Result) == 0 && len(dec.Args) == 0 {
		return nil
	}
	row, err := d.cfg.Ledger.Row(ctx, rowID)
	if err != nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%w: Config.Fits panicked", ErrDecision)
		}
	}()
	if err := d.cfg.Fits(row, dec); err != nil {
		return fmt.Errorf("%w: %w", ErrDecision, err)
	}
	return nil
}

func (dec *Decision) check() error {
	var missing string
	switch {
	case dec.Actor == "":
		missing = "who decides"
	case dec.Choice == idempotency.NoChoice:
		missing = "a choice"
	case dec.Fingerprint == "":
		missing = "the fingerprint of what was shown"
	case dec.Choice == idempotency.ApproveEdited && !json.Valid(dec.Args):
		missing = "the edited arguments, as JSON"
	case len(dec.Result) > 0 && !json.Valid(dec.Result):
		missing = "a result that is JSON"
	default:
		return nil
	}
	return fmt.Errorf("%w: it lacks %s", ErrDecision, missing)
}

// Closed tells whoever waits in this process that the row has an answer. Resolve
// does so by itself; call it for an answer that came another way.
func (d *Desk) Closed(ctx context.Context, row idempotency.Row) {
	if d.cfg.Closed != nil {
		d.cfg.Closed(ctx, row)
	}
}
