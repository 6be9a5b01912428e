package atom

// The years that a date can have: of four digits where the form says that it is a
// year (2026-06-30), and where only its place does (June 2026, 06/2026).
const (
	firstYear, lastYear           = 1000, 2999
	firstLikelyYear, lastLikely   = 1900, 2099
	twoDigitYear, century, former = 70, 100, 1900 // 69 is 2069, 70 is 1970
)

// scanDate reads a day, a month of a year, or a day of a month that begins at
// text[at]. A time of day behind it ("2026-06-30T14:30:00Z", "June 30 at 2 pm",
// "30/6 lúc 14 giờ 30") belongs to it, and Seconds is set; one before it ("14:30 on
// June 30") is a [Clock] of its own. A weekday or "ngày" before it is no part of
// it. Of a range ("June 3–5, 2026") each day is an atom with the month and year
// that are written once.
func scanDate(text string, at int, a *Atom) (end int) {
	var days [2]Day
	switch {
	case !digitAt(text, at):
		days[0], end = monthFirst(text, at)
	default:
		if days, end = numericDate(text, at); end == 0 {
			days[0], end = dayFirst(text, at)
		}
		if end == 0 {
			days[0], end = yearThenMonth(text, at)
		}
		if end == 0 {
			days[0], end = markedParts(text, at)
		}
		if end == 0 {
			days[0], end = lastOfRange(text, at)
		}
	}
	if end == 0 {
		return 0
	}
	*a = Atom{Kind: Date, Start: at, End: end, Seconds: -1, Dates: days}
	if days[0].Day != 0 {
		a.readClockBehind(text)
		if a.Seconds >= 0 && days[0].Year == 0 { // "Jun 30 14:30:05 2026"
			if y, stop := yearBehind(text, a.End); y != 0 {
				a.Dates[0].Year, a.End = y, stop
			}
		}
	}
	return a.End
}

// real is whether there is such a day; a part that is 0 is not written.
func (d Day) real() bool {
	if d.Month < 1 || d.Month > 12 || d.Day > 31 {
		return false
	}
	switch d.Month {
	case 4, 6, 9, 11:
		return d.Day <= 30
	case 2:
		leap := d.Year%4 == 0 && (d.Year%100 != 0 || d.Year%400 == 0) // so is the year that is not written
		return d.Day <= 28 || leap && d.Day == 29
	}
	return true
}

// daysOf lists the readings of two parts and a year: day before month, and month
// before day, the second only where the first is none if the day stands first.
func daysOf(first, second int, year int16, dayFirst bool) (days [2]Day) {
	if first == 0 || second == 0 {
		return days
	}
	dm, md := Day{year, uint8(second), uint8(first)}, Day{year, uint8(first), uint8(second)}
	switch {
	case !dm.real() && md.real():
		days[0] = md
	case dm.real():
		days[0] = dm
		if md.real() && md != dm && !dayFirst {
			days[1] = md
		}
	}
	return days
}

// numericDate reads a date that is all digits: 2026-06-30, 30/06/2026, 30.6.26,
// 06/2026, 30/6, 20260630T1430.
func numericDate(text string, at int) (days [2]Day, end int) {
	first, n := readDigits(text, at, 8)
	i := at + n
	if n == 8 { // only beside a time: it is a number otherwise
		d := Day{int16(first / 10000), uint8(first / 100 % 100), uint8(first % 100)}
		if c := byteAt(text, i); (c == 'T' || c == 't') && digitAt(text, i+3) && d.Day > 0 && d.real() && d.Year >= firstYear && d.Year <= lastYear {
			return [2]Day{d}, i
		}
		return days, 0
	}
	sep := dateSeparator(text, i)
	if sep == 0 || piece(text, at, text[i]) {
		return days, 0
	}
	second, m := readDigits(text, i+sep, 4)
	j := i + sep + m
	third, k := 0, 0
	if m > 0 && dateSeparator(text, j) == sep && text[j] == text[i] {
		third, k = readDigits(text, j+sep, 4)
	}
	end = j
	if k > 0 {
		end = j + sep + k
	}
	if !endsDate(text, end, sep, text[i]) {
		return days, 0
	}
	switch {
	case n == 4:
		if m <= 2 {
			days[0] = yearFirst(first, second, third, m, k)
		}
	case n > 2 || m == 0:
	case k > 0 && m <= 2:
		year := int16(third)
		switch {
		case k == 4 && third >= firstYear && third <= lastYear:
		case k == 2 && (text[i] == '/' || n == 2 && m == 2):
			year = fullYear(third)
		default:
			return days, 0
		}
		days = daysOf(first, second, year, text[i] == '.')
	case m == 4:
		if text[i] != '.' && (text[i] == '/' || n == 2) && likelyYear(second) && !partBefore(text, at) {
			days[0] = Day{Year: int16(second), Month: uint8(first)}
			if !days[0].real() {
				days[0] = Day{}
			}
		}
	case text[i] == '/' && m <= 2 && byteAt(text, end) != '%':
		one := (first > 12) != (second > 12) && !(first == 24 && second == 7)
		padded := n == 2 && m == 2 && (text[at] == '0' || text[i+1] == '0') // no share is written 03/02
		if padded || dateWordBefore(text, at) || one && !(first < second && isShare(text, at, end)) {
			days = daysOf(first, second, 0, false)
		}
	}
	if days[0] == (Day{}) {
		return days, 0
	}
	return days, end
}

