package atom

// lastOfRange reads the last day of a range of which the month is written before
// the first: the 5 of "June 3–5, 2026".
func lastOfRange(text string, at int) (d Day, end int) {
	i := backSpaces(text, at)
	if n := backDash(text, i); n > 0 {
		i -= n
	} else if c := byteAt(text, i-1); c != 'o' && c != 's' && c != 'h' { // ordinary text
		return d, 0
	} else if w, start := termBefore(text, i); i < at && (w.is("to") || w.is("bis") || w.is("through")) {
		i = start
	} else {
		return d, 0
	}
	i = backSpaces(text, i)
	if w, start := termBefore(text, i); w.is("th") || w.is("st") || w.is("nd") || w.is("rd") {
		i = start
	}
	first := i
	for first > 0 && i-first <= 2 && digit(text[first-1]) {
		first--
	}
	day, stop := readDay(text, first)
	w, start := termBefore(text, backSpaces(text, first))
	if day == 0 || stop < i || w.n == 0 {
		return d, 0
	}
	m, _ := readMonth(text, start)
	if m.month == 0 || m.weak || m.capital {
		return d, 0
	}
	d.Month = m.month
	d.Day, end = readDay(text, at)
	if d.Day <= day || !endsWord(text, end) || counts(text, end) {
		return d, 0
	}
	if year, stop := yearBehind(text, end); year != 0 {
		d.Year, end = year, stop
	}
	if !d.real() {
		return d, 0
	}
	return d, end
}

// rangeSign passes the dash or the word between the two days of a range, 0 where
// there is none.
func rangeSign(text string, at int) (end int) {
	i := skipSpaces(text, at)
	if n := dash(text, i); n > 0 {
		return skipSpaces(text, i+n)
	}
	if i == at {
		return 0
	}
	switch w, stop := readTerm(text, i); string(w.b[:w.n]) {
	case "to", "through", "and", "bis", "und", "au", "et", "al", "a", "y", "e", "den", "va":
		return skipSpaces(text, stop)
	}
	return 0
}
