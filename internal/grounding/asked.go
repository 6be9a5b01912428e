package grounding

import (
	"strings"
	"time"

	"github.com/failloud/failloud/internal/atom"
)

// monthAsked is whether a month of the present year is one that the user named
// without its year.
func (c *checker) monthAsked(a *atom.Atom) bool {
	d := a.Dates[0]
	if a.Kind != atom.Date || d.Day != 0 || d.Month == 0 || !c.presentYear(int(d.Year)) {
		return false
	}
	month := strings.TrimRight(c.draft[a.Start:a.End], "0123456789 ,/-.")
	if month == "" {
		return false
	}
	for j := range c.x.sources {
		if s := &c.x.sources[j]; s.Kind == Heard && wordIn(strings.ToLower(s.text), strings.ToLower(month), joined) >= 0 {
			return true
		}
	}
	return false
}

// weekdays are the names of the days of the week, Sunday first, in plain letters.
var weekdays = [7][]string{
	{"sunday", "chu nhat"}, {"monday", "thu hai", "thu 2"}, {"tuesday", "thu ba", "thu 3"}, {"wednesday", "thu tu", "thu 4"},
	{"thursday", "thu nam", "thu 5"}, {"friday", "thu sau", "thu 6"}, {"saturday", "thu bay", "thu 7"},
}

// weekdayAsked derives a day from the day of the week that the user named, "next
// Wednesday", where it is one within two weeks of today or of a day of the
// evidence.
func (c *checker) weekdayAsked(i int, d atom.Day) bool {
	const most, days = 64, 14
	on := time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Weekday()
	asked := false
	for j := range c.x.sources {
		if s := &c.x.sources[j]; s.Kind == Heard && !asked {
			text := plainLetters(strings.ToLower(s.text))
			for _, name := range weekdays[on] {
				asked = asked || wordIn(text, name, joined) >= 0
			}
		}
	}
	if !asked {
		return false
	}
	near := func(day atom.Day) bool {
		return whole(day) && abs(int(serial(d)-serial(day))) <= days
	}
	if near(c.today) {
		c.results[i].Verdict = Derived
		c.results[i].Nearest = Nearest{How: "the day of the week that was asked for"}
		return true
	}
	for j := range min(most, len(c.x.moments)) {
		if m := &c.x.moments[j]; near(m.day) {
			c.derived(&c.results[i], m.place(), "the day of the week that was asked for, after it")
			return true
		}
	}
	return false
}
