package atom

const (
	tokenMax    = 128 // bytes behind which no further segment is read
	quantityMax = 24
	segmentsMax = 12
)

// segment is what a code holds between two separators.
type segment uint8

const (
	segDigits   segment = iota // 2210
	segWord                    // order, Order
	segCapitals                // INV
	segQuantity                // 30s, 21st, 5GB
	segMixed                   // 9f2k
)

// shape counts what a code is made of.
type shape struct {
	of              [segMixed + 1]int
	letters, digits int
	first, last     segment
	lastDigits      int // digits of the last segment
	under           bool
	end             int
}

// code reads letters and digits in segments with single separators between them.
func code(text string, at int) (end int) {
	var s shape
	for i, n := at, 0; ; n++ {
		kind, digits, stop := readSegment(text, i)
		if stop == i || n == segmentsMax {
			break
		}
		if n == 0 {
			s.first = kind
		}
		s.of[kind]++
		s.last, s.lastDigits, s.end = kind, digits, stop
		s.digits += digits
		s.letters += stop - i - digits
		sep := 0
		switch c := byteAt(text, stop); {
		case c == '_':
			s.under, sep = true, 1
		case c == '.':
			if joinsDot(text, i, stop) {
				sep = 1
			}
		default:
			sep = dash(text, stop)
		}
		if sep == 0 || !isAlnum(byteAt(text, stop+sep)) || stop-at > tokenMax {
			break
		}
		i = stop + sep
	}
	if s.end == 0 || !endsRun(text, s.end) || !s.isCode(text, at) {
		return 0
	}
	return s.end
}

// joinsDot is whether the dot at text[dot] is within a code or the name of a file,
// not between two sentences or in a decimal.
func joinsDot(text string, from, dot int) bool {
	c := byteAt(text, dot+1)
	if digit(c) {
		if !digit(text[from]) || !digit(text[dot-1]) {
			return true
		}
		kind, _, _ := readSegment(text, dot+1) // "2507.06250v1"
		return kind == segMixed
	}
	return isLetter(c) && (!isUpper(c) || !isLetter(byteAt(text, dot+2)) || isUpper(byteAt(text, dot+2)))
}

// readSegment reads a run of letters and digits to its end, however far.
func readSegment(text string, at int) (kind segment, digits, end int) {
	changes, upper := 0, 0
	for end = at; end < len(text) && isAlnum(text[end]); end++ {
		c := text[end]
		switch {
		case digit(c):
			digits++
		case isUpper(c):
			upper++
		}
		if end > at && digit(c) != digit(text[end-1]) {
			changes++
		}
	}
	n := end - at
	switch {
	case n == 0:
	case digits == n:
		kind = segDigits
	case digits == 0 && upper == n:
		kind = segCapitals
	case digits == 0:
		kind = segWord
	case digit(text[at]) && n <= quantityMax && (changes == 1 && n-digits <= 5 ||
		changes == 2 && (times(text, at, end) || exponent(text, at, end)) ||
		changes%2 == 1 && duration(text, at, end)):
		kind = segQuantity
	default:
		kind = segMixed
	}
	return kind, digits, end
}

// times is whether the run is like 1920x1080.
func times(text string, at, end int) bool {
	for i := at; i < end; i++ {
		if !digit(text[i]) {
			return lower(text[i]) == 'x' && digitAt(text, i+1) && (i-at > 1 || text[at] != '0')
		}
	}
	return false
}

// exponent is whether the run is like 12e6.
func exponent(text string, at, end int) bool {
	for i := at; i < end; i++ {
		if !digit(text[i]) {
			return lower(text[i]) == 'e' && end-i <= 3
		}
	}
	return false
}

// duration is whether the run is like 1h30m.
func duration(text string, at, end int) bool {
	for i := at; i < end; i++ {
		if digit(text[i]) {
			continue
		}
		switch text[i] {
		case 'd', 'h', 'm', 's', 'w', 'y':
		default:
			return false
		}
		if i > at && !digit(text[i-1]) {
			return false
		}
	}
	return true
}

// isCode judges what was read.
func (s *shape) isCode(text string, at int) bool {
	parts := 0
	for _, n := range s.of {
		parts += n
	}
	enough := s.letters+s.digits >= 4 && s.digits >= 2 || s.letters+s.digits >= 6 && s.digits >= 1
	switch {
	case s.digits == 0 || s.letters == 0:
		return false // rows of digits are judged by numericCode and markedRow
	case parts == 1:
		return s.of[segMixed] == 1 && enough && !numbered(text[at:s.end])
	case s.under:
		return s.digits >= 2
	case s.of[segMixed] > 0:
		return enough && !(parts > 1 && s.of[segWord] == parts-1 && s.digits < 2)
	case s.of[segCapitals] > 0:
		return s.digits >= 2
	}
	// Words with numbers: "order-4711" is a code, "30-day", "top-10", "mid-2026" and
	// "covid-19" are none.
	long := s.last == segDigits && s.lastDigits >= 3 || s.digits >= 5 // "gpt-4o-2024-08-06"
	return s.first == segWord && long && !qualifies(text, at)
}

// numbered is whether s is a word with a short number behind it: Python3, oauth2.
func numbered(s string) bool {
	i, upper := 0, 0
	for i < len(s) && isLetter(s[i]) {
		if isUpper(s[i]) {
			upper++
		}
		i++
	}
	for j := i; j < len(s); j++ {
		if !digit(s[j]) {
			return false
		}
	}
	return i >= 3 && upper < i && len(s)-i <= 2
}

// qualifies is whether the word at text[at] only says more of the number behind
// its hyphen.
func qualifies(text string, at int) bool {
	w, _ := readTerm(text, at)
	switch string(w.b[:w.n]) {
	case "top", "mid", "pre", "post", "early", "late", "under", "over", "sub", "non", "fortune", "anti", "since", "until":
		return true
	}
	return false
}
