package atom

import (
	"strings"
	"unicode/utf8"
)

// prefix is what stands before a number and belongs to it.
type prefix struct {
	start    int
	unit     Unit
	point    bool // the digits are decimals: .5
	negative bool
	either   bool // the sign may be a dash, a bracket or a word: both readings count
	bracket  bool // "(" stands right before it
	positive bool // "+" is written
	approx   bool
	between  bool // it is the first number of a range: "between"
}

// readPrefix reads the sign, the currency and the words before the digit at
// text[at], as far back as floor.
func readPrefix(text string, at, floor int, m Mode) (p prefix) {
	p.start = at
	if at > floor && text[at-1] == '.' && (at-1 == floor || !wordBefore(text, at-1) && text[at-2] != '.' && text[at-2] != ')') {
		p.point, p.start = true, at-1
	}
	p.takeSign(text, floor, m)
	if u, start := currencyBefore(text, p.start, floor); u != 0 {
		p.unit, p.start = u, start
		p.takeSign(text, floor, m)
	}
	p.bracket = p.start > floor && text[p.start-1] == '('
	p.readWords(text, floor)
	return p
}

// takeSign takes the sign that ends where the prefix starts.
func (p *prefix) takeSign(text string, floor int, m Mode) {
	rest := text[floor:p.start]
	size := 0
	switch {
	case strings.HasSuffix(rest, "+"):
		if !wordBefore(text, p.start-1) {
			p.start, p.positive = p.start-1, true
		}
		return
	case strings.HasSuffix(rest, "-"):
		size = 1
	case strings.HasSuffix(rest, "−"):
		size = len("−")
	case strings.HasSuffix(rest, "–"):
		size = len("–")
	}
	at := p.start - size
	if size == 0 || wordBefore(text, at) || at > 0 && (text[at-1] == ')' || text[at-1] == '-' || text[at-1] == '%') {
		return
	}
	p.negative, p.start = true, at
	// A dash may open a point of a list.
	p.either = strings.HasPrefix(text[at:], "–")
	if lead, ok := lineBefore(text, at); ok && m == Prose {
		p.either = p.either || strings.TrimLeft(lead, " ") == ""
	}
}

// lineBefore is what stands before text[at] on its line, where that is short.
func lineBefore(text string, at int) (lead string, ok bool) {
	for i := at; i >= 0 && i > at-16; i-- {
		if i == 0 || text[i-1] == '\n' {
			return text[i:at], true
		}
	}
	return "", false
}

// currencyBefore finds the currency that ends at text[at], perhaps before a space.
func currencyBefore(text string, at, floor int) (u Unit, start int) {
	end := at - spaceBefore(text, at)
	if end <= floor {
		return 0, at
	}
	dot := end
	if text[end-1] == '.' {
		end--
	}
	start = end
	for start > floor && end-start < 4 && isLetter(text[start-1]) {
		start--
	}
	if start < end && dot == end && !wordBefore(text, start) || start < end && dot > end {
		if w := words.at(text[start:end]); w.before {
			return w.unit, start
		}
		return 0, at
	}
	if start < end || end <= floor {
		return 0, at
	}
	// A sign, perhaps with letters that say whose: US$.
	_, size := utf8.DecodeLastRuneInString(text[floor:end])
	sign := end - size
	if text[sign] < 0x80 && text[sign] != '$' {
		return 0, at
	}
	for from := max(floor, sign-3); from <= sign; from++ {
		if wordBefore(text, from) && (from < sign || text[sign] >= 0x80 && wordRune(text, sign) > 0) {
			continue
		}
		if w := words.at(text[from:end]); w.before {
			return w.unit, from
		}
	}
	return 0, at
}

// lead is what a word before a number says about it.
type lead uint8

const (
	rounded lead = iota + 1 // "about": it is not exact
	negated                 // "minus"
	loss                    // "down": it is recorded with a sign or without
	between                 // it is the first of a range
	linking                 // "of", "by", "than": a word before it decides
)

var leadWords = func() *vocab[lead] {
	all := map[string]lead{}
	for l, words := range map[lead]string{
		rounded: "about roughly around nearly almost over approximately approx circa ca above below under some exceeding " +
			"rund etwa ungefähr knapp über fast environ presque casi unos aproximadamente " +
			"khoảng gần hơn trên dưới tầm chừng độ khoang",
		negated: "minus negative âm trừ",
		loss:    "loss losses drop decrease decline deficit fall reduction down fell dropped decreased declined lost refund lỗ giảm mất",
		between: "between từ giữa",
		linking: "of by than to least most as many de que xỉ đa thiểu nhất als zu",
	} {
		for w := range strings.FieldsSeq(words) {
			all[w] = l
		}
	}
	return newVocab(all)
}()

// leadPairs are pairs of words that say that a number is not exact.
var leadPairs = newVocab(map[string]bool{
	"more than": true, "less than": true, "fewer than": true, "up to": true, "at least": true, "at most": true,
	"close to": true, "north of": true, "excess of": true, "upwards of": true, "as many": true, "plus de": true, "más de": true,
	"tối đa": true, "tối thiểu": true, "ít nhất": true, "nhiều nhất": true, "xấp xỉ": true, "mehr als": true, "bis zu": true,
})

// readWords reads the one or two words before the number.
func (p *prefix) readWords(text string, floor int) {
	at := p.start
	if p.bracket {
		at--
	}
	for at > floor && p.start-at < 3 && (text[at-1] == '*' || text[at-1] == '_' || text[at-1] == '`') {
		at--
	}
	at -= spaceBefore(text, at)
	for _, sign := range [...]string{"~", "≈", "±", "∼"} {
		if strings.HasSuffix(text[floor:max(at, floor)], sign) {
			p.approx = true
			at -= len(sign)
		}
	}
	first, end := wordBack(text, at, floor)
	if first == end {
		return
	}
	switch l, _ := known(text[first:end], leadWords); l {
	case rounded:
		p.approx = true
	case between:
		p.between = true
	case negated:
		p.negative = true
	case loss:
		p.either = true
	case linking:
		before, stop := wordBack(text, first-spaceBefore(text, first), floor)
		if before == stop {
			return
		}
		if ok, _ := known(text[before:end], leadPairs); ok {
			p.approx = true
		}
		if l, _ := known(text[before:stop], leadWords); l == loss {
			p.either = true
		}
	}
}

// wordBack finds the word that ends at text[at] or before a full stop there. It
// is empty where it would be longer than any word that is looked for.
func wordBack(text string, at, floor int) (from, end int) {
	if at > floor && text[at-1] == '.' {
		at--
	}
	from = at
	for from > floor && at-from < 20 {
		if c := text[from-1]; c < utf8.RuneSelf {
			if !isLetter(c) {
				return from, at
			}
			from--
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text[floor:from])
		if wordRune(text, from-size) == 0 {
			return from, at
		}
		from -= size
	}
	if from == floor {
		return from, at
	}
	return at, at
}

// sign gives the readings their sign, or both. end is where the number ends.
func (p *prefix) sign(text string, end int, a *Atom) {
	negative, either := p.negative, p.either
	if p.bracket && !negative && !p.positive && byteAt(text, end) == ')' && (a.Unit == 0 || a.Kind != Number) {
		negative, either = true, true // as accountants write it, or a bracket in a sentence
	}
	n := a.N
	for i := range n {
		if either && a.N < len(a.Readings) {
			a.Readings[a.N] = a.Readings[i]
			if !negative {
				a.Readings[a.N].Value = -a.Readings[i].Value
			}
			a.N++
		}
		if negative {
			a.Readings[i].Value = -a.Readings[i].Value
		}
	}
}
