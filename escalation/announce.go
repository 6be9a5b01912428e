package escalation

import (
	"context"
	"errors"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// announceFor is how long one process has to tell of a case before another may:
// longer than a webhook takes that is tried a few times, and no longer than a
// person should wait for a question that a killed process has kept to itself.
const announceFor = time.Minute

// Announce tells the notifier of every open case of which nobody was told yet: its
// process died before it could, the notifier failed, or nothing but time opened
// it. Of two processes one tells; where that one fails, another tries after a
// minute. told counts the cases that were told; the errors of the others are
// joined, and do not end the pass. It ends after a minute, because a notifier may
// hang for each of very many cases: the next pass goes on. Without a notifier it
// does nothing.
func (d *Desk) Announce(ctx context.Context) (told int, err error) {
	if d.cfg.Notify == nil {
		return 0, nil
	}
	var failed []error
	start := time.Now()
	for q := (idempotency.Query{Unannounced: true}); ; {
		rows, err := d.cfg.Ledger.List(ctx, q)
		if err != nil {
			return told, errors.Join(append(failed, err)...)
		}
		for _, row := range rows {
			if err := ctx.Err(); err != nil || time.Since(start) >= announceFor {
				return told, errors.Join(append(failed, err)...)
			}
			ok, err := d.announce(ctx, row)
			if ok {
				told++
			}
			if err != nil {
				failed = append(failed, err)
			}
			q.After = row.ID
		}
		if len(rows) < idempotency.DefaultLimit {
			return told, errors.Join(failed...)
		}
	}
}

// Opened tells the notifier of the case of a row, unless somebody was told or is
// being told. Call it where a case was opened; what fails here, [Desk.Announce]
// makes up for.
func (d *Desk) Opened(ctx context.Context, row idempotency.Row) error {
	if d.cfg.Notify == nil {
		return nil
	}
	_, err := d.announce(ctx, row)
	return err
}

// announce tells of one case where the right to do so can be had.
func (d *Desk) announce(ctx context.Context, row idempotency.Row) (done bool, err error) {
	row, told, mine, err := d.cfg.Ledger.Announce(ctx, row, announceFor)
	if err != nil || !mine {
		return false, err
	}
	telling, cancel := context.WithTimeout(ctx, announceFor)
	defer cancel()
	if err := tell(telling, d.cfg.Notify, d.view(&row)); err != nil {
		return false, err
	}
	return true, told(context.WithoutCancel(ctx))
}
