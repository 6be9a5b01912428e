package canonjson

import "strconv"

const (
	// maxWhole is the number of digits up to which ECMAScript, and with it RFC
	// 8785, writes a whole number without an exponent.
	maxWhole = 21
	// maxInteger bounds the digits of an integer token: the largest finite
	// double has 309.
	maxInteger = 309
)

// appendNumber appends the spelling of one valid JSON number. A fraction is
// left as it is written: its shortest form is the encoder's work.
func appendNumber(dst, token []byte) ([]byte, bool) {
	d := split(token)
	if !d.fractional {
		if len(d.whole) > maxInteger {
			return dst, false
		}
		if len(d.whole) == 1 && d.whole[0] == '0' {
			return append(dst, '0'), true
		}
		return append(dst, token...), true
	}
	digits, point := d.significant()
	switch {
	case len(digits) == 0:
		return append(dst, '0'), true
	case len(digits) <= point && point <= maxWhole:
		if d.negative {
			dst = append(dst, '-')
		}
		dst = append(dst, digits...)
		for range point - len(digits) {
			dst = append(dst, '0')
		}
		return dst, true
	}
	f, err := strconv.ParseFloat(string(token), 64)
	if err != nil || f == 0 { // too large, or rounded away to nothing
		return dst, false
	}
	return append(dst, token...), true
}

// decimal is a number cut into its written parts.
type decimal struct {
	negative   bool
	fractional bool // has a point or an exponent
	whole      []byte
	fraction   []byte
	exponent   int // clamped, see split
}

func split(token []byte) decimal {
	var d decimal
	if token[0] == '-' {
		d.negative = true
		token = token[1:]
	}
	i := 0
	for i < len(token) && isDigit(token[i]) {
		i++
	}
	d.whole, token = token[:i], token[i:]
	if len(token) > 0 && token[0] == '.' {
		d.fractional = true
		i = 1
		for i < len(token) && isDigit(token[i]) {
			i++
		}
		d.fraction, token = token[1:i], token[i:]
	}
	if len(token) > 0 { // what is left of a valid number is its exponent
		d.fractional = true
		n, err := strconv.Atoi(string(token[1:]))
		// Beyond any document's length the exact exponent no longer matters:
		// the number is zero or out of range either way.
		const limit = 1 << 30
		if err != nil || n > limit || n < -limit {
			n = limit
			if token[1] == '-' {
				n = -limit
			}
		}
		d.exponent = n
	}
	return d
}

// significant returns the digits without leading and trailing zeros, and where
// the decimal point stands, counted from the first of them.
func (d decimal) significant() (digits []byte, point int) {
	digits = append(append(make([]byte, 0, len(d.whole)+len(d.fraction)), d.whole...), d.fraction...)
	point = len(d.whole) + d.exponent
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
		point--
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, point
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
