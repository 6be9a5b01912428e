package rawjson

import "bytes"

// maxDepth is how deep values may be nested: ten times deeper than any log
// that was met.
const maxDepth = 1000

// state is what may come next in a value.
type state uint8

const (
	wantValue    state = iota // also before the first byte
	wantElement               // a value or the end of the array
	wantFirstKey              // a key or the end of the object
	wantKey
	wantColon
	wantComma // or the end of what is open
	inScalar
)

// verdict is how far a scan has come.
type verdict uint8

const (
	more verdict = iota // the value goes on
	done                // the value has ended before the index
	bad                 // the byte at the index cannot stand there
	deep                // nested too deeply; the scan can go on to find its end
)

// scanner follows the grammar of one value over pieces of text. It works on a
// stack of its own and never recurses.
type scanner struct {
	state  state
	quoted bool   // inside of a string
	key    bool   // which is a key
	escape bool   // and the last piece ended behind a backslash
	blind  bool   // the start of a scalar may be gone: do not look at its text
	over   int    // levels beyond maxDepth, where only brackets are counted
	token  int    // where the scalar began
	open   []bool // what is open: true is an object
}

func (s *scanner) reset() { *s = scanner{open: s.open[:0]} }

// feed goes on with b[i:end] and returns the index at which it stopped.
func (s *scanner) feed(b []byte, i, end int) (int, verdict) {
	for i < end {
		if s.quoted {
			if i = s.toQuote(b, i, end); s.quoted {
				return end, more
			}
			s.afterString()
			if s.state == wantComma && len(s.open) == 0 {
				return i, done
			}
			continue
		}
		c := b[i]
		if s.state == inScalar {
			if scalarByte[c] {
				i++
				continue
			}
			if v := s.endScalar(b, i); v != more {
				return i, v
			}
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case '"':
			if s.state > wantKey && s.over == 0 {
				return i, bad
			}
			s.quoted, s.key = true, s.state == wantKey || s.state == wantFirstKey
			i++
			continue
		}
		if s.over > 0 {
			s.count(c)
			i++
			continue
		}
		v := s.step(c, i)
		if v == bad {
			return i, bad
		}
		i++
		if v != more {
			return i, v
		}
	}
	return i, more
}

// step takes one byte outside of strings and scalars.
func (s *scanner) step(c byte, i int) verdict {
	switch c {
	case '{', '[':
		if s.state != wantValue && s.state != wantElement {
			return bad
		}
		if len(s.open) == maxDepth {
			s.over = 1
			return deep
		}
		s.open = append(s.open, c == '{')
		s.state = wantElement
		if c == '{' {
			s.state = wantFirstKey
		}
	case '}', ']':
		first := wantElement
		if c == '}' {
			first = wantFirstKey
		}
		top := len(s.open) - 1
		if top < 0 || s.open[top] != (c == '}') || s.state != first && s.state != wantComma {
			return bad
		}
		s.open = s.open[:top]
		s.state = wantComma
		if top == 0 {
			return done
		}
	case ':':
		if s.state != wantColon {
			return bad
		}
		s.state = wantValue
	case ',':
		if s.state != wantComma || len(s.open) == 0 {
			return bad
		}
		s.state = wantValue
		if s.open[len(s.open)-1] {
			s.state = wantKey
		}
	default:
		if !scalarByte[c] || s.state != wantValue && s.state != wantElement {
			return bad
		}
		s.state, s.token = inScalar, i
	}
	return more
}

// count follows the brackets beyond maxDepth.
func (s *scanner) count(c byte) {
	switch c {
	case '{', '[':
		s.over++
	case '}', ']':
		if s.over--; s.over == 0 {
			s.state = wantComma
		}
	}
}

// endScalar is called with the index behind a scalar.
func (s *scanner) endScalar(b []byte, i int) verdict {
	if !s.blind && !validScalar(b[s.token:i]) {
		return bad
	}
	s.blind = false
	s.state = wantComma
	if len(s.open) == 0 {
		return done
	}
	return more
}

func (s *scanner) afterString() {
	s.state = wantComma
	if s.key {
		s.state = wantColon
	}
}

// toQuote returns the index behind the quote that ends the string, with quoted
// set to false, or end.
func (s *scanner) toQuote(b []byte, i, end int) int {
	if s.escape {
		s.escape = false
		i++
	}
	from := i
	for i < end {
		quote := bytes.IndexByte(b[i:end], '"')
		if quote < 0 {
			break
		}
		at := i + quote
		if slashes(b, from, at)&1 == 0 {
			s.quoted = false
			return at + 1
		}
		i = at + 1
		from = i
	}
	s.escape = slashes(b, min(from, end), end)&1 == 1
	return end
}

// slashes counts the backslashes before index at, not before from.
func slashes(b []byte, from, at int) int {
	n := 0
	for at-n > from && b[at-n-1] == '\\' {
		n++
	}
	return n
}
