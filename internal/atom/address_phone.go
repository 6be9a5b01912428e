package atom

const (
	phoneMin, phoneMax = 7, 15 // digits, by E.164
	phoneGroups        = 8
	nationalMin        = 9 // digits of a national number with its leading 0
	nationalMax        = 12
	bareMin            = 10 // digits of an international number in one piece
)

// longCodes are the country codes of two digits. Those that begin with 1 or 7 have
// one, all others three.
const longCodes = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 "

// phone is a row of digits in groups, as it is written.
type phone struct {
	digits [phoneMax + 3]byte
	n      int
	groups [phoneGroups]int // digits in each
	parts  int
	seps   uint8 // what stands between the groups: the sep… bits
	end    int
}

const (
	sepSpace = 1 << iota
	sepDash
	sepDot
	sepSlash
	sepParen
)

// scanPhone reads a telephone number that begins at text[at]: an international
// one with + or 00, a national one with its 0, one in the groups of North America
// (800-555-0199), and any other in groups behind a word like "phone" or "call".
func scanPhone(text string, at int, a *Atom) (end int) {
	if partOfNumber(text, at) {
		return 0
	}
	first := at
	if text[first] == '+' {
		first++
	}
	if byteAt(text, first) == '(' {
		first++
	}
	if !digitAt(text, first) {
		return 0
	}
	if text[at] != '+' {
		if _, day := numericDate(text, first); day > 0 {
			return 0
		}
	}
	var p phone
	if !p.read(text, at) {
		return 0
	}
	international, ok := p.judge(text, at)
	if !ok {
		return 0
	}
	*a = Atom{Kind: Phone, Start: at, End: p.end, Seconds: -1}
	a.Hash, a.Local = p.hash(international)
	return p.end
}

// partOfNumber is whether what begins at text[at] belongs to a figure, an amount
// or a code before it.
func partOfNumber(text string, at int) bool {
	switch c := byteAt(text, at-1); c {
	case '.', ',', ':', '/', '-', '+':
		return isAlnum(byteAt(text, at-2))
	case '$', '#', '_', '\\':
		return true
	}
	n := backDash(text, at)
	return n > 0 && isAlnum(byteAt(text, at-n-1))
}

// read reads the groups. It is bounded by the number of digits.
func (p *phone) read(text string, at int) bool {
	i := at
	if text[i] == '+' {
		i++
	}
	open := false
	for {
		if byteAt(text, i) == '(' && !open {
			i, open = i+1, true
			p.seps |= sepParen
		}
		start, from := i, p.n
		for digitAt(text, i) {
			if p.n == len(p.digits) {
				return false
			}
			p.digits[p.n] = text[i]
			p.n++
			i++
		}
		if i == start || p.parts == phoneGroups {
			return false
		}
		if open && byteAt(text, i) == ')' {
			i, open = i+1, false
			if p.n-from == 1 && from > 0 && p.digits[from] == '0' { // "+44 (0)20 …": only dialled at home
				p.n = from
			}
		}
		if p.n > from {
			p.groups[p.parts] = p.n - from
			p.parts++
		}
		p.end = i
		next, sep := phoneGap(text, i)
		if !digitAt(text, next) && (byteAt(text, next) != '(' || !digitAt(text, next+1)) || open && sep != 0 {
			break
		}
		if sep == sepSpace && p.n > phoneMin && otherFigure(text, next) {
			break
		}
		i = next
		p.seps |= sep
	}
	if _, n := readDigits(text, p.end+1, 5); n > 0 && byteAt(text, p.end) == 'x' { // the extension, as in 555-0199x12
		p.end += 1 + n
	}
	return !open && p.n >= phoneMin && endsWord(text, p.end) && !counts(text, p.end) &&
		byteAt(text, p.end) != '@'
}

// phoneGap passes what stands between two groups of digits.
func phoneGap(text string, at int) (next int, sep uint8) {
	if n := dash(text, at); n > 0 {
		return at + n, sepDash
	}
	switch byteAt(text, at) {
	case '.':
		return at + 1, sepDot
	case '/':
		return at + 1, sepSlash
	}
	if n := spaceAt(text, at); n > 0 {
		return at + n, sepSpace
	}
	return at, 0
}

