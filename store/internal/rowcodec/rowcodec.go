package rowcodec

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/seal"
)

// body is a row as JSON. The fields below hide those of the row that hold payloads.
type body struct {
	*idempotency.Row
	Args     *struct{} `json:"args,omitempty"`
	Result   *struct{} `json:"result,omitempty"`
	Decision *decision `json:"decision,omitempty"`
}

// decision is a decision whose payloads are sealed, or told to be the row's own.
type decision struct {
	idempotency.Decision
	Args   *payload `json:"args,omitempty"`
	Result *payload `json:"result,omitempty"`
}

type payload struct {
	Same   bool   `json:"same,omitempty"` // as the row's
	Sealed []byte `json:"sealed,omitempty"`
}

// Encode takes a row apart. A nil Sealer keeps its payloads plain. The row is not
// changed, and its payloads may be shared.
func Encode(row *idempotency.Row, s *seal.Sealer) (Columns, error) {
	c := columns(row)
	c.Args, c.Result = s.Seal(row.Args, "args/"+row.ID), s.Seal(row.Result, "result/"+row.ID)
	b := body{Row: row}
	if d := row.Decision; d != nil {
		b.Decision = &decision{
			Decision: *d,
			Args:     pack(d.Args, row.Args, s, "decision/args/"+row.ID),
			Result:   pack(d.Result, row.Result, s, "decision/result/"+row.ID),
		}
	}
	var err error
	c.Body, err = json.Marshal(b)
	return c, err
}

// Decode puts a row together again. The error matches [ErrCorrupt], or that of the
// sealer where a payload does not open.
func Decode(c Columns, s *seal.Sealer) (idempotency.Row, error) {
	row := idempotency.Row{}
	damaged := func(err error) (idempotency.Row, error) {
		return idempotency.Row{}, &CorruptError{ID: c.ID, Err: err}
	}
	b := body{Row: &row}
	if err := json.Unmarshal(c.Body, &b); err != nil {
		return damaged(errors.New("its body is no JSON of a row"))
	}
	if row.ID != c.ID || row.Version != c.Version || row.State.String() != c.State {
		return damaged(errors.New("its body says otherwise than its columns"))
	}
	var err error
	if row.Args, err = s.Open(c.Args, "args/"+c.ID); err != nil {
		return damaged(err)
	}
	if row.Result, err = s.Open(c.Result, "result/"+c.ID); err != nil {
		return damaged(err)
	}
	if b.Decision == nil {
		return row, nil
	}
	d := b.Decision.Decision
	if d.Epoch != row.Epoch && len(row.Attempts) == 0 { // the rules look at the attempt that followed
		return damaged(errors.New("its decision is about an attempt that never was"))
	}
	if d.Args, err = unpack(b.Decision.Args, row.Args, s, "decision/args/"+c.ID); err != nil {
		return damaged(err)
	}
	if d.Result, err = unpack(b.Decision.Result, row.Result, s, "decision/result/"+c.ID); err != nil {
		return damaged(err)
	}
	row.Decision = &d
	return row, nil
}

func pack(value, rows json.RawMessage, s *seal.Sealer, about string) *payload {
	switch {
	case value == nil:
		return nil
	case bytes.Equal(value, rows):
		return &payload{Same: true}
	}
	return &payload{Sealed: s.Seal(value, about)}
}

func unpack(p *payload, rows json.RawMessage, s *seal.Sealer, about string) (json.RawMessage, error) {
	switch {
	case p == nil:
		return nil, nil
	case p.Same:
		return rows, nil
	}
	return s.Open(p.Sealed, about)
}
