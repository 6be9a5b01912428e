package atom

import "strings"

// A number in words is read in a draft only: evidence writes digits, and "one"
// or "sáu" are words of every text.

// spoken is a word of a number.
type spoken struct {
	value uint64
	role  role
}

type role uint8

const (
	ones role = iota + 1
	teens
	tens
	hundred
	dozen
	scale
)

var english = newVocab(map[string]spoken{
	"zero": {0, ones}, "one": {1, ones}, "two": {2, ones}, "three": {3, ones}, "four": {4, ones}, "five": {5, ones}, "six": {6, ones}, "seven": {7, ones}, "eight": {8, ones}, "nine": {9, ones},
	"ten": {10, teens}, "eleven": {11, teens}, "twelve": {12, teens}, "thirteen": {13, teens}, "fourteen": {14, teens}, "fifteen": {15, teens}, "sixteen": {16, teens}, "seventeen": {17, teens}, "eighteen": {18, teens}, "nineteen": {19, teens},
	"twenty": {20, tens}, "thirty": {30, tens}, "forty": {40, tens}, "fifty": {50, tens}, "sixty": {60, tens}, "seventy": {70, tens}, "eighty": {80, tens}, "ninety": {90, tens},
	"hundred": {100, hundred}, "dozen": {12, dozen}, "thousand": {1e3, scale}, "million": {1e6, scale}, "billion": {1e9, scale}, "trillion": {1e12, scale},
})

var vietnamese = newVocab(map[string]spoken{
	"một": {1, ones}, "mốt": {1, ones}, "hai": {2, ones}, "ba": {3, ones}, "bốn": {4, ones}, "tư": {4, ones}, "năm": {5, ones}, "lăm": {5, ones}, "sáu": {6, ones}, "bảy": {7, ones}, "bẩy": {7, ones}, "tám": {8, ones}, "chín": {9, ones},
	"mười": {10, teens}, "mươi": {10, tens}, "chục": {10, tens}, "trăm": {100, hundred},
	"nghìn": {1e3, scale}, "ngàn": {1e3, scale}, "triệu": {1e6, scale}, "tỷ": {1e9, scale}, "tỉ": {1e9, scale},
	"muoi": {10, tens}, "nghin": {1e3, scale}, "ngan": {1e3, scale}, "trieu": {1e6, scale},
})

// spokenSizes has, for the first byte of the words of numbers, a bit for each
// length they have: it spares most words the look into the tables.
var spokenSizes = func() (sizes [256]uint32) {
	sizes['a'], sizes['A'] = 1<<1, 1<<1 // "a hundred"
	for _, words := range [...]map[string]spoken{english.m, vietnamese.m} {
		for w := range words {
			sizes[w[0]] |= 1 << len(w)
			sizes[w[0]&^0x20] |= 1 << len(w)
		}
	}
	return sizes
}()

// maxWords is how many words of a number are read.
const maxWords = 24

// tally adds up the words of a number.
type tally struct {
	total, group uint64 // of the scales so far; of what is below a thousand
	pending      uint64 // Vietnamese: a digit whose rank is not yet known
	last         role
	scale        uint64 // the last scale, which the next has to be below
	words        int
}

// english adds a word and reports whether it can follow.
func (t *tally) english(w spoken) bool {
	switch w.role {
	case ones:
		if t.last == ones || t.last == teens || w.value == 0 && t.words > 0 {
			return false
		}
		t.group += w.value
	case teens, tens:
		if t.last != 0 && t.last != hundred && t.last != scale {
			return false
		}
		t.group += w.value
	case hundred:
		if t.group == 0 || t.group >= 100 || t.last == dozen {
			return false
		}
		t.group *= 100
	case dozen:
		if t.words != 1 || t.group == 0 {
			return false
		}
		t.group *= 12
	case scale:
		if !t.toScale(w.value) {
			return false
		}
	}
	t.last = w.role
	t.words++
	return true
}

// vietnamese adds a syllable and reports whether it can follow.
func (t *tally) vietnamese(w spoken) bool {
	switch w.role {
	case ones:
		if t.pending != 0 {
			return false
		}
		t.pending = w.value
	case teens:
		if t.pending != 0 || t.group%100 != 0 {
			return false
		}
		t.group += 10
	case tens, hundred:
		if t.pending == 0 || t.group%(w.value*10) != 0 {
			return false
		}
		t.group, t.pending = t.group+t.pending*w.value, 0
	case scale:
		t.group, t.pending = t.group+t.pending, 0
		if !t.toScale(w.value) {
			return false
		}
	}
	t.last = w.role
	t.words++
	return true
}

