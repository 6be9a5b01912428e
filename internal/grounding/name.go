package grounding

import (
	"strings"
	"unicode/utf8"

	"github.com/failloud/failloud/internal/atom"
)

// name looks an identifier or an address up.
func (c *checker) name(i int) {
	a := &c.atoms[i]
	for _, h := range [...]uint64{a.Hash, a.Local} {
		if j, ok := c.x.byHash[h]; ok && h != 0 {
			n := &c.x.names[j]
			c.found(i, n.place(), n.object, "")
			return
		}
	}
	if f := c.whole(c.draft[a.Start:a.End]); f != nil && a.Kind == atom.Identifier && a.Start > 0 && c.draft[a.Start-1] == '#' {
		c.found(i, f.place(), f.object, "")
		return
	}
	switch a.Kind {
	case atom.URL:
		if c.parentURL(i); c.results[i].Verdict == 0 && c.frontDoor(a) {
			c.results[i].Verdict = Exempt
		}
	case atom.Identifier:
		if c.shortHash(i); c.results[i].Verdict == 0 && c.namesField(a) {
			c.results[i].Verdict = Exempt
		}
	}
}

// namesField is whether an identifier is the name of a field, as it is written in
// a text: "PM2.5" beside {"pm25": 71.3}.
func (c *checker) namesField(a *atom.Atom) bool {
	name := bare(c.draft[a.Start:a.End])
	for key := range c.x.keys {
		if len(key) >= len(name) && len(key) <= 2*len(name) && bare(key) == name {
			return true
		}
	}
	return false
}

// bare is the letters and digits of a name, in lower case.
func bare(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if wordByte(s[i]) {
			b = append(b, lower(s[i]))
		}
	}
	return string(b)
}

// shortHash accepts the beginning of a longer hexadecimal identifier: commits
// and UUIDs are cited by their first seven or eight characters.
func (c *checker) shortHash(i int) {
	const shortest = 7
	a := &c.atoms[i]
	text := c.draft[a.Start:a.End]
	if len(text) < shortest || strings.Trim(text, "0123456789abcdefABCDEF") != "" {
		return
	}
	for j := range c.x.names {
		n := &c.x.names[j]
		if n.kind != atom.Identifier || int(n.length) <= len(text) {
			continue
		}
		long := c.x.textOf(n.place())
		if strings.EqualFold(long[:len(text)], text) && strings.Trim(long, "0123456789abcdefABCDEF-") == "" {
			c.found(i, n.place(), n.object, "the beginning of it")
			return
		}
	}
}

// parentURL accepts a web address whose host, or whose path up to a slash, the
// evidence holds in a longer one. The reverse is an invention: a page that
// nobody saw.
func (c *checker) parentURL(i int) {
	a := &c.atoms[i]
	short := bareURL(c.draft[a.Start:a.End])
	if short == "" {
		return
	}
	for j := range c.x.names {
		n := &c.x.names[j]
		if n.kind != atom.URL && n.kind != atom.Email {
			continue
		}
		long := c.x.textOf(n.place())
		if n.kind == atom.Email {
			if _, host, ok := strings.Cut(long, "@"); ok && strings.EqualFold(host, short) {
				c.found(i, n.place(), n.object, "the host of an address")
				return
			}
			continue
		}
		long = bareURL(long)
		if len(long) > len(short) && strings.EqualFold(long[:len(short)], short) && strings.IndexByte("/?#:", long[len(short)]) >= 0 {
			c.found(i, n.place(), n.object, "the beginning of an address")
			return
		}
	}
}

// frontDoor is whether a draft only says where to go: "you can visit
// https://ex.org/news". The address of a whole site, or of a plain section of
// it, states nothing about what is there.
func (c *checker) frontDoor(a *atom.Atom) bool {
	address := bareURL(c.draft[a.Start:a.End])
	host, section, _ := strings.Cut(address, "/")
	if host == "" || strings.ContainsAny(section, "/?#=0123456789") {
		return false
	}
	before := c.draft[max(0, a.Start-160):a.Start]
	if i := strings.LastIndexAny(before, "\n!?"); i >= 0 {
		before = before[i+1:]
	}
	if i := strings.LastIndex(before, ". "); i >= 3 {
		before = before[i+2:]
	}
	for w := range words(before) {
		switch w {
		case "visit", "visiting", "try", "go", "going", "navigate", "browse", "open", "vào", "truy", "thử":
			return true
		}
	}
	return false
}

