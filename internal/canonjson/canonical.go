package canonjson

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxBytes bounds a document. Arguments of a tool are far smaller; a model
	// that sends more than a mebibyte is sending a file in the wrong place.
	MaxBytes = 1 << 20
	// MaxDepth bounds the nesting of a document.
	MaxDepth = 128
)

// Form turns documents into their canonical spelling. The zero value leaves
// nothing out. A Form is not changed after it was made and is safe for
// concurrent use.
type Form struct {
	volatile []pointer
}

// New returns a form that leaves the volatile fields out: JSON pointers
// ("/customer/note", "/lines/*/memo" for every element of an array), or plain
// names of top-level members ("memo"). The error matches [ErrPointer].
func New(volatile ...string) (*Form, error) {
	f := &Form{}
	for _, v := range volatile {
		p, err := parsePointer(v)
		if err != nil {
			return nil, err
		}
		f.volatile = append(f.volatile, p)
	}
	return f, nil
}

// Canonicalize returns the canonical spelling of one document with nothing
// left out. The error matches [ErrRefused].
func Canonicalize(document []byte) ([]byte, error) { return new(Form).Canonicalize(document) }

// Canonicalize returns the canonical spelling of one document, without the
// volatile fields. The document is not changed. The error matches [ErrRefused].
func (f *Form) Canonicalize(document []byte) ([]byte, error) {
	if len(document) > MaxBytes {
		return nil, &Error{Rule: RuleSize, Offset: MaxBytes}
	}
	if len(f.volatile) == 0 && plain(document) {
		v := jsontext.Value(bytes.Clone(document))
		if v.Canonicalize(jsontext.CanonicalizeRawInts(false)) == nil {
			return slices.Clip([]byte(v)), nil
		} // what is wrong with it, the way below says
	}
	return f.respell(document)
}

// respell copies the document token by token before it is put in order.
func (f *Form) respell(document []byte) ([]byte, error) {
	c := copier{
		form: f,
		in:   jsontext.NewDecoder(bytes.NewBuffer(document)),
	}
	c.buf.Grow(len(document) + 1)
	c.out = jsontext.NewEncoder(&c.buf)
	if err := c.document(); err != nil {
		return nil, refuse(err, c.in.InputOffset())
	}
	v := jsontext.Value(bytes.TrimSuffix(c.buf.Bytes(), []byte("\n")))
	if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		return nil, refuse(err, 0)
	}
	return slices.Clip([]byte(v)), nil
}

// copier copies a document token by token: it checks the depth, respells the
// numbers and leaves out what is volatile. Order and strings come afterwards.
type copier struct {
	form   *Form
	in     *jsontext.Decoder
	out    *jsontext.Encoder
	buf    bytes.Buffer
	number []byte
	path   []level
}

func (c *copier) document() error {
	if err := c.value(); err != nil {
		return err
	}
	switch _, err := c.in.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return &Error{Rule: RuleSyntax, Offset: c.in.InputOffset()} // a second value
}

func (c *copier) value() error {
	switch kind := c.in.PeekKind(); kind {
	case '{', '[':
		return c.container(kind == '[')
	case '0':
		token, err := c.in.ReadValue()
		if err != nil {
			return err
		}
		var ok bool
		if c.number, ok = appendNumber(c.number[:0], token); !ok {
			return &Error{Rule: RuleRange, Offset: c.in.InputOffset()}
		}
		return c.out.WriteValue(c.number)
	default:
		return c.token()
	}
}

func (c *copier) token() error {
	tok, err := c.in.ReadToken()
	if err != nil {
		return err
	}
	return c.out.WriteToken(tok)
}

func (c *copier) container(array bool) error {
	if c.in.StackDepth() >= MaxDepth {
		return &Error{Rule: RuleDepth, Offset: c.in.InputOffset()}
	}
	if err := c.token(); err != nil {
		return err
	}
	c.path = append(c.path, level{array: array, index: -1})
	for {
		switch c.in.PeekKind() {
		case '}', ']':
			c.path = c.path[:len(c.path)-1]
			return c.token()
		}
		if err := c.member(array); err != nil {
			return err
		}
	}
}

func (c *copier) member(array bool) error {
	at := &c.path[len(c.path)-1]
	if array {
		at.index++
		if c.volatile() {
			return c.in.SkipValue()
		}
		return c.value()
	}
	if len(c.form.volatile) == 0 {
		if err := c.token(); err != nil {
			return err
		}
		return c.value()
	}
	name, err := c.in.ReadToken()
	if err != nil {
		return err
	}
	at.name = name.String()
	if c.volatile() {
		return c.in.SkipValue()
	}
	if err := c.out.WriteToken(jsontext.String(at.name)); err != nil {
		return err
	}
	return c.value()
}

func (c *copier) volatile() bool {
	return slices.ContainsFunc(c.form.volatile, func(p pointer) bool { return p.matches(c.path) })
}
