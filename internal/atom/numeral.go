package atom

// numeral is a row of digits with what separates them.
type numeral struct {
	end     int
	as      [4]decimal // what it can stand for, most likely first
	n       int
	digits  int  // how many digits are written
	plain   bool // nothing but digits
	integer bool // it has no decimals
	dotted  bool // 1.2.3: no number at all
}

func (n *numeral) add(d decimal) {
	if n.n < len(n.as) {
		n.as[n.n] = d
		n.n++
	}
}

// maxRuns is how many groups of digits are looked at: more than a number has
// that anybody writes out.
const maxRuns = 8

type run struct{ from, to int }

func (r run) len() int { return r.to - r.from }

// readNumeral reads the number that begins with the digit text[at].
func readNumeral(text string, at int, m Mode) (num numeral) {
	var runs [maxRuns]run
	var seps [maxRuns]byte // seps[i] stands behind runs[i]; 's' for any space, '\'' for any apostrophe
	runs[0] = run{at, digitsEnd(text, at)}
	n := 1
	for n < maxRuns {
		sep, next := separator(text, runs[n-1].to)
		if sep == 0 {
			break
		}
		r := run{next, digitsEnd(text, next)}
		if sep == 's' && !spacedGroup(text, runs[0], r) {
			break
		}
		seps[n-1] = sep
		runs[n] = r
		n++
	}
	if n > 1 && inRow(text, at, runs[n-1].to) {
		n = cutAtComma(seps[:n])
	}
	num = interpret(text, runs[:n], seps[:n-1])
	if num.readExponent(text) {
		return num
	}
	if m == Evidence && !num.plain && !num.dotted && mayBeColumns(text, at, num.end, seps[0]) {
		for _, r := range runs[:n] {
			if r.to <= num.end {
				num.add(whole(text, []run{r}).as[0])
			}
		}
	}
	return num
}

// mayBeColumns reports whether the groups of a number of the evidence may be
// columns of a table instead: a single space is between them, or they and their
// commas are the whole line.
func mayBeColumns(text string, from, to int, sep byte) bool {
	if sep == 's' {
		return text[from+1] == ' ' || text[from+2] == ' ' || text[from+3] == ' '
	}
	return sep == ',' && (from == 0 || text[from-1] == '\n') && (to == len(text) || text[to] == '\n' || text[to] == '\r')
}

// shift makes decimals of the digits, for a point that stands before them.
func (n *numeral) shift() {
	d := &n.as[0]
	d.exp -= n.digits
	d.frac, n.n, n.plain, n.integer = true, 1, false, false
}

// digitsEnd is the end of the digits that begin at text[at].
func digitsEnd(text string, at int) int {
	for at < len(text) && classes[text[at]] == isDigit {
		at++
	}
	return at
}

// separator tells what stands at text[at] between two groups of digits and
// where the second begins; 0 where a group does not follow.
func separator(text string, at int) (sep byte, next int) {
	if at >= len(text) {
		return 0, at
	}
	switch c := text[at]; c {
	case '.', ',', '_', '\'':
		sep, next = c, at+1
	case 0xe2:
		if at+2 < len(text) && text[at+1] == 0x80 && text[at+2] == 0x99 { // U+2019
			sep, next = '\'', at+3
			break
		}
		fallthrough
	case ' ', 0xc2:
		if size := spaceAt(text, at); size > 0 {
			sep, next = 's', at+size
		}
	}
	if !digitAt(text, next) || sep == 0 {
		return 0, at
	}
	return sep, next
}

// spacedGroup reports whether a group behind a space goes on with the number:
// three digits behind one to three. An ordinary space may also end a number, so
// behind it nothing may touch the group that gives it a meaning of its own: in
// "200 512ms" it is none.
func spacedGroup(text string, first, r run) bool {
	if r.len() != 3 || first.len() > 3 || text[first.from] == '0' {
		return false
	}
	if text[r.from-1] != ' ' || r.to == len(text) {
		return true
	}
	switch c := text[r.to]; c {
	case ':', '/', '-':
		return false
	default:
		return !wordAt(text, r.to)
	}
}

