package toolkit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/redact"
)

// text is what a model may see of a call.
func (v view) text(value any, o fault.Outcome) string {
	in := v.line(o)
	if o.Kind != fault.KindOK {
		return fault.Line(in) + v.extract(o)
	}
	if v.shown == nil {
		if v.standIn != nil {
			value = deref(v.standIn)
		}
		v.show(value)
	}
	body := v.shown.body()
	if v.shown.cut() { // a model that is shown a part has a part
		v.run.Qualify(v.seq, fault.Truncated)
		in.Outcome.Qualifiers |= fault.Truncated
	}
	if note := fault.Caution(in); note != "" {
		if body == "" || body == "null" || o.Qualifiers.Has(fault.NoValue) {
			return note
		}
		return body + "\n" + note
	}
	return body
}

// shown is the text of a value, and how much of it a model sees.
type shown struct {
	whole string
	fits  int // bytes of it
}

func (s *shown) cut() bool { return s.fits < len(s.whole) }

// part is what the model sees of it, which does not hold on to the rest.
func (s *shown) part() string {
	if !s.cut() {
		return s.whole
	}
	return strings.Clone(s.whole[:s.fits])
}

func (s *shown) body() string {
	if !s.cut() {
		return s.whole
	}
	return fmt.Sprintf("%s\n[cut here: %d of %d bytes shown]", s.whole[:s.fits], s.fits, len(s.whole))
}

// show makes the text of the value and reports whether it was cut. A call by
// name makes it before it is recorded: a model that saw a part has a part.
func (v *view) show(value any) bool {
	whole := written(value)
	fits := len(whole)
	if limit := v.tool.maxResult; fits > limit {
		for fits = limit; fits > limit-utf8.UTFMax && !utf8.ValidString(whole[max(0, fits-utf8.UTFMax):fits]); {
			fits--
		}
	}
	v.shown = &shown{whole, fits}
	return v.shown.cut()
}

// written is the value as a text.
func written(value any) (body string) {
	defer func() {
		if recover() != nil { // the value writes itself, and cannot
			body = unshowable(value)
		}
	}()
	switch text := value.(type) {
	case string:
		body = text
	case json.RawMessage:
		body = string(text)
	case ModelTexter:
		body = text.ModelText()
	default:
		var ok bool
		if body, ok = carriedText(value); ok {
			break
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return unshowable(value)
		}
		body = string(raw)
	}
	return body
}

// unshowable stands in for a value. Which part of it cannot be written is the
// programmer's business.
func unshowable(value any) string { return fmt.Sprintf("(a %T that cannot be shown)", value) }

// maxExtract bounds the extract of an error that a tool opted in to.
const maxExtract = 2 << 10

// extract is the redacted and fenced text of the cause, for tools that want
// their model to see it: a command's output says what to change. The fence
// cannot be closed from inside.
func (v view) extract(o fault.Outcome) string {
	if v.tool == nil || !v.tool.detail || o.Fault == nil || o.Fault.Err == nil || o.Kind != fault.KindFailed {
		return ""
	}
	const before, after = "\n<tool_output data-only=\"true\">\n", "\n</tool_output>"
	const room = maxExtract - len(before) - len(after)
	text := clean(v.tool.kit.redacted(tail(detailOf(o.Fault.Err), 8*room)), room)
	if text == "" {
		return ""
	}
	return before + text + after
}

// redacted applies the kit's redaction.
func (k *Kit) redacted(s string) string {
	clean, _ := redact.By(k.cfg.Redact, s)
	return clean
}

// tail keeps the end of a text that is too long: that is where a program says
// what went wrong. A word that the cut runs through is left out, for half of a
// secret may no longer look like one.
func tail(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = s[len(s)-limit:]
	if space := strings.IndexAny(s, " \t\r\n"); space >= 0 {
		s = s[space:]
	}
	return s
}

// clean drops what a reader cannot see or is turned around by, takes the
// brackets of anything that looks like a tag, and keeps the end of what is too
// long.
func clean(s string, limit int) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			return '('
		case r == '>':
			return ')'
		case r == '\n' || r == '\t':
			return r
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return -1
		}
		return r
	}, s))
	if len(s) <= limit {
		return s
	}
	const mark = "[…] "
	s = s[len(s)-limit+len(mark):]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return mark + s
}

// deref returns what a pointer points to.
func deref(pointer any) any { return reflect.ValueOf(pointer).Elem().Interface() }
