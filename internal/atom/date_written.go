package atom

import "strings"

// dayFirst reads a day with the name of its month behind it: "30 June 2026",
// "3rd of May", "30. Juni", "30 de junio de 2026", "30-Jun-26", "30 tháng 6 năm
// 2026". Of a range ("3–5 June") it reads the first day.
func dayFirst(text string, at int) (d Day, end int) {
	day, i := readDay(text, at)
	if day == 0 {
		return d, 0
	}
	if d, end = monthBehind(text, i); end == 0 {
		j := i
		if byteAt(text, j) == '.' { // "3. bis 5. Juni"
			j++
		}
		if j = rangeSign(text, j); j == 0 {
			return d, 0
		}
		last, k := readDay(text, j)
		if last <= day {
			return d, 0
		}
		if d, end = monthBehind(text, k); end == 0 {
			return d, 0
		}
		end = i
	}
	if d.Day = day; !d.real() {
		return d, 0
	}
	return d, end
}

// yearThenMonth reads a year with a month and a day behind it: "2026 June 30".
func yearThenMonth(text string, at int) (d Day, end int) {
	year, n := readDigits(text, at, 4)
	i := skipSpaces(text, at+n)
	if n != 4 || i == at+n || !likelyYear(year) {
		return d, 0
	}
	if d, end = monthFirst(text, i); d.Year != 0 || d.Day == 0 {
		return d, 0
	}
	if d.Year = int16(year); !d.real() {
		return d, 0
	}
	return d, end
}

// monthFirst reads the name of a month with a day or a year behind it: "June 30th,
// 2026", "Jun. 30", "juin 2026", "tháng 6/2026". Of a range ("June 3–5, 2026") it
// reads the first day.
func monthFirst(text string, at int) (d Day, end int) {
	m, i := readMonth(text, at)
	if i == 0 || m.weak {
		return d, 0
	}
	if before := backSpaces(text, at); digit(byteAt(text, before-1)) && !digit(byteAt(text, before-3)) {
		return d, 0 // of "30 February 2026" nothing is a date
	}
	d.Month = m.month
	if d.Year, end = yearBehind(text, i); d.Year != 0 {
		return d, end
	}
	if m.capital || lower(text[at]) == 't' { // "tháng 6" alone
		return d, 0
	}
	if byteAt(text, i) == '.' {
		i++
	}
	j := skipSpaces(text, i)
	if j == i {
		if j += dash(text, i); j == i {
			return d, 0
		}
	}
	d.Day, end = readDay(text, j)
	if d.Day == 0 || !endsWord(text, end) || counts(text, end) || !d.real() {
		return d, 0
	}
	last := end
	if k := rangeSign(text, end); k > 0 {
		if later, stop := readDay(text, k); later > d.Day && endsWord(text, stop) {
			last = stop
		}
	}
	year, stop := yearBehind(text, last)
	if d.Year = year; !d.real() {
		return d, 0
	}
	if year != 0 && last == end {
		end = stop
	}
	return d, end
}

// readDay reads the number of a day with the ending of an ordinal.
func readDay(text string, at int) (day uint8, end int) {
	n, size := readDigits(text, at, 2)
	if n < 1 || n > 31 {
		return 0, at
	}
	end = at + size
	if !isLetter(byteAt(text, end)) && byteAt(text, end) != 0xC2 {
		return uint8(n), end
	}
	if w, stop := readTerm(text, end); w.n == 2 && endsWord(text, stop) &&
		(w.is("st") || w.is("nd") || w.is("rd") || w.is("th") || w.is("er")) {
		end = stop
	} else if byteAt(text, end) == 0xC2 && (byteAt(text, end+1) == 0xBA || byteAt(text, end+1) == 0xB0) { // º, °
		end += 2
	}
	return uint8(n), end
}

// counts is whether what stands at text[i] makes the number before it more than a
// day: a decimal, a time of day, a share.
func counts(text string, i int) bool {
	switch byteAt(text, i) {
	case '.', ':', '/':
		return digitAt(text, i+1)
	case ',':
		return digitAt(text, i+1) && digitAt(text, i+2) && digitAt(text, i+3) && !digitAt(text, i+4)
	case '%', '$':
		return true
	}
	return false
}