func (t *tally) toScale(value uint64) bool {
	if t.group == 0 || t.scale != 0 && value >= t.scale {
		return false
	}
	t.total, t.group, t.scale = t.total+t.group*value, 0, value
	return true
}

// figure is the number: its last digit is the one of its last scale.
func (t *tally) figure(end int) (f figure) {
	d := decimal{mant: t.total + t.group + t.pending}
	if t.last == scale {
		for s := t.scale; s > 1; s /= 10 {
			d.mant /= 10
			d.exp++
		}
		f.approx = true
	}
	f.num = numeral{end: end, n: 1, integer: true}
	f.num.as[0] = d
	f.end = end
	return f
}

// spokenNumber reads a number in words that begins with the word text[i:e]. It
// returns 0 where there is none.
func (s *scanner) spokenNumber(i, e int) (end int) {
	text := s.text
	if e-i > len("seventeen") || spokenSizes[text[i]]>>(e-i)&1 == 0 {
		return 0
	}
	if e == i+1 && isFractionOf(text, i, s.floor) {
		return 0 // a quarter of a million, half a million
	}
	var t tally
	if _, ok := known(text[i:e], english); ok || e == i+1 && (text[i] == 'a' || text[i] == 'A') {
		end = t.readEnglish(text, i)
	} else if _, ok := known(text[i:e], vietnamese); ok {
		end = t.readVietnamese(text, i, s.floor)
	}
	if end == 0 {
		return 0
	}
	f := t.figure(end)
	f.readWords(text, false)
	if f.end < len(text) && text[f.end] == '-' && wordAt(text, f.end+1) {
		return 0 // two-factor
	}
	p := readPrefix(text, i, s.floor, s.mode)
	s.a = Atom{Start: i, End: f.end, Seconds: -1, Approx: f.approx || p.approx}
	f.settle(&s.a)
	p.sign(text, f.end, &s.a)
	if s.a.Unit == 0 {
		s.a.Noun = nounAfter(text, f.end, s.a.Readings[0].Value == 1)
	}
	return f.end
}

// isFractionOf reports whether the words before text[at] make what begins there a
// whole of which a part is meant, "a quarter of", "half".
func isFractionOf(text string, at, floor int) bool {
	before := strings.ToLower(strings.TrimRight(text[max(floor, at-len("three quarters of ")):at], " -"))
	before = strings.TrimSuffix(before, " of")
	return strings.HasSuffix(before, "half") || strings.HasSuffix(before, "third") || strings.HasSuffix(before, "quarter") ||
		strings.HasSuffix(before, "thirds") || strings.HasSuffix(before, "quarters")
}

// nextWord is the word behind text[at], behind one space or hyphen.
func nextWord(text string, at int) (from, to int) {
	from = at + spaceAt(text, at)
	if from == at && at < len(text) && text[at] == '-' {
		from++
	}
	if from == at {
		return at, at
	}
	return from, wordEnd(text, from)
}

func (t *tally) readEnglish(text string, at int) (end int) {
	from, to := at, wordEnd(text, at)
	if to == at+1 { // a hundred, a dozen
		from, to = nextWord(text, to)
		w, ok := known(text[from:to], english)
		if !ok || w.role < hundred {
			return 0
		}
		t.group, t.words = 1, 1
	}
	for t.words < maxWords {
		w, ok := known(text[from:to], english)
		if !ok || !t.english(w) {
			break
		}
		end = to
		from, to = nextWord(text, end)
		if text[from:to] == "and" && t.last >= hundred {
			from, to = nextWord(text, to)
		}
	}
	if t.words == 1 && t.group == 1 || t.words == 1 && t.last >= hundred {
		return 0 // "one" stands for a thing more often than for its number
	}
	return end
}

func (t *tally) readVietnamese(text string, at, floor int) (end int) {
	from, to := at, wordEnd(text, at)
	for t.words < maxWords {
		w, ok := known(text[from:to], vietnamese)
		if !ok || !t.vietnamese(w) {
			break
		}
		end = to
		from, to = nextWord(text, end)
		if link := text[from:to]; link == "linh" || link == "lẻ" {
			from, to = nextWord(text, to)
		}
	}
	if t.words != 1 {
		return end
	}
	before, stop := wordBack(text, at-spaceBefore(text, at), floor)
	switch w := text[at:end]; {
	case t.last != ones && t.last != teens || stop > before && (strings.EqualFold(text[before:stop], "thứ") || strings.EqualFold(text[before:stop], "tháng")):
		return 0
	case w == "hai" || w == "ba":
		for _, r := range text[from:to] {
			if r >= 0x80 {
				return end
			}
		}
		return 0
	case t.pending == 1 || w == "năm" || w == "tư" || w == "lăm":
		return 0
	}
	return end
}
