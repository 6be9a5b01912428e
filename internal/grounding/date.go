package grounding

import (
	"strings"
	"time"

	"github.com/failloud/failloud/internal/atom"
)

func dayOf(t time.Time) atom.Day {
	return atom.Day{Year: int16(t.Year()), Month: uint8(t.Month()), Day: uint8(t.Day())}
}

// serial is the number of a day, for differences; only of a whole date.
func serial(d atom.Day) int64 {
	const epoch = 719_468 // days from the first of March of the year 0 to the first of 1970
	year, month := int64(d.Year), int64(d.Month)
	if month < 3 { // the year begins in March, so that a leap day ends it
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + int64(d.Day) - 1 - epoch
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
		return m.seconds >= 0 && (sameTime(a, m) || c.sameInZone(a, m))
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
				if a.Zoned && m.zoned {
					return apart == int64(a.Offset-m.offset)
				}
				return zoneShift(int32(apart)) && apart >= -2*farthestZone && apart <= 2*farthestZone
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

// sameTime compares times of day, to the minute where the draft gives no
// seconds. Where both sides write their zone, they must be the same instant;
// where one does, the other may be of any zone, but for a local time, which is
// repeated as it stands or in UTC.
func sameTime(a *atom.Atom, m *moment) bool {
	apart := a.Seconds - m.seconds
	if a.Seconds%60 == 0 {
		apart = (a.Seconds/60 - m.seconds/60) * 60
	}
	if apart == 0 {
		return true
	}
	switch {
	case a.Zoned && m.zoned:
		return (apart-a.Offset+m.offset)%daySeconds == 0
	case a.Zoned:
		return zoneShift(apart)
	case m.zoned && m.offset == 0:
		return zoneShift(apart)
	case m.zoned:
		return (apart+m.offset)%daySeconds == 0
	}
	return false
}

// sameInZone is whether a time whose zone the draft names is another of the
// evidence.
func (c *checker) sameInZone(a *atom.Atom, m *moment) bool {
	if a.Zoned {
		return false
	}
	offset, known, named := c.zoneNamed(a)
	if !named || !m.zoned && known {
		return false
	}
	if known {
		zoned := *a
		zoned.Zoned, zoned.Offset = true, offset
		return sameTime(&zoned, m)
	}
	return zoneShift(a.Seconds/60*60 - m.seconds/60*60)
}

// zoneShift is whether clocks of two zones can be so many seconds apart. Those
// of quarter hours are far from UTC.
func zoneShift(apart int32) bool {
	if apart < 0 {
		apart = -apart
	}
	return apart%3600 == 0 || apart%quarterHour == 0 && apart > 3*3600
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
// today, as the draft says.
func (c *checker) dateFrom(i int) {
	const most = 64 // days of the evidence that are counted from
	if c.atoms[i].Seconds >= 0 {
		return
	}
	d := c.dated(c.atoms[i].Dates[0])
	if !whole(d) {
		return
	}
	if c.weekdayAsked(i, d) {
		return
	}
	from := func(day atom.Day) bool {
		if day = c.dated(day); !whole(day) {
			return false
		}
		apart := serial(d) - serial(day)
		if apart < 0 {
			apart = -apart
		}
		return apart != 0 && c.saysDays(apart)
	}
	if from(c.today) {
		c.results[i].Verdict = Derived
		c.results[i].Nearest = Nearest{How: "counted from the day of the run"}
		return
	}
	for j := range min(most, len(c.x.moments)) {
		if m := &c.x.moments[j]; from(m.day) {
			c.derived(&c.results[i], m.place(), "a day that many days from it")
			return
		}
	}
}

// dated gives a day of a month that is written without a year that of the run.
func (c *checker) dated(d atom.Day) atom.Day {
	if d.Year == 0 {
		d.Year = c.today.Year
	}
	return d
}

// saysDays is whether a figure of the draft that stands is a number of days, or
// of working days: of these, five are seven, and the first and the last may
// fall on a weekend.
func (c *checker) saysDays(n int64) bool {
	for i := range c.atoms {
		a := &c.atoms[i]
		v := c.results[i].Verdict
		if a.N == 0 || v != Supported && v != Derived && v != Exempt {
			continue
		}
		value := a.Readings[0].Value
		if isTime(a) && value*a.Unit.Factor() == float64(n*daySeconds) {
			return true
		}
		for _, working := range [...]string{" business day", " working day", " ngày làm việc"} {
			if strings.HasPrefix(c.draft[a.End:], working) && float64(n) >= value && float64(n) <= value*7/5+3 {
				return true
			}
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
