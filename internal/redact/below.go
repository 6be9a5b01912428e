package redact

import "strings"

// held are the names of members that hold the secret itself where an object has
// a secret's name.
var held = words(`value val data content plain plaintext cleartext text raw current previous old new`)

// enter remembers the object that a secret's name, which ended before j, is
// given, as in {"secret":{"value":"x"}}.
func (sc *scanner) enter(j int, kind nameClass) {
	if kind != strong && kind != password || j < sc.below {
		return
	}
	next, how := separator(sc.s, skipClosing(sc.s, j))
	if from := skipSpace(sc.s, next); how != apart && from < len(sc.s) && sc.s[from] == '{' {
		sc.below = endOfNested(sc.s, from)
	}
}

// member is what the member s[i:j] of such an object has, where it is the
// secret: whatever a name of held has, and what looks like no word where the
// name tells nothing about the secret.
func member(s string, i, j int) (from, to int) {
	next, how := separator(s, skipClosing(s, j))
	if how != told && how != listed {
		return 0, 0
	}
	var buf [longName]byte
	name, _ := normal(&buf, s[i:j])
	from = skipSpace(s, next)
	behind, q := opening(s, from)
	window := upTo(s, behind)
	if held[string(name)] {
		if from == len(s) || s[from] == '{' || s[from] == '[' {
			return 0, 0
		}
		return valueAt(s, from, strong)
	}
	if behind == from || hasSuffix(name, about) || string(name) == "key" {
		return 0, 0
	}
	v := window[behind:closing(window, behind, q)]
	if !mixed(v) || endOfToken(v, 0) < len(v) {
		return 0, 0
	}
	return behind, closing(s, behind, q)
}

// endOfNested is behind the brace or bracket that closes the one at i, or the
// end of the text.
func endOfNested(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '\\':
			behind, q := opening(s, i)
			if behind > i {
				i = closing(s, behind, q) + behind - i
				continue
			}
			i += len(s[i:]) - len(strings.TrimLeft(s[i:], `\`))
			continue
		}
		i++
	}
	return len(s)
}
