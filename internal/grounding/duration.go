package grounding

import (
	"math"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// durations judges what is written with two units of time, "2 h 30 min", as the
// one quantity that it is.
func (c *checker) durations() {
	for i := 0; i+1 < len(c.atoms); i++ {
		a, b := &c.atoms[i], &c.atoms[i+1]
		if !isTime(a) || !isTime(b) || b.Start-a.End > 5 || a.Unit.Factor() <= b.Unit.Factor() {
			continue
		}
		if between := strings.Trim(c.draft[a.End:b.Start], " ,"); between != "" && between != "and" && between != "và" {
			continue
		}
		whole := *b
		whole.N = 1
		factor := a.Unit.Factor() / b.Unit.Factor()
		whole.Readings[0].Value = math.Abs(a.Readings[0].Value)*factor + math.Abs(b.Readings[0].Value)
		f, _ := c.figure(&whole)
		if f != nil {
			c.found(i, f.place(), f.object, "in another unit")
			c.found(i+1, f.place(), f.object, "in another unit")
			continue
		}
		if at, ok := c.elapsed(whole.Readings[0].Value * b.Unit.Factor()); ok {
			for k := i; k <= i+1; k++ {
				if c.results[k].Verdict == 0 {
					c.results[k].Verdict = Derived
					c.results[k].Nearest = c.x.nearest(at, "the time between two")
				}
			}
		}
	}
}

func isTime(a *atom.Atom) bool {
	return a.Kind == atom.Number && a.N > 0 && a.Unit.Dimension() == atom.Time
}

// elapsed looks for two times of one object or line that are so many seconds
// apart.
func (c *checker) elapsed(seconds float64) (place, bool) {
	const most = 8 // times of one object
	moments := c.x.moments
	for from := 0; from < len(moments); {
		to := from + 1
		for to < len(moments) && moments[to].object == moments[from].object {
			to++
		}
		for i := from; i < min(to, from+most); i++ {
			for j := i + 1; j < min(to, from+most); j++ {
				if apart, ok := apart(&moments[i], &moments[j]); ok && apart == seconds {
					return moments[j].place(), true
				}
			}
		}
		from = to
	}
	return place{}, false
}

// apart is how many seconds lie between two moments that say enough.
func apart(m, n *moment) (float64, bool) {
	switch {
	case whole(m.day) && whole(n.day):
		days := serial(n.day) - serial(m.day)
		if m.seconds < 0 || n.seconds < 0 {
			return math.Abs(float64(days * daySeconds)), days != 0
		}
		s := days*daySeconds + int64(n.seconds-m.seconds)
		if m.zoned && n.zoned {
			s -= int64(n.offset - m.offset)
		}
		return math.Abs(float64(s)), s != 0
	case m.day == (atom.Day{}) && n.day == (atom.Day{}) && m.seconds >= 0 && n.seconds >= 0:
		s := n.seconds - m.seconds
		if s < 0 {
			s += daySeconds // past midnight
		}
		return float64(s), s != 0
	}
	return 0, false
}
