package grounding

import (
	"math"

	"github.com/failloud/failloud/internal/atom"
)

func isTime(a *atom.Atom) bool {
	return a.Kind == atom.Number && a.N > 0 && a.Unit.Dimension() == atom.Time
}

// between derives a time from two that lie as far apart.
func (c *checker) between(i int) {
	a := &c.atoms[i]
	seconds := math.Abs(a.Readings[0].Value) * a.Unit.Factor()
	if at, ok := c.elapsed(seconds); ok {
		c.derived(&c.results[i], at, "the time between two")
		return
	}
	for j := range c.x.moments { // 04:29 may be a time that something takes
		if m := &c.x.moments[j]; m.day == (atom.Day{}) && m.seconds > 0 && float64(m.seconds) == seconds {
			c.found(i, m.place(), m.object, "in hours and minutes")
			return
		}
	}
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
