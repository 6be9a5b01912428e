package atom

// relativeDays are the words for a day by its distance, as readTerm spells them.
// Words that are others as well in one of the languages ("morgen", "hier",
// "mañana") are left out: an atom that is none would be judged.
var relativeDays = map[string]int16{
	"today": 0, "yesterday": -1, "tomorrow": 1,
	"heute": 0, "gestern": -1, "vorgestern": -2,
	"demain": 1,
	"hoy":    0, "ayer": -1, "anteayer": -2,
	"oggi": 0, "ieri": -1, "domani": 1, "dopodomani": 2,
}

// relativePairs are the words that only say a day with a second one: "hôm qua",
// "ngày mai", "aujourd'hui".
const relativePairs = "hom ngay aujourd"

// scanRelative reads a day that is written by its distance and begins at text[at]:
// "today", "hôm qua", "3 days ago", "vor 3 Tagen". A time of day that follows
// belongs to it. What needs the weekday of today ("last Monday") is none.
func scanRelative(text string, at int, a *Atom) (end int) {
	var days int16
	if digitAt(text, at) {
		days, end = daysAgo(text, at)
	} else if mayBeginDate(text, at) {
		days, end = relativeWord(text, at)
	}
	if end == 0 {
		return 0
	}
	*a = Atom{Kind: Date, Start: at, End: end, Seconds: -1, Relative: Relative{Days: days, Set: true}}
	a.readClockBehind(text)
	return a.End
}

func relativeWord(text string, at int) (days int16, end int) {
	w, end := readTerm(text, at)
	if w.n == 0 || backDash(text, at) > 0 { // "après-demain"
		return 0, 0
	}
	if w.is("aujourd") {
		if i := end + apostrophe(text, end); i > end {
			if w, end = readTerm(text, i); w.is("hui") && endsWord(text, end) {
				return 0, end
			}
		}
		return 0, 0
	}
	if w.is("hom") || w.is("ngay") {
		return relativePair(text, w, end)
	}
	days, known := relativeDays[string(w.b[:w.n])]
	if !known || !endsWord(text, end) {
		return 0, 0
	}
	// "the day before yesterday", "the day after tomorrow"
	if w.is("yesterday") || w.is("tomorrow") {
		between, i := termBefore(text, backSpaces(text, at))
		day, _ := termBefore(text, backSpaces(text, i))
		if day.is("day") && (between.is("before") && days < 0 || between.is("after") && days > 0) {
			days *= 2
		}
	}
	return days, end
}

// relativePair reads what follows "hôm" or "ngày".
func relativePair(text string, first term, at int) (days int16, end int) {
	i := skipSpaces(text, at)
	if i == at {
		return 0, 0
	}
	second, end := readTerm(text, i)
	if !endsWord(text, end) {
		return 0, 0
	}
	if first.is("hom") {
		switch {
		case second.is("nay"):
			return 0, end
		case second.is("qua"):
			return -1, end
		case second.is("kia"):
			return -2, end
		}
		return 0, 0
	}
	switch {
	case second.is("mai"):
		return 1, end
	case second.is("mot"):
		return 2, end
	}
	return 0, 0
}

// apostrophe is the length of the apostrophe at text[i], straight or curved.
func apostrophe(text string, i int) int {
	switch {
	case byteAt(text, i) == '\'':
		return 1
	case byteAt(text, i) == 0xE2 && byteAt(text, i+1) == 0x80 && byteAt(text, i+2) == 0x99:
		return 3
	}
	return 0
}

// longAgo bounds "N days ago": three digits of days, two of weeks.
const longAgo = 999

// daysAgo reads a number of days or weeks with the word that turns it to the past
// behind it ("ago", "trước", "fa") or before it ("vor", "hace", "il y a").
func daysAgo(text string, at int) (days int16, end int) {
	n, size := readDigits(text, at, 3)
	i := skipSpaces(text, at+size)
	if size == 0 || i == at+size {
		return 0, 0
	}
	unit, end := readTerm(text, i)
	switch {
	case unit.is("day"), unit.is("days"), unit.is("ngay"), unit.is("tage"), unit.is("tagen"), unit.is("tag"),
		unit.is("jour"), unit.is("jours"), unit.is("dia"), unit.is("dias"), unit.is("giorno"), unit.is("giorni"):
	case unit.is("week"), unit.is("weeks"), unit.is("tuan"), unit.is("wochen"), unit.is("semaines"),
		unit.is("semanas"), unit.is("settimane"):
		n *= 7
	default:
		return 0, 0
	}
	if n > longAgo || !endsWord(text, end) {
		return 0, 0
	}
	before, at := termBefore(text, backSpaces(text, at))
	if before.is("vor") || before.is("hace") {
		return int16(-n), end
	}
	if before.is("a") {
		if y, _ := termBefore(text, backSpaces(text, at)); y.is("y") {
			return int16(-n), end
		}
	}
	w, stop := readTerm(text, skipSpaces(text, end))
	if !endsWord(text, stop) {
		return 0, 0
	}
	switch {
	case w.is("ago"), w.is("fa"):
		return int16(-n), stop
	case w.is("truoc"):
		// "3 ngày trước khi …" is before something else
		if then, _ := readTerm(text, skipSpaces(text, stop)); !then.is("khi") && !then.is("do") && !then.is("ngay") {
			return int16(-n), stop
		}
	case w.is("nua"):
		return int16(n), stop
	}
	return 0, 0
}
