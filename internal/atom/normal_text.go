package atom

import (
	"unicode"
	"unicode/utf8"
)

func digit(c byte) bool   { return c-'0' <= 9 }
func isUpper(c byte) bool { return c-'A' < 26 }
func isAlnum(c byte) bool { return digit(c) || isLetter(c) }

func lower(c byte) byte {
	if isUpper(c) {
		c += 'a' - 'A'
	}
	return c
}

// byteAt is text[i], or 0 outside of the text.
func byteAt(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return 0
	}
	return text[i]
}

// endsWord is whether no letter, digit or underscore follows at text[i].
func endsWord(text string, i int) bool {
	return byteAt(text, i) != '_' && endsRun(text, i)
}

// endsRun is whether no letter or digit follows at text[i].
func endsRun(text string, i int) bool {
	if i >= len(text) {
		return true
	}
	if c := text[i]; c < utf8.RuneSelf {
		return !isAlnum(c)
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

// readDigits reads a row of at most most digits. n is 0 where there is none, or a
// longer one.
func readDigits(text string, at, most int) (value, n int) {
	for digitAt(text, at+n) {
		if n == most {
			return 0, 0
		}
		value = value*10 + int(text[at+n]-'0')
		n++
	}
	return value, n
}

// skipSpaces passes up to two spaces.
func skipSpaces(text string, i int) int {
	i += spaceAt(text, i)
	return i + spaceAt(text, i)
}

// backSpaces is skipSpaces to the left: the index behind the last byte before
// text[i] that is no space.
func backSpaces(text string, i int) int {
	i -= spaceBefore(text, i)
	return i - spaceBefore(text, i)
}

// dash is the length of the hyphen or dash at text[i], whichever of them it is:
// people, editors and models exchange them freely. 0: none.
func dash(text string, i int) int {
	switch c := byteAt(text, i); {
	case c == '-':
		return 1
	case c != 0xE2:
		return 0
	case byteAt(text, i+1) == 0x80 && byteAt(text, i+2)-0x90 <= 4, // U+2010 to U+2014
		byteAt(text, i+1) == 0x88 && byteAt(text, i+2) == 0x92: // the minus sign
		return 3
	}
	return 0
}

// backDash is the length of the dash that ends at text[i].
func backDash(text string, i int) int {
	if i >= 1 && text[i-1] == '-' {
		return 1
	}
	if i >= 3 && dash(text, i-3) == 3 {
		return 3
	}
	return 0
}

// termMax is the length of the longest word that is looked up.
const termMax = 12

// term is a word in lower case and without diacritics: "Août" is "aout", "ngày"
// is "ngay". It is empty where there is no word, or a longer one.
type term struct {
	b [termMax]byte
	n int
}

func (w *term) is(s string) bool { return string(w.b[:w.n]) == s }

// readTerm reads the letters that begin at text[at], and says where they end.
func readTerm(text string, at int) (w term, end int) {
	for end = at; end < len(text); {
		c, size := text[end], 1
		if c < utf8.RuneSelf {
			if !isLetter(c) {
				break
			}
			c |= 0x20
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(text[end:])
			if unicode.Is(unicode.Mn, r) { // a diacritic that is written by itself
				end += size
				if end-at > 3*termMax {
					return term{}, at
				}
				continue
			}
			if c = base(r); c == 0 {
				if unicode.IsLetter(r) {
					return term{}, at
				}
				break
			}
		}
		if w.n == termMax {
			return term{}, at
		}
		w.b[w.n] = c
		w.n++
		end += size
	}
	return w, end
}

// termBefore reads the word that ends at text[end].
func termBefore(text string, end int) (w term, at int) {
	at = end
	for at > 0 && end-at <= 3*termMax && (isLetter(text[at-1]) || text[at-1] >= utf8.RuneSelf) {
		at--
	}
	w, stop := readTerm(text, at)
	if stop != end {
		return term{}, end
	}
	return w, at
}

// The letters without their diacritics from U+00C0 and from U+1E00 on; a dot is
// none.
const (
	latin     = "aaaaaa.ceeeeiiii.nooooo.ouuuuy.saaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggggggghh..iiiiiiiii...jjkk.llllll..llnnnnnn...oooooo..rrrrrrsssssssstttt..uuuuuuuuuuuuwwyyyzzzzzz.................................oo.............uu"
	latinMore = "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy......aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......"
)

// base is a letter without its diacritics and in lower case, 0 where it has no
// Latin one.
func base(r rune) (c byte) {
	switch {
	case r >= 0xC0 && r < 0xC0+rune(len(latin)):
		c = latin[r-0xC0]
	case r >= 0x1E00 && r < 0x1E00+rune(len(latinMore)):
		c = latinMore[r-0x1E00]
	}
	if c == '.' {
		return 0
	}
	return c
}
