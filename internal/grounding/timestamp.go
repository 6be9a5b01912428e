package grounding

import "github.com/failloud/failloud/internal/atom"

// timestamp reads a text that is nothing but a day of ISO 8601, or a day and a
// time: "2026-06-30", "2026-06-30T23:30:00.000Z". Half of the texts with digits
// that tools return are one, and it is read here at a tenth of the cost of
// looking for atoms of all kinds. What it does not know is left to them.
func timestamp(s string) (m moment, ok bool) {
	if len(s) < len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return m, false
	}
	century, y, mo, d := two(s), two(s[2:]), two(s[5:]), two(s[8:])
	if century < 19 || century > 21 || y < 0 || mo < 1 || mo > 12 || d < 1 || d > 28 && d > daysIn(mo, century*100+y) {
		return m, false
	}
	m.day = atom.Day{Year: int16(century*100 + y), Month: uint8(mo), Day: uint8(d)}
	m.seconds = -1
	if s = s[10:]; s == "" {
		return m, true
	}
	if len(s) < len("T15:04") || s[0] != 'T' && s[0] != ' ' || s[3] != ':' {
		return m, false
	}
	h, min := two(s[1:]), two(s[4:])
	if h < 0 || h > 23 || min < 0 || min > 59 {
		return m, false
	}
	m.seconds = int32(h*3600 + min*60)
	if s = s[6:]; len(s) >= len(":05") && s[0] == ':' {
		sec := two(s[1:])
		if sec < 0 || sec > 59 {
			return m, false
		}
		m.seconds += int32(sec)
		if s = s[3:]; s != "" && s[0] == '.' {
			for s = s[1:]; s != "" && s[0] >= '0' && s[0] <= '9'; s = s[1:] {
			}
		}
	}
	switch {
	case s == "":
		return m, true
	case s == "Z":
		m.zoned = true
		return m, true
	case len(s) == len("+07:00") && (s[0] == '+' || s[0] == '-') && s[3] == ':':
		h, min := two(s[1:]), two(s[4:])
		if h < 0 || h > 14 || min < 0 || min > 59 {
			return m, false
		}
		m.zoned, m.offset = true, int32(h*3600+min*60)
		if s[0] == '-' {
			m.offset = -m.offset
		}
		return m, true
	}
	return m, false
}

// two is the number of two digits, -1 where they are none.
func two(s string) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		return -1
	}
	return int(a)*10 + int(b)
}

func daysIn(month, year int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
