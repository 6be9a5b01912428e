package idempotency

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Announce takes the right to tell somebody of the open case, for a while. Whether
// it was given is read from the row: its Announcer is the Token then. Where
// somebody was told, or another is telling, it changes nothing.
type Announce struct {
	Epoch int64         `json:"epoch"` // of the row
	Token string        `json:"token"` // id of the command
	For   time.Duration `json:"for"`   // how long the right lasts
}

// Name is "announce".
func (Announce) Name() string { return "announce" }

func (c Announce) apply(r *Row, now time.Time) (string, error) {
	if c.Epoch != r.Epoch || c.Token == "" || c.Token == r.Announcer || !r.unannounced(now) {
		return "", errUnchanged
	}
	r.Announcer, r.AnnounceBy = c.Token, now.Add(c.For)
	return "", nil
}

// Told says that somebody has been told of the case. That holds also where the
// right to tell was lost meanwhile: nobody need be told again.
type Told struct {
	Epoch int64  `json:"epoch"` // of the row
	Token string `json:"token"` // of the [Announce]
}

// Name is "told".
func (Told) Name() string { return "told" }

func (c Told) apply(r *Row, now time.Time) (string, error) {
	if c.Epoch != r.Epoch || !r.State.Open() || !r.Announced.IsZero() {
		return "", errUnchanged
	}
	r.Announced = now
	if c.Token != r.Announcer {
		return "by one whose time to tell was over", nil
	}
	return "", nil
}

// unannounced reports whether the row is an open case of which somebody has still
// to be told, and which nobody is telling.
func (r *Row) unannounced(now time.Time) bool {
	return r.State.Open() && r.Announced.IsZero() && !now.Before(r.AnnounceBy)
}

// Announce takes the right to tell somebody of the row's open case, for so long.
// mine is true where the caller has it: it tells, and then calls told. Where
// that fails, or the process dies, another may tell once the time is over.
func (l *Ledger) Announce(ctx context.Context, row Row, during time.Duration) (_ Row, told func(context.Context) error, mine bool, err error) {
	token := uuid.NewString()
	row, err = l.apply(ctx, row.ID, Announce{Epoch: row.Epoch, Token: token, For: during})
	if err != nil || row.Announcer != token || !row.Announced.IsZero() {
		return row, nil, false, err
	}
	return row, func(ctx context.Context) error {
		_, err := l.apply(ctx, row.ID, Told{Epoch: row.Epoch, Token: token})
		return err
	}, true, nil
}
