package atom

import "strings"

// The names of the months in English, German, French, Spanish and Italian, in
// full and short, as readTerm spells them.
var monthNames = [12]string{
	"january jan januar jaenner janner janvier janv enero ene gennaio gen",
	"february feb februar fevrier fevr fev febrero febbraio",
	"march mar marz maerz mrz mars marzo",
	"april apr avril avr abril abr aprile",
	"may mai mayo maggio mag",
	"june jun juni juin junio giugno giu",
	"july jul juli juillet juil julio luglio lug",
	"august aug aout agosto ago",
	"september sep sept septembre septiembre settembre sett set",
	"october oct oktober okt octobre octubre ottobre ott",
	"november nov novembre noviembre",
	"december dec dezember dez decembre diciembre dicembre dic", //nolint:misspell // a French word is among them
}

// Names that are other words as well stand for a month only between a day and a
// year: "12 set 2026", not "set 12".
const weakMonths = " gen mag ago set "

// English names that are other words as well stand for a month without a year only
// with a capital.
const capitalMonths = " may march "

// The Vietnamese words for the months that are more than a number. The month is
// the number otherwise: "tháng 6".
const vietnameseMonths = "gieng hai ba tu nam sau bay tam chin muoi chap"

type monthName struct {
	month         uint8
	weak, capital bool
}

var months = func() map[string]monthName {
	m := map[string]monthName{}
	for i, names := range monthNames {
		for name := range strings.FieldsSeq(names) {
			m[name] = monthName{
				month:   uint8(i + 1),
				weak:    strings.Contains(weakMonths, " "+name+" "),
				capital: strings.Contains(capitalMonths, " "+name+" "),
			}
		}
	}
	return m
}()

// readMonth reads the name of a month.
func readMonth(text string, at int) (m monthName, end int) {
	if !mayBeginDate(text, at) {
		return m, 0
	}
	w, end := readTerm(text, at)
	if w.n == 0 {
		return m, 0
	}
	if w.is("thang") {
		return vietnameseMonth(text, end)
	}
	m = months[string(w.b[:w.n])]
	if m.month == 0 {
		return m, 0
	}
	if isUpper(text[at]) {
		m.capital = false
	}
	return m, end
}

// vietnameseMonth reads what follows "tháng".
func vietnameseMonth(text string, at int) (m monthName, end int) {
	i := at + spaceAt(text, at)
	if i == at {
		return m, 0
	}
	n, size := readDigits(text, i, 2)
	if end = i + size; size == 0 {
		var w term
		w, end = readTerm(text, i)
		for name := range strings.FieldsSeq(vietnameseMonths) {
			if n++; w.is(name) {
				break
			}
		}
		switch {
		case w.is("chap"):
			n = 12
		case w.is("muoi"):
			unit, after := readTerm(text, end+spaceAt(text, end))
			if unit.is("mot") {
				n, end = 11, after
			} else if unit.is("hai") {
				n, end = 12, after
			}
		case n == 11: // none of the words
			return m, 0
		}
	}
	if n < 1 || n > 12 {
		return m, 0
	}
	return monthName{month: uint8(n)}, end
}

// dateWords is a filter of the words that can begin a date or a relative day: a
// bit for each triple of first letters. It has one table for all languages, so
// that an ordinary word costs one look.
var dateWords = func() (bits [1 << 15 / 64]uint64) {
	add := func(names string) {
		for name := range strings.FieldsSeq(names) {
			key := uint(0)
			for i, shift := range [3]uint{10, 5, 0} {
				if i > 0 && strings.IndexByte("aeiou", name[i]) >= 0 {
					bits[key/64] |= 1 << (key % 64) // as if it had a diacritic, which ends the key
				}
				key |= uint(name[i]&31) << shift
			}
			bits[key/64] |= 1 << (key % 64)
		}
	}
	for _, names := range monthNames {
		add(names)
	}
	add("thang")
	for name := range relativeDays {
		add(name)
	}
	add(relativePairs)
	return bits
}()

// mayBeginDate is whether the word at text[at] could begin a date or a relative
// day that does not begin with a digit: the name of a month, "tháng", "today". It
// is cheap, and true for some words that begin none.
func mayBeginDate(text string, at int) bool {
	if len(text)-at < 3 {
		return false
	}
	key := uint(text[at]&31) << 10
	if b := text[at+1]; b < 0x80 {
		key |= uint(b&31) << 5
		if c := text[at+2]; c < 0x80 {
			key |= uint(c & 31)
		}
	}
	return dateWords[key/64]>>(key%64)&1 != 0
}
