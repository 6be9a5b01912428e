package atom

import "strings"

// scanClock reads a time of day that begins at text[at] and has no day before it:
// "14:30", "2 pm", "14h30", "14 giờ 30", "14:30:05 UTC". A lone "14h" or "2 giờ 30
// phút" is a duration unless a word like "lúc" stands before.
func scanClock(text string, at int, a *Atom) (end int) {
	if !digitAt(text, at) {
		return 0
	}
	if at >= 2 && digit(text[at-2]) {
		switch text[at-1] {
		case ':', '.', ',':
			return 0
		}
	}
	before, _ := termBefore(text, backSpaces(text, at))
	c, end := readClock(text, at, before.is("luc") || before.is("um"))
	if end == 0 {
		return 0
	}
	*a = Atom{Kind: Clock, Start: at, End: end}
	a.set(c)
	return end
}

// timeOfDay is what a clock says.
type timeOfDay struct {
	seconds, offset int32
	zoned           bool
}

func (a *Atom) set(c timeOfDay) {
	a.Seconds, a.Zoned, a.Offset = c.seconds, c.zoned, c.offset
}

// readClockBehind reads the time of day that belongs to the day before it.
func (a *Atom) readClockBehind(text string) {
	i := a.End
	switch c := byteAt(text, i); {
	case c == 'T' || c == 't':
		if c, end := readTimeT(text, i+1); end > 0 {
			a.End = end
			a.set(c)
		}
		return
	case c == ':' && byteAt(text, i+3) == ':': // "30/Jun/2026:14:30:00"
		i++
	default:
		if c == ',' || c == ';' {
			i++
		}
		if i = skipSpaces(text, i); i == a.End {
			return
		}
		if n := dash(text, i); n > 0 {
			i = skipSpaces(text, i+n)
		} else if c := byteAt(text, i); c == '@' || c == '|' {
			i = skipSpaces(text, i+1)
		}
	}
	joined := false
	for range 2 {
		w, end := readTerm(text, i)
		if w.n == 0 || !joinsClock(&w) {
			break
		}
		i, joined = skipSpaces(text, end), true
	}
	if c, end := readClock(text, i, joined); end > 0 {
		a.End = end
		a.set(c)
	}
}

// joinsClock is whether the word stands between a day and its time.
func joinsClock(w *term) bool {
	switch string(w.b[:w.n]) {
	case "at", "um", "a", "las", "alle", "ore", "luc", "vao":
		return true
	}
	return false
}

// readTimeT reads what follows the T of ISO 8601: 14:30:05.123Z, 143005+0700, 14Z.
func readTimeT(text string, at int) (c timeOfDay, end int) {
	if c, end = readClock(text, at, true); end > 0 {
		return c, end
	}
	v, n := readDigits(text, at, 6)
	h, m, s := v, 0, 0
	switch n {
	case 2:
	case 4:
		h, m = v/100, v%100
	case 6:
		h, m, s = v/10000, v/100%100, v%100
	default:
		return c, 0
	}
	end = at + n
	if !c.at(h, m, s) {
		return c, 0
	}
	end = c.readZone(text, skipFraction(text, end), true)
	if !endsWord(text, end) {
		return c, 0
	}
	return c, end
}

// at sets the time, where there is such a one. 24:00 is the end of the day, and
// :60 a leap second.
func (c *timeOfDay) at(h, m, s int) bool {
	if h > 24 || m > 59 || s > 60 || h == 24 && m+s > 0 {
		return false
	}
	c.seconds = int32(h*3600 + m*60 + s)
	return true
}

// readClock reads a time of day. inContext: what stands before says that one
// follows.
func readClock(text string, at int, inContext bool) (c timeOfDay, end int) {
	h, n := readDigits(text, at, 2)
	i := at + n
	if n == 0 {
		return c, 0
	}
	m, s, sure, seconds := 0, 0, false, false
	switch b := byteAt(text, i); {
	case b == ':':
		if m, n = readDigits(text, i+1, 2); n != 2 {
			return c, 0
		}
		i, sure = i+3, true
		if byteAt(text, i) == ':' && digitAt(text, i+1) {
			if s, n = readDigits(text, i+1, 2); n != 2 {
				return c, 0
			}
			i, seconds = skipFraction(text, i+3), true
			if byteAt(text, i) == ':' && isAlnum(byteAt(text, i+1)) {
				return c, 0 // groups of an address
			}
		}
	case b == '.':
		if m, n = readDigits(text, i+1, 2); n != 2 {
			return c, 0
		}
		i += 3 // sure only with "pm" or "Uhr"
	case b == 'h' || b == 'H':
		if m, n = readDigits(text, i+1, 2); n != 2 {
			n, m = 0, 0
		}
		i, sure = i+1+n, n == 2 || inContext
	default:
		j := skipSpaces(text, i)
		if lower(byteAt(text, j)) != 'g' {
			break
		}
		w, stop := readTerm(text, j)
		if !w.is("gio") {
			break
		}
		j = skipSpaces(text, stop)
		i, sure = stop, inContext
		if v, n := readDigits(text, j, 2); n > 0 && v < 60 {
			m, i = v, j+n
			if w, stop := readTerm(text, skipSpaces(text, i)); w.is("phut") {
				i = stop
			} else if endsWord(text, i) {
				sure = true
			}
		}
	}
	h, i, said := dayHalf(text, i, h)
	if !(sure || said) || !c.at(h, m, s) || !endsWord(text, i) && byteAt(text, i)|0x20 != 'z' {
		return c, 0
	}
	end = c.readZone(text, i, seconds || inContext)
	if !endsWord(text, end) {
		return c, 0
	}
	return c, end
}

// skipFraction passes the fraction of a second.
func skipFraction(text string, at int) int {
	if b := byteAt(text, at); b != '.' && b != ',' {
		return at
	}
	if _, n := readDigits(text, at+1, 9); n > 0 && (text[at] == '.' || n == 3 || n == 6 || n == 9) {
		return at + 1 + n
	}
	return at
}

// dayHalf reads the word for the half of the day that the hour before it counts
// in: "pm", "p.m.", "chiều", and "Uhr", which says only that it is one.
func dayHalf(text string, at, h int) (hour, end int, said bool) {
	i := skipSpaces(text, at)
	half := lower(byteAt(text, i))
	if half == 'a' || half == 'p' {
		j := i + 1
		if byteAt(text, j) == '.' {
			j++
		}
		if lower(byteAt(text, j)) == 'm' && endsWord(text, j+1) && h >= 1 && h <= 12 {
			if end = j + 1; j > i+1 && byteAt(text, end) == '.' {
				end++
			}
			if h %= 12; half == 'p' {
				h += 12
			}
			return h, end, true
		}
		return h, at, false
	}
	if strings.IndexByte("usct", half) < 0 {
		return h, at, false
	}
	w, end := readTerm(text, i)
	switch {
	case !endsWord(text, end) || h > 12 && !w.is("uhr"):
	case w.is("uhr"):
		return h, end, true
	case w.is("sang"):
		return h, end, true
	case w.is("chieu"), w.is("toi"):
		return h%12 + 12, end, true
	}
	return h, at, false
}