// monthBehind reads the month, and its year where there is one, that stand behind
// the number of a day that ends at text[at].
func monthBehind(text string, at int) (d Day, end int) {
	i := at
	if byteAt(text, i) == '.' { // "30. Juni"
		i++
	}
	j := skipSpaces(text, i)
	sep := dateSeparator(text, i)
	if j == i {
		if j += sep; sep == 0 && i == at {
			return d, 0
		}
	} else if c := lower(byteAt(text, j)); c == 'o' || c == 'd' {
		if w, stop := readTerm(text, j); w.is("of") || w.is("de") || w.is("di") || w.is("del") {
			j = skipSpaces(text, stop)
		}
	}
	m, end := readMonth(text, j)
	if end == 0 || !endsWord(text, end) {
		return d, 0
	}
	d.Month = m.month
	year, stop := yearBehind(text, end)
	if year == 0 {
		year, stop = shortYear(text, end, sep)
	}
	if year == 0 {
		if m.weak || m.capital || tellsDuration(text, end) {
			return d, 0
		}
		return d, end
	}
	d.Year = year
	return d, stop
}

// shortYear reads the year of two digits behind a month: behind the separator that
// is before the month too ("30-Jun-26"), or before a time of day as in RFC 822
// ("30 Jun 26 14:30").
func shortYear(text string, at, sep int) (year int16, end int) {
	i := at + sep
	if sep == 0 {
		i = skipSpaces(text, at)
	} else if dateSeparator(text, at) != sep {
		return 0, at
	}
	y, n := readDigits(text, i, 2)
	if end = i + n; n != 2 || !endsWord(text, end) {
		return 0, at
	}
	if sep == 0 {
		if _, clock := readClock(text, skipSpaces(text, end), false); clock == 0 {
			return 0, at
		}
	}
	return fullYear(y), end
}

// tellsDuration is whether days are counted behind the months: "6 tháng 5 ngày".
func tellsDuration(text string, at int) bool {
	w, _ := readTerm(text, skipSpaces(text, at))
	return w.is("ngay")
}

// yearBehind reads the year of four digits behind the month or day that ends at
// text[at]: " 2026", ", 2026", " de 2026", " năm 2026", "/2026", " '26".
func yearBehind(text string, at int) (year int16, end int) {
	i := at
	if c := byteAt(text, i); c == '.' || c == ',' {
		i++
	} else if n := dateSeparator(text, i); n > 0 {
		i += n
	}
	if byteAt(text, i) == ',' { // "Jun., 2026"
		i++
	}
	i = skipSpaces(text, i)
	if w, stop := readTerm(text, i); w.is("de") || w.is("del") || w.is("of") || w.is("nam") {
		i = skipSpaces(text, stop)
	}
	if i == at {
		return 0, at
	}
	if n := apostrophe(text, i); n > 0 {
		if y, size := readDigits(text, i+n, 2); size == 2 && endsWord(text, i+n+size) {
			return fullYear(y), i + n + size
		}
		return 0, at
	}
	y, size := readDigits(text, i, 4)
	if end = i + size; size < 4 || !likelyYear(y) || !endsWord(text, end) ||
		counts(text, end) && byteAt(text, end) != ':' { // "30/Jun/2026:14:30:00"
		return 0, at
	}
	return int16(y), end
}

// markedParts reads a date whose parts have the Chinese, Japanese or Korean word
// for what they are behind them: "2026年6月30日", "6月30日", "2026년 6월".
func markedParts(text string, at int) (d Day, end int) {
	const size = len("年") // of each of the words
	year, month, day := 0, 0, 0
	parts := [...]struct {
		value *int
		words string
		most  int // digits
	}{{&year, "年년", 4}, {&month, "月월", 2}, {&day, "日号號일", 2}}
	next := at
	for _, p := range parts {
		v, n := readDigits(text, next, p.most)
		stop := next + n + size
		if n > 0 && stop <= len(text) && strings.Contains(p.words, text[stop-size:stop]) {
			*p.value, end = v, stop
			next = skipSpaces(text, stop)
		}
	}
	d = Day{int16(year), uint8(month), uint8(day)}
	if month == 0 || year == 0 && day == 0 || year != 0 && !likelyYear(year) || !d.real() {
		return Day{}, 0
	}
	return d, end
}
