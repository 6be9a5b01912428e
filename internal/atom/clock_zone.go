package atom

const hour = 3600

// zones are the abbreviations of time zones, in seconds east of UTC. Of one that
// stands for several the most written is taken.
var zones = map[string]int32{
	"utc": 0, "gmt": 0, "wet": 0, "west": hour, "bst": hour, "cet": hour, "cest": 2 * hour,
	"eet": 2 * hour, "eest": 3 * hour, "msk": 3 * hour, "ist": 5*hour + hour/2,
	"ict": 7 * hour, "wib": 7 * hour, "sgt": 8 * hour, "hkt": 8 * hour, "awst": 8 * hour,
	"jst": 9 * hour, "kst": 9 * hour, "aest": 10 * hour, "aedt": 11 * hour,
	"nzst": 12 * hour, "nzdt": 13 * hour,
	"est": -5 * hour, "edt": -4 * hour, "cst": -6 * hour, "cdt": -5 * hour,
	"mst": -7 * hour, "mdt": -6 * hour, "pst": -8 * hour, "pdt": -7 * hour,
}

// readZone reads the zone behind a time of day and returns where it ends, or at.
// exact: the time is written so that an offset may follow it directly; behind
// another a hyphen makes a range, "08:00-12:00".
func (c *timeOfDay) readZone(text string, at int, exact bool) (end int) {
	b := byteAt(text, at)
	if (b == 'Z' || b == 'z') && endsWord(text, at+1) {
		c.zoned = true
		return at + 1
	}
	i := skipSpaces(text, at)
	if b == '+' || exact && dash(text, at) > 0 || i > at && byteAt(text, i) == '+' {
		if end = c.readOffset(text, i, 2); end > 0 {
			return end
		}
		return at
	}
	if n := dash(text, i); i > at && n > 0 { // "14:30:05 -0700"
		if _, size := readDigits(text, i+n, 4); size == 4 {
			if end = c.readOffset(text, i, 2); end > 0 {
				return end
			}
		}
		return at
	}
	closing := 0
	if byteAt(text, i) == '(' {
		i, closing = i+1, 1
	}
	if !isUpper(byteAt(text, i)) || !isUpper(byteAt(text, i+1)) || !isUpper(byteAt(text, i+2)) {
		return at
	}
	w, end := readTerm(text, i)
	offset, known := zones[string(w.b[:w.n])]
	if !known {
		return at
	}
	if w.is("utc") || w.is("gmt") {
		if stop := c.readOffset(text, end, 1); stop > 0 {
			end = stop
			offset = c.offset
		}
	}
	if !endsWord(text, end) || closing > 0 && byteAt(text, end) != ')' {
		*c = timeOfDay{seconds: c.seconds}
		return at
	}
	c.zoned, c.offset = true, offset
	return end + closing
}

// readOffset reads +07:00, +0700, +07, and +7 where one digit is enough.
func (c *timeOfDay) readOffset(text string, at, digits int) (end int) {
	sign, i := int32(1), at+1
	if byteAt(text, at) != '+' {
		n := dash(text, at)
		if n == 0 {
			return 0
		}
		sign, i = -1, at+n
	}
	v, n := readDigits(text, i, 4)
	h, m := v, 0
	if i += n; n == 4 {
		h, m = v/100, v%100
	} else if n > 2 || n < digits {
		return 0
	} else if byteAt(text, i) == ':' {
		if m, n = readDigits(text, i+1, 2); n != 2 {
			return 0
		}
		i += 3
	}
	if h > 14 || m%15 != 0 || m > 45 || !endsWord(text, i) {
		return 0
	}
	c.zoned, c.offset = true, sign*int32(h*hour+m*60)
	return i
}
