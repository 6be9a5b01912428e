package atom

import (
	"unicode"
	"unicode/utf8"
)

// fold is a running FNV-1a hash of what is left of a text when its spelling is
// folded away.
type fold uint64

const foldStart fold = 14695981039346656037

func (f fold) add(c byte) fold { return (f ^ fold(c)) * 1099511628211 }

// text adds s in lower case, as it is otherwise.
func (f fold) text(s string) fold {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			f = f.add(lower(c))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		f = f.rune(unicode.ToLower(r))
		i += size
	}
	return f
}

func (f fold) rune(r rune) fold {
	var b [utf8.UTFMax]byte
	for _, c := range b[:utf8.EncodeRune(b[:], r)] {
		f = f.add(c)
	}
	return f
}

// sum is the hash. It is never 0, which says that there is none.
func (f fold) sum() uint64 {
	if f == 0 {
		return 1
	}
	return uint64(f)
}

// hashCode hashes a code: case is folded, spaces, hyphens and underscores are
// left out, and so is the v of a version. "INV-2210", "inv 2210" and "INV_2210"
// are one; "1.23" and "12.3" are two. A row of digits hashes as its digits,
// whatever kind of atom it is part of.
func hashCode(s string) uint64 {
	if len(s) > 2 && lower(s[0]) == 'v' && digit(s[1]) {
		if _, dotted := dottedDigits(s, 1); dotted > 0 {
			s = s[1:]
		}
	}
	f := foldStart
	for i := 0; i < len(s); {
		c := s[i]
		if c == ' ' || c == '_' {
			i++
			continue
		}
		if n := dash(s, i); n > 0 {
			i += n
			continue
		}
		if n := spaceAt(s, i); n > 0 {
			i += n
			continue
		}
		f = f.add(lower(c))
		i++
	}
	return f.sum()
}

// hashDigits hashes the digits of s and nothing else.
func hashDigits(s string) uint64 {
	f := foldStart
	for i := 0; i < len(s); i++ {
		if digit(s[i]) {
			f = f.add(s[i])
		}
	}
	return f.sum()
}