// inRow reports whether the digits stand in a row of values that commas
// separate, as in [1,243,500]: there, a comma groups nothing.
func inRow(text string, from, to int) bool {
	if from > 0 && (text[from-1] == ',' || text[from-1] == '[') {
		return true
	}
	return to+1 < len(text) && text[to] == ',' && text[to+1] > ' '
}

// cutAtComma is how many groups there are before the first comma.
func cutAtComma(seps []byte) int {
	for i, sep := range seps {
		if sep == ',' {
			return i + 1
		}
	}
	return len(seps)
}

// interpret tells what groups of digits stand for and which of them belong to
// one number.
func interpret(text string, runs []run, seps []byte) (num numeral) {
	grouped := groups(text, runs, seps) // how many separators group
	switch {
	case grouped > 0 && grouped < len(seps) && isPoint(seps[grouped], seps[0]):
		return point(text, runs, grouped)
	case grouped > 1 || grouped == 1 && seps[0] != ',' && seps[0] != '.':
		num = whole(text, runs[:grouped+1])
		if grouped < len(seps) && seps[0] == '.' && seps[grouped] == '.' {
			return dotted(runs, seps)
		}
		return num
	case grouped == 1 && len(seps) > 1 && seps[1] == seps[0]:
		if seps[0] == '.' {
			return dotted(runs, seps)
		}
		return whole(text, runs[:1]) // 1,234,5: a list
	case grouped == 1:
		a, b := point(text, runs, 0), whole(text, runs[:2])
		if seps[0] == '.' {
			a.add(b.as[0])
			return a
		}
		b.add(a.as[0])
		return b
	case len(seps) == 0:
		return whole(text, runs[:1])
	case len(seps) > 1 && seps[0] == '.' && seps[1] == '.':
		return dotted(runs, seps)
	case seps[0] == '.':
		return point(text, runs, 0)
	case seps[0] == ',' && (len(seps) == 1 || seps[1] != ','):
		return point(text, runs, 0)
	}
	return whole(text, runs[:1])
}

// groups counts the separators, from the first on, that group thousands, or
// lakhs and crores.
func groups(text string, runs []run, seps []byte) int {
	if len(seps) == 0 || runs[0].len() > 3 && seps[0] != '_' || text[runs[0].from] == '0' {
		return 0
	}
	n := 0
	for n < len(seps) && seps[n] == seps[0] && (runs[n+1].len() == 3 || seps[0] == '_') {
		n++
	}
	if n > 0 || seps[0] != ',' {
		return n
	}
	for n < len(seps) && seps[n] == ',' && runs[n+1].len() == 2 {
		n++
	}
	if n > 0 && n < len(seps) && seps[n] == ',' && runs[n+1].len() == 3 {
		return n + 1
	}
	return 0
}

// isPoint reports whether sep, behind groups that are separated by group, is a
// decimal point.
func isPoint(sep, group byte) bool { return (sep == '.' || sep == ',') && sep != group }

// whole reads groups of digits as an integer.
func whole(text string, runs []run) (num numeral) {
	d := decimal{}
	num.digits = d.read(text, runs, 0)
	num.end = runs[len(runs)-1].to
	num.plain, num.integer = len(runs) == 1, true
	num.add(d)
	return num
}

// point reads groups of digits of which those behind the first ones, grouped of
// them, are the decimals.
func point(text string, runs []run, grouped int) (num numeral) {
	d := decimal{}
	num.digits = d.read(text, runs[:grouped+1], 0)
	num.digits += d.read(text, runs[grouped+1:grouped+2], 1)
	d.frac = true
	num.end = runs[grouped+1].to
	num.add(d)
	return num
}

// dotted is a version or an address: groups of digits that no number is made of.
func dotted(runs []run, seps []byte) (num numeral) {
	last := 0
	for last < len(seps) && seps[last] == '.' {
		last++
	}
	return numeral{end: runs[last].to, dotted: true}
}
