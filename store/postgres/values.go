package postgres

import (
	"strings"
	"time"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/rowcodec"
	"github.com/failloud/failloud/store/internal/seal"
)

// kept is a row as the server returns it, or nothing where there is none.
type kept struct {
	id, state          *string
	version            *int64
	body, args, result []byte
}

func (k *kept) into() []any {
	return []any{&k.id, &k.version, &k.state, &k.body, &k.args, &k.result}
}

func (k *kept) decode(s *seal.Sealer) (idempotency.Row, error) {
	row, err := rowcodec.Decode(rowcodec.Columns{
		ID: *k.id, Version: *k.version, State: *k.state, Body: k.body, Args: k.args, Result: k.result,
	}, s)
	if err != nil {
		return idempotency.Row{}, &Error{Op: "read", Kind: ErrCorrupt, Err: err}
	}
	return row, nil
}

// PostgreSQL keeps no zero byte in a text, and only valid UTF-8. The columns are
// for searching; the row itself lies in its body.
var (
	withoutZero = strings.NewReplacer("\u2400", "\u2400\u2400", "\x00", "\u24000")
	withZero    = strings.NewReplacer("\u2400\u2400", "\u2400", "\u24000", "\x00")
)

func plain(s string) string { return withoutZero.Replace(strings.ToValidUTF8(s, "\ufffd")) }

// Columns that most rows do not have are NULL, which costs nothing and stays out of
// the partial indexes.

func text(s string) any {
	if s == "" {
		return nil
	}
	return plain(s)
}

func flag(b bool) any {
	if b {
		return true
	}
	return nil
}

// moment is a time of a row. The server counts microseconds; the fraction is rounded
// up, so that a time that has come for the server has come for the rules.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	if whole := t.Truncate(time.Microsecond); whole.Before(t) {
		return whole.Add(time.Microsecond)
	}
	return t
}
