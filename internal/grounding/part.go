package grounding

import (
	"math"
	"strconv"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// pieces judges what is written as one but stands in the evidence in two: the
// numbers of "51/60", a decimal that a splitter of sentences has torn.
func (c *checker) pieces(i int) bool {
	a := &c.atoms[i]
	text := c.draft[a.Start:a.End]
	if first, second, ok := strings.Cut(text, "/"); ok {
		f, g := c.whole(first), c.whole(second)
		if f == nil || g == nil {
			return c.dayAndMonth(i, first, second)
		}
		c.found(i, f.place(), f.object, "both of its numbers")
		return true
	}
	if a.Kind == atom.Clock {
		return c.proportion(i, text)
	}
	digits, _, _ := strings.Cut(text, " ")
	first, second, ok := strings.Cut(digits, ".")
	if !ok || first == "" || second == "" || strings.Trim(first+second, "0123456789") != "" {
		return false
	}
	for j := range c.x.sources {
		s := &c.x.sources[j]
		if s.Kind == Argument || !c.search(s.text) {
			continue
		}
		if at, end := torn(s.text, first, second); at >= 0 {
			c.found(i, place{uint32(j), uint32(at), uint32(end)}, 0, "in two pieces")
			return true
		}
	}
	return false
}

// proportion looks "2:50:30" up as the evidence may write it, "2 : 50 : 30".
func (c *checker) proportion(i int, text string) bool {
	if strings.Trim(text, "0123456789:") != "" {
		return false
	}
	for _, between := range [...]string{" : ", ": "} {
		if apart := strings.ReplaceAll(text, ":", between); c.written(i, apart, joinedDigits) {
			return true
		}
	}
	return false
}

// dayAndMonth looks "1/8" up as a day.
func (c *checker) dayAndMonth(i int, first, second string) bool {
	m, err := strconv.ParseUint(first, 10, 8)
	n, err2 := strconv.ParseUint(second, 10, 8)
	if err != nil || err2 != nil || m == 0 || n == 0 || m > 31 || n > 31 || min(m, n) > 12 {
		return false
	}
	day := atom.Atom{Kind: atom.Date, Seconds: -1, Dates: [2]atom.Day{{Month: uint8(n), Day: uint8(m)}, {Month: uint8(m), Day: uint8(n)}}}
	found := c.lookUpMoment(&day)
	if found == nil {
		return false
	}
	c.found(i, found.place(), found.object, "")
	return true
}

// whole looks a row of digits up, nil where it is none or is not found.
func (c *checker) whole(digits string) *figure {
	value := 0.0
	if digits == "" || len(digits) > 15 {
		return nil
	}
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return nil
		}
		value = value*10 + float64(d-'0')
	}
	for _, at := range c.x.sorted.between(value, value) {
		if f := &c.x.figures[at]; math.Abs(f.value) == value && f.marks&restated == 0 {
			return f
		}
	}
	return nil
}

// torn finds a decimal whose halves are two neighbours of a list of texts: "of
// 6.", "3 inches".
func torn(text, first, second string) (start, end int) {
	const widest = 24 // bytes between the halves
	for from := 0; ; {
		i := strings.Index(text[from:], first+`."`)
		if i < 0 {
			return -1, -1
		}
		i += from
		from = i + 1
		if joinedDigits(text, i, -1) {
			continue
		}
		behind := i + len(first) + 1
		rest := strings.TrimLeft(text[behind:min(len(text), behind+widest)], "\", \n\r\t\\")
		at := min(len(text), behind+widest) - len(rest)
		if strings.HasPrefix(text[at:], second) && !joinedDigits(text, at+len(second), 1) && text[at-1] == '"' {
			return i, at + len(second)
		}
	}
}

// namedSpan is whether a key of the evidence names a span of time: "30 days" beside
// {"active_30d": 51}.
func (c *checker) namedSpan(a *atom.Atom) bool {
	dimension := a.Unit.Dimension()
	if dimension != atom.Time && dimension != atom.Length {
		return false
	}
	unit := a.Unit.String()
	value := a.Readings[0].Value
	if c.spans == nil {
		c.spans = []string{}
		for key := range c.x.keys {
			if strings.ContainsAny(key, "0123456789") {
				c.spans = append(c.spans, key)
			}
		}
	}
	for _, key := range c.spans {
		for w := range words(key) {
			n, end := 0, 0
			for end < len(w) && w[end] >= '0' && w[end] <= '9' && end < 6 {
				n = n*10 + int(w[end]-'0')
				end++
			}
			if rest := w[end:]; end > 0 && float64(n) == value && rest != "" && strings.HasPrefix(unit, rest[:1]) && (len(rest) == 1 || strings.HasPrefix(unit, strings.TrimSuffix(rest, "s"))) {
				return true
			}
		}
	}
	return false
}
