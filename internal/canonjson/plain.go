package canonjson

import "bytes"

// maxPlain bounds the digits of a fraction that is taken to be a finite double
// other than zero without reading it.
const maxPlain = 40

// plain reports whether a document needs nothing but the order and the strings of
// its canonical form: its numbers are integers, or fractions without an exponent
// that are no integers, and it is not nested too deeply. Most arguments are like
// that, and are spelled in one pass over the document instead of two. It may take
// a document for plain that is no JSON; what spells it then finds that out.
func plain(document []byte) bool {
	depth := 0
	for i := 0; i < len(document); {
		switch c := document[i]; {
		case c == '"':
			i += stringLength(document[i:])
			continue
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return false
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || isDigit(c):
			n := numberLength(document[i:])
			if !plainNumber(document[i : i+n]) {
				return false
			}
			i += n
			continue
		}
		i++
	}
	return true
}

// stringLength is the length of the string that s begins with, quotes included.
func stringLength(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func numberLength(s []byte) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '-' || s[n] == '+' || s[n] == '.' || s[n] == 'e' || s[n] == 'E') {
		n++
	}
	return n
}

// plainNumber reports whether the token needs no respelling before it is put in
// order.
func plainNumber(token []byte) bool {
	token = bytes.TrimPrefix(token, []byte("-"))
	whole, fraction, fractional := bytes.Cut(token, []byte("."))
	if !digits(whole) || len(token) > maxPlain {
		return false
	}
	return !fractional || digits(fraction) && len(bytes.Trim(fraction, "0")) > 0
}

func digits(s []byte) bool {
	for _, c := range s {
		if !isDigit(c) {
			return false
		}
	}
	return true
}