// otherFigure is whether a date or a time begins at text[at], not a group of the
// number before it.
func otherFigure(text string, at int) bool {
	if _, end := numericDate(text, at); end > 0 {
		return true
	}
	_, n := readDigits(text, at, 2)
	return n > 0 && byteAt(text, at+n) == ':'
}

// judge is whether the digits are a telephone number, and whether they begin with
// a country code, which it leaves at their start.
func (p *phone) judge(text string, at int) (international, ok bool) {
	grouped := p.parts > 1 || p.seps != 0
	thousands := p.thousands()
	switch {
	case text[at] == '+':
		ok = p.n <= phoneMax && p.digits[0] != '0' &&
			(p.n >= bareMin || grouped && !thousands && p.n > phoneMin || phoneWordBefore(text, at))
		return true, ok
	case p.digits[0] == '0' && p.digits[1] == '0':
		copy(p.digits[:], p.digits[2:])
		p.n -= 2
		return true, p.digits[0] != '0' && p.n >= bareMin-1 && p.n <= phoneMax
	case p.n > phoneMax:
		return false, false
	case p.digits[0] == '0':
		return false, p.groups[0] > 1 && p.n >= nationalMin && p.n <= nationalMax
	case p.northAmerican(1) && p.digits[0] == '1' && p.groups[0] == 1:
		return true, p.seps != sepSpace || phoneWordBefore(text, at)
	case p.northAmerican(0) && p.seps != sepSpace:
		return false, true
	}
	return false, grouped && !thousands && p.n <= nationalMax && phoneWordBefore(text, at)
}

// northAmerican is whether the groups from skip on have three, three and four
// digits.
func (p *phone) northAmerican(skip int) bool {
	g := p.groups[skip:]
	return p.parts == skip+3 && g[0] == 3 && g[1] == 3 && g[2] == 4
}

// thousands is whether the groups are those of a large number: 1 243 500.
func (p *phone) thousands() bool {
	if p.parts < 2 || p.groups[0] > 3 || p.seps != sepSpace && p.seps != sepDot {
		return false
	}
	for _, n := range p.groups[1:p.parts] {
		if n != 3 {
			return false
		}
	}
	return true
}

// hash hashes the number with and without its country code. The zeros before a
// national number are no part of either.
func (p *phone) hash(international bool) (whole, local uint64) {
	digits := p.digits[:p.n]
	code := 0
	if international {
		code = countryCode(digits)
	}
	f, rest := foldStart, digits[code:]
	for _, c := range digits[:code] {
		f = f.add(c)
	}
	for len(rest) > 1 && rest[0] == '0' {
		rest = rest[1:]
	}
	l := foldStart
	for _, c := range rest {
		f, l = f.add(c), l.add(c)
	}
	if !international {
		return f.sum(), 0
	}
	return f.sum(), l.sum()
}

func countryCode(digits []byte) int {
	if digits[0] == '1' || digits[0] == '7' {
		return 1
	}
	for i := 0; i < len(longCodes); i += 3 {
		if longCodes[i] == digits[0] && longCodes[i+1] == digits[1] {
			return 2
		}
	}
	return 3
}

// phoneWordBefore is whether a word for a telephone stands shortly before
// text[at]: "call us at", "phone number:", "gọi số".
func phoneWordBefore(text string, at int) bool {
	for range 4 {
		i := backSpaces(text, at)
		if c := byteAt(text, i-1); c == ':' || c == '.' {
			i = backSpaces(text, i-1)
		}
		w, start := termBefore(text, i)
		switch string(w.b[:w.n]) {
		case "phone", "tel", "telephone", "telefon", "telefono", "mobile", "mobil", "cell", "fax", "hotline",
			"call", "calling", "dial", "whatsapp", "zalo", "goi", "thoai", "sdt":
			return true
		case "us", "me", "them", "at", "on", "number", "no", "nr", "is", "so", "the", "la", "unter", "au", "al":
			at = start
		default:
			return false
		}
	}
	return false
}
