package grounding

import (
	"math"
	"strconv"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// near is how far a figure of the evidence may be away to be what a wrong one
// of the draft was meant to be.
const near = 0.15

// close looks for what an unsupported piece of the draft was meant to be, and
// contradicts it where there is something. It reports whether that stands even
// where a part of the evidence is missing: the same digits in another unit do.
func (c *checker) close(i int) bool {
	a := &c.atoms[i]
	switch {
	case a.N > 0:
		return c.closeFigure(i)
	case a.Kind == atom.Date || a.Kind == atom.Clock:
		c.closeMoment(i)
	default:
		c.closeName(i)
	}
	return false
}

func (c *checker) contradict(i int, at place, how string) {
	c.results[i].Verdict = Contradicted
	c.results[i].Nearest = c.x.nearest(at, how)
}

func (c *checker) closeFigure(i int) (sure bool) {
	a := &c.atoms[i]
	x := c.x
	for k := range a.N {
		r := scaledReading(a.Readings[k], 1)
		if r.Value == 0 {
			continue
		}
		tolerance := toleranceOf(r, a.Approx)
		for _, at := range x.sorted.between(r.Value-tolerance, r.Value+tolerance) {
			f := &x.figures[at]
			if !r.Covers(math.Abs(f.value), a.Approx) || f.marks&(restated|alternate) != 0 || x.heard(f.src) {
				continue
			}
			if a.Unit != 0 && (f.unit != 0 && !a.Unit.Compatible(f.unit) || f.unit != a.Unit && f.unit.Dimension() == a.Unit.Dimension()) || !c.sameMoney(a, f) {
				c.contradict(i, f.place(), "the same digits in another unit")
				if f.unit.Dimension() == a.Unit.Dimension() || f.unit == 0 {
					return true
				}
			}
		}
	}
	if c.results[i].Verdict == Contradicted {
		return false // 25 cm beside 25 g: of something else, as likely as not
	}
	var best *figure
	least := near
	r := scaledReading(a.Readings[0], 1)
	if r.Value < 10 && r.Step >= 1 {
		return false
	}
	for _, at := range x.sorted.between(r.Value*(1-near), r.Value*(1+near)) {
		f := &x.figures[at]
		if f.kind != a.Kind && f.kind != atom.Number || a.Kind == atom.Number && f.unit != a.Unit || x.heard(f.src) || f.marks&(restated|alternate) != 0 {
			continue
		}
		if d := math.Abs(math.Abs(f.value)-r.Value) / r.Value; d < least {
			best, least = f, d
		}
	}
	label, _ := labelBefore(c.draft, a.Start)
	switch {
	case best == nil:
	case slip(r.Value, math.Abs(best.value)) || best.path != 0 && label != "" && stem(label) == stem(x.paths[best.path].key):
		c.contradict(i, best.place(), "close to it")
	default:
		c.results[i].Nearest = x.nearest(best.place(), "the closest")
	}
	return false
}

// slip is whether two figures are the same but for a digit or two that changed
// places. Other figures are close to each other by chance.
func slip(v, w float64) bool {
	s, t := significant(v), significant(w)
	if len(s) != len(t) || len(s) < 2 {
		return false
	}
	differ := 0
	var seen [10]int
	for i := range len(s) {
		if s[i] != t[i] {
			differ++
		}
		seen[s[i]-'0']++
		seen[t[i]-'0']--
	}
	return differ == 1 && len(s) > 2 || differ <= 2 && (len(s) > 5 || seen == [10]int{})
}

// swapped is whether a figure has the digits of one of the evidence in another
// order: 31 % beside {"share": 0.13}.
func (c *checker) swapped(i int) bool {
	a := &c.atoms[i]
	v := math.Abs(a.Readings[0].Value)
	for j := range c.x.figures {
		f := &c.x.figures[j]
		w := math.Abs(f.value)
		switch {
		case c.x.heard(f.src) || f.marks&alternate != 0:
			continue
		case a.Kind == atom.Percent && f.kind == atom.Number && f.marks&integer == 0 && w < 1:
			w *= 100
		case a.Kind != f.kind && !(a.Kind == atom.Money && f.kind == atom.Number && f.unit == 0) || a.Unit != f.unit && f.unit != 0:
			continue
		}
		if w > v/10 && w < v*10 && w != v && anagram(v, w) {
			return true
		}
	}
	return false
}

// anagram is whether two figures have the same digits, two different ones at
// least, and as many of them before the point.
func anagram(v, w float64) bool {
	s, t := significant(math.Round(v*1e4)/1e4), significant(math.Round(w*1e4)/1e4)
	if len(s) != len(t) || len(s) < 2 || math.Floor(math.Log10(v)) != math.Floor(math.Log10(w)) {
		return false
	}
	var seen [10]int
	for i := range len(s) {
		seen[s[i]-'0']++
		seen[t[i]-'0']--
	}
	return seen == [10]int{}
}

// significant are the digits of a number without the zeros around them.
func significant(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	return strings.Trim(strings.Replace(s, ".", "", 1), "0")
}

// closeName looks for an identifier or address of the same kind that differs in
// one or two characters.
func (c *checker) closeName(i int) {
	a := &c.atoms[i]
	text := c.draft[a.Start:a.End]
	best, least := -1, 3
	for j := range c.x.names {
		n := &c.x.names[j]
		if n.kind != a.Kind || c.x.heard(n.src) || abs(int(n.length)-len(text)) > 2 {
			continue
		}
		if d := distance(text, c.x.textOf(n.place()), least); d < least && d*3 <= len(text) {
			best, least = j, d
		}
	}
	if best >= 0 {
		c.contradict(i, c.x.names[best].place(), "nearly the same")
	}
}

// distance is the number of characters in which two texts differ, at most most.
func distance(s, t string, most int) int {
	for s != "" && t != "" && lower(s[0]) == lower(t[0]) {
		s, t = s[1:], t[1:]
	}
	for s != "" && t != "" && lower(s[len(s)-1]) == lower(t[len(t)-1]) {
		s, t = s[:len(s)-1], t[:len(t)-1]
	}
	const longest = 16
	if len(s) > longest || len(t) > longest {
		return most
	}
	var row [longest + 1]int
	for j := range row {
		row[j] = j
	}
	for i := range len(s) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(t) {
			cost := diagonal
			if lower(s[i]) != lower(t[j]) {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(t)], most)
}

func lower(c byte) byte {
	if upper(c) {
		c += 'a' - 'A'
	}
	return c
}

// closeMoment looks for the day or the time that was meant: a day of the same
// month, the same day of another month or year, a time of the same hour or of
// the same minute.
func (c *checker) closeMoment(i int) {
	a := &c.atoms[i]
	best, least := -1, int64(32)
	for j := range c.x.moments {
		m := &c.x.moments[j]
		if c.x.heard(m.src) {
			continue
		}
		apart := int64(32)
		d := a.Dates[0]
		switch {
		case a.Kind == atom.Clock && m.seconds >= 0:
			if apart = int64(abs(int(a.Seconds-m.seconds))) / 60; apart%60 == 0 {
				apart = min(apart/60, 31)
			}
		case a.Kind == atom.Date && whole(d) && whole(m.day):
			if apart = serial(d) - serial(m.day); apart < 0 {
				apart = -apart
			}
			if d.Day == m.day.Day && (d.Month == m.day.Month || d.Year == m.day.Year) {
				apart = min(apart, 31)
			}
		case a.Kind == atom.Date && d.Month != 0 && d.Month == m.day.Month && d.Day != 0 && m.day.Day != 0:
			apart = int64(abs(int(d.Day) - int(m.day.Day)))
		}
		if apart < least {
			best, least = j, apart
		}
	}
	switch {
	case best < 0:
	case least <= 2 || len(c.x.moments) <= fewFigures:
		c.contradict(i, c.x.moments[best].place(), "close to it")
	default:
		c.results[i].Nearest = c.x.nearest(c.x.moments[best].place(), "the closest")
	}
}
