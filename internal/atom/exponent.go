package atom

// readExponent reads e6, E-3, ×10^6 or × 10⁶ behind the digits.
func (n *numeral) readExponent(text string) bool {
	at := n.end
	if n.dotted || at >= len(text) {
		return false
	}
	value, end := 0, 0
	if c := text[at]; c == 'e' || c == 'E' {
		value, end = signedDigits(text, at+1)
		if end < len(text) && isWordByte(text[end]) {
			return false
		}
	} else if ten := timesTen(text, at); ten > 0 {
		value, end = signedDigits(text, ten)
		if end == 0 {
			value, end = superscript(text, ten)
		}
	}
	if end == 0 {
		return false
	}
	for i := range n.as[:n.n] {
		n.as[i].exp += value
	}
	n.end, n.plain = end, false
	return true
}

// timesTen is the end of "×10^", "x10^", "* 10^" or "×10" before a superscript
// at text[at], 0 where it is not there.
func timesTen(text string, at int) int {
	at += spaceAt(text, at)
	if at >= len(text) {
		return 0
	}
	switch {
	case text[at] == 'x' || text[at] == '*':
		at++
	case text[at] == 0xc3 && at+1 < len(text) && text[at+1] == 0x97: // U+00D7
		at += 2
	case text[at] == 0xc2 && at+1 < len(text) && text[at+1] == 0xb7: // U+00B7
		at += 2
	default:
		return 0
	}
	at += spaceAt(text, at)
	if at+2 >= len(text) || text[at] != '1' || text[at+1] != '0' {
		return 0
	}
	switch at += 2; {
	case text[at] == '^':
		return at + 1
	case text[at] >= 0x80:
		return at
	}
	return 0
}

// signedDigits reads up to three digits with or without a sign.
func signedDigits(text string, at int) (value, end int) {
	sign := 1
	switch {
	case at < len(text) && text[at] == '+':
		at++
	case at < len(text) && text[at] == '-':
		sign, at = -1, at+1
	case at+2 < len(text) && text[at:at+3] == "−":
		sign, at = -1, at+3
	}
	end = at
	for ; digitAt(text, end); end++ {
		if end-at >= 3 {
			return 0, 0
		}
		value = value*10 + int(text[end]-'0')
	}
	if end == at {
		return 0, 0
	}
	return sign * value, end
}

// superscript reads up to three raised digits with or without a sign.
func superscript(text string, at int) (value, end int) {
	sign, digits := 1, 0
	for _, r := range text[at:min(len(text), at+12)] {
		size := 3
		switch {
		case r == '⁻' && digits == 0:
			sign = -1
		case r == '¹':
			size, value, digits = 2, value*10+1, digits+1
		case r == '²' || r == '³':
			size, value, digits = 2, value*10+int(r-'²')+2, digits+1
		case r == '⁰' || r >= '⁴' && r <= '⁹':
			value, digits = value*10+int(r-'⁰'), digits+1
		default:
			size = 0
		}
		if size == 0 || digits > 3 {
			break
		}
		at += size
	}
	if digits == 0 || digits > 3 {
		return 0, 0
	}
	return sign * value, at
}