// yearFirst reads 2026-06-30 and 2026-06, of which the parts have m and k digits.
func yearFirst(year, month, day, m, k int) Day {
	d := Day{int16(year), uint8(month), uint8(day)}
	switch {
	case year < firstYear || year > lastYear || !d.real():
	case k == 0 && m == 2 && likelyYear(year), k > 0 && k <= 2 && day > 0:
		return d
	}
	return Day{}
}

func likelyYear(y int) bool { return y >= firstLikelyYear && y <= lastLikely }

// fullYear completes a year of two digits.
func fullYear(y int) int16 {
	if y < twoDigitYear {
		y += century
	}
	return int16(former + y)
}

// dateSeparator is the length of what separates the parts of a date at text[i].
func dateSeparator(text string, i int) int {
	if c := byteAt(text, i); c == '/' || c == '.' {
		return 1
	}
	return dash(text, i)
}

// piece is whether what begins at text[at] is only a piece of something that is
// joined by the same separator: 4/30/6/2026, 10.1.2.2026.
func piece(text string, at int, sep byte) bool {
	switch sep {
	case '/', '.':
		return at >= 2 && text[at-1] == sep && digit(text[at-2])
	}
	n := backDash(text, at)
	return n > 0 && at > n && isAlnum(text[at-n-1])
}

// endsDate is whether a date of digits can end at text[end]: what follows is no
// letter but the T of a time, no digit, and no further piece.
func endsDate(text string, end, sep int, kind byte) bool {
	switch c := byteAt(text, end); {
	case (c == 'T' || c == 't') && digitAt(text, end+1):
		return true
	case !endsRun(text, end):
		return false
	case c == kind:
		return !isAlnum(byteAt(text, end+sep))
	}
	return true
}

// dateWordBefore is whether the word before text[at] says that a date follows.
func dateWordBefore(text string, at int) bool {
	w, _ := termBefore(text, backSpaces(text, at))
	return w.is("ngay") || w.is("on") || w.is("dated") || w.is("since") || w.is("until") || w.is("le") || w.is("el")
}

// partBefore is whether the word before text[at] says that what follows numbers a
// part of a year other than a month: "quý 2/2026", "tuần 12/2026".
func partBefore(text string, at int) bool {
	w, _ := termBefore(text, backSpaces(text, at))
	return w.is("quy") || w.is("quarter") || w.is("tuan") || w.is("week") || w.is("ky")
}

// isShare is whether text[at:end], of which the first part is the smaller, is a
// share: "8/15 tests", "scored 9/20".
func isShare(text string, at, end int) bool {
	switch w, _ := termBefore(text, backSpaces(text, at)); string(w.b[:w.n]) {
	case "passed", "failed", "score", "scored", "got", "page", "step", "rated", "completed", "dat":
		return true
	}
	noun, stop := readTerm(text, skipSpaces(text, end))
	return noun.n > 3 && noun.b[noun.n-1] == 's' && endsWord(text, stop)
}
