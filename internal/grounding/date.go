package grounding

import (
	"time"

	"github.com/failloud/failloud/internal/atom"
)

func dayOf(t time.Time) atom.Day {
	return atom.Day{Year: int16(t.Year()), Month: uint8(t.Month()), Day: uint8(t.Day())}
}

// serial is the number of a day, for differences; only of a whole date.
func serial(d atom.Day) int64 {
	return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Unix() / 86400
}

func whole(d atom.Day) bool { return d.Year != 0 && d.Month != 0 && d.Day != 0 }

// agrees is whether two days are the same as far as both are written.
func agrees(d, e atom.Day) bool {
	return e != (atom.Day{}) && (d.Year == 0 || e.Year == 0 || d.Year == e.Year) &&
		(d.Month == 0 || e.Month == 0 || d.Month == e.Month) &&
		(d.Day == 0 || e.Day == 0 || d.Day == e.Day)
}

// The greatest distance of a zone from UTC, in seconds, and what zones are
// multiples of.
const (
	farthestZone = 14 * 3600
	quarterHour  = 15 * 60
	daySeconds   = 24 * 3600
)

// moment looks a day or a time of day up.
func (c *checker) moment(i int) {
	a := &c.atoms[i]
	if a.Relative.Set {
		c.relative(i)
		return
	}
	best := c.lookUpMoment(a)
	if best == nil {
		for _, d := range a.Dates {
			if whole(d) && c.epoch(i, d) {
				return
			}
			if d == c.today && a.Seconds < 0 {
				c.results[i].Verdict = Exempt
				return
			}
		}
		return
	}
	c.found(i, best.place(), best.object, "")
}

// lookUpMoment finds the moment of the evidence that the atom stands for.
func (c *checker) lookUpMoment(a *atom.Atom) *moment {
	var best *moment
	for j := range c.x.moments {
		m := &c.x.moments[j]
		if !c.sameMoment(a, m) {
			continue
		}
		if best == nil || c.x.heard(best.src) {
			best = m
		}
		if !c.x.heard(best.src) {
			break
		}
	}
	return best
}

func (c *checker) sameMoment(a *atom.Atom, m *moment) bool {
	if a.Kind == atom.Clock {
		return m.seconds >= 0 && sameTime(a, m)
	}
	for k, d := range a.Dates {
		if k > 0 && d == (atom.Day{}) {
			break
		}
		if agrees(d, m.day) {
			if d.Year != 0 && m.day.Year == 0 && abs(int(d.Year)-int(c.today.Year)) > 1 {
				continue // a year from nowhere
			}
			if d.Month != 0 && m.day.Month == 0 || d.Day != 0 && m.day.Day == 0 {
				continue
			}
			return a.Seconds < 0 || m.seconds < 0 && c.timeOf(a) || m.seconds >= 0 && sameTime(a, m)
		}
		// A zone can move the time over midnight.
		if m.seconds >= 0 && (m.zoned || a.Zoned) && whole(d) && whole(m.day) {
			if n := serial(d) - serial(m.day); n >= -1 && n <= 1 {
				if a.Seconds < 0 {
					return true
				}
				apart := int64(a.Seconds-m.seconds) + n*daySeconds
				return apart%quarterHour == 0 && apart >= -2*farthestZone && apart <= 2*farthestZone
			}
		}
	}
	return false
}

// timeOf is whether the time of an atom stands somewhere in the evidence beside
// a day that has none of its own.
func (c *checker) timeOf(a *atom.Atom) bool {
	for j := range c.x.moments {
		m := &c.x.moments[j]
		if m.day == (atom.Day{}) && sameTime(a, m) {
			return true
		}
	}
	return false
}

// sameTime compares times of day: to the minute where the draft gives no
// seconds, moved by the offset of a zone where one side writes a zone.
func sameTime(a *atom.Atom, m *moment) bool {
	apart := a.Seconds - m.seconds
	if a.Seconds%60 == 0 {
		apart = a.Seconds/60*60 - m.seconds/60*60
	}
	if apart == 0 {
		return true
	}
	return (a.Zoned != m.zoned || a.Zoned && a.Offset != m.offset) && apart%quarterHour == 0
}

// relative judges "today", "in 3 days": nothing is stated where the evidence
// says nothing of that day.
func (c *checker) relative(i int) {
	a := c.atoms[i]
	d := time.Date(int(c.today.Year), time.Month(c.today.Month), int(c.today.Day)+int(a.Relative.Days), 0, 0, 0, 0, time.UTC)
	a.Relative.Set, a.Dates[0] = false, dayOf(d)
	if m := c.lookUpMoment(&a); m != nil {
		c.found(i, m.place(), m.object, "counted from the day of the run")
		return
	}
	c.results[i].Verdict = Exempt
}

// epoch looks for a number of seconds or milliseconds since 1970 that falls on
// the day, in some zone.
func (c *checker) epoch(i int, d atom.Day) bool {
	if d.Year < 1990 || d.Year > 2100 {
		return false
	}
	start := float64(serial(d) * daySeconds)
	for _, factor := range [...]float64{1, 1000} {
		low, high := (start-farthestZone)*factor, (start+daySeconds+farthestZone)*factor
		for _, at := range c.x.sorted.between(low, high) {
			f := &c.x.figures[at]
			if f.kind == atom.Number && f.marks&integer != 0 && f.value >= low && f.value < high && f.unit == 0 {
				c.found(i, f.place(), f.object, "a Unix time")
				return true
			}
		}
	}
	return false
}

// dateFrom finds a day that lies as many days from one of the evidence, or from
// today, as a figure of the draft or the evidence says.
func (c *checker) dateFrom(i int) {
	const most = 64 // days of the evidence that are counted from
	d := c.atoms[i].Dates[0]
	if !whole(d) || c.atoms[i].Seconds >= 0 {
		return
	}
	n := serial(d)
	from := func(day atom.Day, near Nearest) bool {
		apart := n - serial(day)
		if apart < 0 {
			apart = -apart
		}
		if apart == 0 || !c.saysDays(apart) {
			return false
		}
		c.results[i].Verdict = Derived
		near.How = "a day that many days from it"
		c.results[i].Nearest = near
		return true
	}
	if from(c.today, Nearest{}) {
		return
	}
	for j := range c.x.moments {
		m := &c.x.moments[j]
		if j == most || whole(m.day) && from(m.day, c.x.nearest(m.place(), "")) {
			return
		}
	}
}

// saysDays is whether a supported figure of the draft is a number of days.
func (c *checker) saysDays(n int64) bool {
	for i := range c.atoms {
		a := &c.atoms[i]
		v := c.results[i].Verdict
		if a.N == 0 || a.Unit.Dimension() != atom.Time || v != Supported && v != Derived && v != Exempt {
			continue
		}
		if a.Readings[0].Value*a.Unit.Factor() == float64(n*daySeconds) {
			return true
		}
	}
	return false
}

// year looks a number of four digits up as the year of a day.
func (c *checker) year(i int) bool {
	a := &c.atoms[i]
	v := a.Readings[0].Value
	if a.Kind != atom.Number || a.Unit != 0 || a.End-a.Start != 4 || v < 1000 || v > 2999 || a.Readings[0].Step != 1 {
		return false
	}
	for j := range c.x.moments {
		if m := &c.x.moments[j]; float64(m.day.Year) == v {
			c.found(i, m.place(), m.object, "")
			return true
		}
	}
	return false
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
