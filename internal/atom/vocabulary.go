package atom

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is what may stand behind a figure: a magnitude ("million"), a unit or a
// currency.
type word struct {
	unit      Unit
	exp       int8 // power of ten that a magnitude multiplies by
	magnitude bool
	tight     bool // counts only where it touches the figure
	before    bool // a currency that is written before the figure, too
}

// magnitudes are the words that multiply a figure, by their power of ten.
var magnitudes = []struct {
	exp          int8
	forms, tight string
}{
	{2, "hundred|hundreds|trăm|hundert", ""},
	{3, "thousand|thousands|nghìn|ngàn|nghin|ngan|Tausend|tausend|mille|mil|Tsd", "k|K"},
	{5, "lakh|lakhs|lac|lacs", ""},
	{6, "million|millions|mn|mln|Mio|mio|Millionen|millones|millón|triệu|trieu", "M|tr"},
	{7, "crore|crores|Cr", "cr"},
	{9, "billion|billions|bn|Bn|BN|bln|Mrd|mrd|Milliarde|Milliarden|milliard|milliards|tỷ|tỉ", ""},
	{12, "trillion|trillions|trn|tn|Billionen", "T"},
}

// words is the vocabulary of what stands behind a figure. A form is found as it
// is written here, or, where it has three letters or more and no capitals, in
// any case. leads holds the first words of the forms that have several.
var words, leads = vocabulary()

func vocabulary() (*vocab[word], *vocab[bool]) {
	all, first := map[string]word{}, map[string]bool{}
	add := func(forms string, w word) {
		for form := range strings.SplitSeq(forms, "|") {
			if form == "" {
				continue
			}
			all[form] = w
			if lead, _, more := strings.Cut(form, " "); more {
				first[lead] = true
			}
		}
	}
	for i := range measures {
		add(measures[i].forms, word{unit: Unit(i)})
		add(measures[i].tight, word{unit: Unit(i), tight: true})
	}
	for i := range symbols {
		u := symbolUnit(i)
		add(symbols[i].forms, word{unit: u, before: true})
		add(symbols[i].after, word{unit: u})
	}
	for code := range strings.FieldsSeq(currencyCodes) {
		add(code, word{unit: moneyCode(code), before: !strings.Contains(commonWords, code)})
	}
	for code := range strings.FieldsSeq(lowerCodes) {
		add(code, word{unit: moneyCode(strings.ToUpper(code)), before: true})
	}
	add("cent|cents|¢|xu", word{unit: cents})
	for _, m := range magnitudes {
		add(m.forms, word{magnitude: true, exp: m.exp})
		add(m.tight, word{magnitude: true, exp: m.exp, tight: true})
	}
	return newVocab(all), newVocab(first)
}

// moneyMagnitude is the power of ten that letters stand for behind a currency
// only: elsewhere they are metres, bytes and tonnes.
func moneyMagnitude(form string) (exp int8, ok bool) {
	switch form {
	case "m", "mm", "MM":
		return 6, true
	case "b", "B":
		return 9, true
	case "t":
		return 12, true
	}
	return 0, false
}

// wordAfter finds the longest word of the vocabulary that begins at text[at]
// and returns where it ends, at where there is none.
func wordAfter(text string, at int) (word, int) {
	end := wordEnd(text, at)
	if end == at {
		return symbolAfter(text, at)
	}
	if more := compound(text, end); more > end {
		if w, ok := words.get(text[at:more]); ok {
			return w, more
		}
	}
	if lead, ok := known(text[at:end], leads); ok && lead {
		for next, n := end, 0; n < 2 && next < len(text) && text[next] == ' '; n++ {
			if next = phraseEnd(text, next+1); next > end+1 {
				if w, ok := known(text[at:next], words); ok {
					return w, next
				}
			}
		}
	}
	if w, ok := known(text[at:end], words); ok {
		return w, end
	}
	return word{}, at
}

// phraseEnd is the end of a further word of a phrase, which may be a sign.
func phraseEnd(text string, at int) int {
	if at < len(text) && text[at] == '%' {
		return at + 1
	}
	return wordEnd(text, at)
}

// symbolAfter finds what is written without letters: % ‰ € °C.
func symbolAfter(text string, at int) (word, int) {
	if at >= len(text) {
		return word{}, at
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	end := at + size
	if text[at:end] == "°" {
		next := end
		if next < len(text) && text[next] == ' ' {
			next++
		}
		if next = wordEnd(text, next); next > end {
			if w, ok := words.get(text[at:next]); ok {
				return w, next
			}
		}
		return word{}, at
	}
	if w, ok := words.get(text[at:end]); ok {
		return w, end
	}
	return word{}, at
}

// wordEnd is the end of the letters that begin at text[at].
func wordEnd(text string, at int) int {
	for at < len(text) {
		if text[at] < utf8.RuneSelf {
			if !isLetter(text[at]) {
				break
			}
			at++
			continue
		}
		size := wordRune(text, at)
		if size == 0 {
			break
		}
		at += size
	}
	return at
}

// compound is the end of a unit that goes on behind its letters: km/h, m², m2,
// watt-hours.
func compound(text string, end int) int {
	if end >= len(text) {
		return end
	}
	switch c := text[end]; {
	case c == '/' || c == '-':
		return max(end, wordEnd(text, end+1))
	case (c == '2' || c == '3') && (end+1 == len(text) || !isWordByte(text[end+1])):
		return end + 1
	case strings.HasPrefix(text[end:], "²") || strings.HasPrefix(text[end:], "³"):
		return end + len("²")
	case c == '$':
		return end + 1
	}
	return end
}

// known looks a form up as it is written, then, where it is no abbreviation, in
// lower case.
func known[V any](form string, in *vocab[V]) (V, bool) {
	v, ok := in.get(form)
	if ok || len(form) < 3 {
		return v, ok
	}
	return folded(form, in)
}

// folded looks a form up in lower case.
func folded[V any](form string, in *vocab[V]) (v V, ok bool) {
	if len(form) > maxForm || !mayHaveUpper(form) {
		return v, false
	}
	var buf [maxForm + utf8.UTFMax]byte
	n := 0
	for _, r := range form {
		if n += utf8.EncodeRune(buf[n:], unicode.ToLower(r)); n > maxForm {
			return v, false
		}
	}
	return in.get(string(buf[:n]))
}

func mayHaveUpper(s string) bool {
	for i := range len(s) {
		if isUpper(s[i]) || s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

const maxForm = 40 // bytes of the longest form, and some
