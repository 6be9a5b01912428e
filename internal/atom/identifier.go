package atom

import "unicode/utf8"

// scanIdentifier reads a code that begins at text[at]: a UUID, an address of IP, a
// version, a hash, and what has letters and digits as codes do (INV-2210, AB12CD,
// cus_9f2k, report_2026.pdf), or digits behind a mark (#4711, no. 123456). A row of
// digits has its value as a reading too, for evidence that holds a plain number.
//
// Ordinary words and quantities are none: state-of-the-art, 30-day, 21st, 10km,
// MP3, Python3. A code has four letters and digits with two digits among them, six
// with one, or two digits behind a separator.
func scanIdentifier(text string, at int, a *Atom) (end int) {
	if text[at] == '#' {
		at++
	}
	c := byteAt(text, at)
	if !isAlnum(c) || joined(text, at) {
		return 0
	}
	row := false
	if end = addressIPv6(text, at); end == 0 && digit(c) {
		if end = numericCode(text, at); end == 0 {
			end = markedRow(text, at)
			row = end > 0
		}
	}
	if end == 0 {
		end = version(text, at)
	}
	if end == 0 {
		end = code(text, at)
	}
	if end == 0 || digit(c) && isOther(text, at) {
		return 0
	}
	*a = Atom{Kind: Identifier, Start: at, End: end, Seconds: -1, Hash: hashCode(text[at:end])}
	if row {
		value := 0.0
		for _, d := range []byte(text[at:end]) {
			value = value*10 + float64(d-'0')
		}
		a.N, a.Readings[0] = 1, Reading{Value: value, Step: 1, Round: 1}
	}
	return end
}

// isOther is whether a date, a time of day or a telephone number begins at
// text[at], of which some forms look like codes: 20260630T1430, 30-JUN-2026, 14h30,
// 800.555.0199.
func isOther(text string, at int) bool {
	if _, end := numericDate(text, at); end > 0 {
		return true
	}
	if _, end := dayFirst(text, at); end > 0 {
		return true
	}
	if _, end := readClock(text, at, false); end > 0 {
		return true
	}
	var a Atom
	return scanPhone(text, at, &a) > 0
}

// joined is whether what begins at text[at] is the end of a code or a figure that
// was judged from its beginning.
func joined(text string, at int) bool {
	switch byteAt(text, at-1) {
	case '.', ',', '_':
		return isAlnum(byteAt(text, at-2))
	case '\\': // the escape of a string: \u2019re
		return true
	case '-':
		return isAlnum(byteAt(text, at-2)) && !digitAt(text, at)
	}
	return false
}

// markedRow reads a row of digits behind a mark that says that it is a code:
// "#4711", "no. 123456", "ID: 4711". A short one behind "#" is a rank.
func markedRow(text string, at int) (end int) {
	const rowMin, hashMin, rowMax = 4, 2, 20
	_, n := readDigits(text, at, rowMax)
	end = at + n
	if n < hashMin || !endsWord(text, end) || counts(text, end) {
		return 0
	}
	if byteAt(text, at-1) == '#' || n >= rowMin && markBefore(text, at) {
		return end
	}
	return 0
}

// markBefore is whether the word before text[at] says that a code follows.
func markBefore(text string, at int) bool {
	i := backSpaces(text, at)
	dotted := false
	if c := byteAt(text, i-1); c == '.' || c == ':' {
		dotted = true
		i = backSpaces(text, i-1)
	} else if r, _ := utf8.DecodeLastRuneInString(text[:i]); r == '№' || r == '°' || r == 'º' {
		return true
	}
	w, start := termBefore(text, i)
	switch string(w.b[:w.n]) {
	case "no", "nr", "num":
		return dotted
	case "id", "ref", "ma":
		return true
	case "so": // "mã số"
		before, _ := termBefore(text, backSpaces(text, start))
		return before.is("ma")
	}
	return false
}