// bareURL is an address without its scheme, "www." and the slash at its end.
func bareURL(s string) string {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	if len(s) > 4 && strings.EqualFold(s[:4], "www.") {
		s = s[4:]
	}
	return strings.TrimRight(s, "/")
}

// verbatim accepts a piece of the draft that the evidence holds letter for
// letter as a whole word. It is for what was read in another way there: a
// version inside of a file name, a date inside of an identifier.
func (c *checker) verbatim(i int) bool {
	a := &c.atoms[i]
	text := c.draft[a.Start:a.End]
	border := joined
	switch {
	case a.N > 0 && c.citesEnd(a):
		// "the card ending in 2135": the end of an identifier.
		border = joinedAfter
	case a.N > 0:
		// The last part of an identifier is how people cite it, and the year of
		// an address is one: "certificate_7504069", "/2017/11/".
		if border = joinedDigits; len(text) < 4 || strings.Trim(text, "0123456789") != "" {
			return false
		}
	case len(text) < 3:
		return false
	}
	return c.written(i, text, border)
}

// written is whether the evidence has an atom letter for letter in this form.
func (c *checker) written(i int, text string, border func(text string, at, step int) bool) bool {
	for j := range c.x.sources {
		s := &c.x.sources[j]
		if s.Kind == Argument || !c.search(s.text) {
			continue // what counts of it is indexed
		}
		if at := wordIn(s.text, text, border); at >= 0 {
			c.found(i, place{uint32(j), uint32(at), uint32(at + len(text))}, 0, "")
			return true
		}
	}
	return false
}

// search is whether a text may be searched letter for letter: one check does that
// with so many bytes.
func (c *checker) search(text string) bool {
	const most = 256 << 20
	c.searched += len(text)
	return c.searched <= most
}

// wordIn is where a text holds another as a whole word, -1 where it does not.
func wordIn(text, word string, joined func(text string, at, step int) bool) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if !joined(text, i, -1) && !joined(text, i+len(word), 1) {
			return i
		}
		from = i + 1
	}
}

// joined is whether the text goes on at a border in one direction as part of
// the same word or number.
func joined(text string, at, step int) bool {
	i := at
	if step < 0 {
		i--
	}
	if i < 0 || i >= len(text) {
		return false
	}
	if c := text[i]; wordByte(c) {
		return step > 0 || i == 0 || text[i-1] != '\\' // not the letter of an escape
	}
	next := i + step
	return strings.IndexByte(".,-_@", text[i]) >= 0 && next >= 0 && next < len(text) && wordByte(text[next])
}

// joinedDigits is [joined] for a row of digits, which may be a part of an
// identifier, but not of a longer number. Scripts without spaces write it right
// beside their letters.
func joinedDigits(text string, at, step int) bool {
	i := at
	if step < 0 {
		i--
	}
	if i < 0 || i >= len(text) {
		return false
	}
	if c := text[i]; c != '_' && c < utf8.RuneSelf && wordByte(c) {
		return step > 0 || i == 0 || text[i-1] != '\\'
	}
	next := i + step
	return strings.IndexByte(".,", text[i]) >= 0 && next >= 0 && next < len(text) && text[next] >= '0' && text[next] <= '9'
}

// joinedAfter is [joinedDigits] where the digits may be the end of longer ones.
func joinedAfter(text string, at, step int) bool { return step > 0 && joinedDigits(text, at, step) }

// citesEnd is whether the draft says of some digits that they are the last.
func (c *checker) citesEnd(a *atom.Atom) bool {
	before := strings.ToLower(strings.TrimRight(c.draft[max(0, a.Start-24):a.Start], " *_•.x#"))
	for _, words := range [...]string{"ending in", "ends in", "ending with", "ends with", "ending", "last four", "last 4 digits", "đuôi", "cuối", "kết thúc bằng"} {
		if strings.HasSuffix(before, words) {
			return true
		}
	}
	return false
}
