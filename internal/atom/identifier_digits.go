package atom

// numericCode reads a code of digits in groups: an ISBN (978-3-16-148410-0), the
// number of an order (114-3941689-8772232) or of a card (4111 1111 1111 1111). A
// range (2025-2026) and a number in groups of three are none.
func numericCode(text string, at int) (end int) {
	const (
		digitsMin, digitsMax = 7, 24
		card                 = 16
	)
	total, parts, four, spaced := 0, 0, true, false
	for i := at; ; {
		_, n := readDigits(text, i, digitsMax)
		if n == 0 || total > digitsMax {
			break
		}
		total += n
		parts++
		four = four && (n == 4 || total > card)
		end = i + n
		gap := dash(text, end)
		if gap == 0 && four && (parts == 1 || spaced) && total < card {
			gap = spaceAt(text, end)
			spaced = spaced || gap > 0 && digitAt(text, end+gap)
		}
		if gap == 0 || !digitAt(text, end+gap) {
			break
		}
		i = end + gap
	}
	if parts < 3 || total < digitsMin || !endsWord(text, end) || counts(text, end) || spaced && (!four || total < card) {
		return 0
	}
	return end
}

// dottedDigits reads numbers with single dots between them.
func dottedDigits(text string, at int) (end, dots int) {
	for end = at; ; dots++ {
		start := end
		for digitAt(text, end) && end-start <= 9 {
			end++
		}
		if end == start || byteAt(text, end) != '.' || !digitAt(text, end+1) || dots == 8 {
			return end, dots
		}
		end++
	}
}

// version reads a version (v1.2, 1.26.1-rc.1) or an IPv4 address.
func version(text string, at int) (end int) {
	i := at
	if lower(text[at]) == 'v' {
		i++
	}
	if !digitAt(text, i) {
		return 0
	}
	end, dots := dottedDigits(text, i)
	if dots == 0 || dots == 1 && i == at || i == at && thousandsDotted(text[at:end]) {
		return 0
	}
	if _, day := numericDate(text, i); day > 0 {
		return 0
	}
	// a pre-release or build: letters and digits behind a hyphen or a plus
	for range 4 {
		c := byteAt(text, end)
		if c != '-' && c != '+' && c != '.' || !isAlnum(byteAt(text, end+1)) {
			break
		}
		if c == '.' && !joinsDot(text, end-1, end) {
			break
		}
		stop := end + 1
		for stop-end < tokenMax && stop < len(text) && isAlnum(text[stop]) {
			stop++
		}
		end = stop
	}
	if !endsWord(text, end) || counts(text, end) && byteAt(text, end) == '%' {
		return 0
	}
	return end
}

// thousandsDotted is whether the dots in s separate thousands: 1.234.567.
func thousandsDotted(s string) bool {
	group := 0
	for i := range len(s) {
		if s[i] != '.' {
			group++
			continue
		}
		if i > 3 && group != 3 || i <= 3 && group > 3 {
			return false
		}
		group = 0
	}
	return group == 3 && s[0] != '0'
}

// addressIPv6 reads an address of IPv6 or of a network card: four groups or more of
// hexadecimal digits with colons between them, or two with a double one.
func addressIPv6(text string, at int) (end int) {
	groups, digits, double := 0, 0, false
	for end = at; groups < 9; {
		n := 0
		for n <= 4 {
			c := byteAt(text, end+n)
			if _, ok := hexDigit(c); !ok {
				break
			}
			if digit(c) {
				digits++
			}
			n++
		}
		if n == 0 || n > 4 {
			return 0
		}
		groups++
		end += n
		if byteAt(text, end) != ':' {
			break
		}
		i := end + 1
		if byteAt(text, i) == ':' && !double {
			i, double = i+1, true
		}
		if _, ok := hexDigit(byteAt(text, i)); !ok {
			if double && byteAt(text, i-2) == ':' { // "2001:db8::"
				end = i
			}
			break
		}
		end = i
	}
	if digits == 0 || groups < 4 && !double || !endsWord(text, end) {
		return 0
	}
	return end
}
