package grounding

import (
	"math"
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// mostMoments is how many days and times of one result are combined.
const mostMoments = 40

// moments are the days and times of a source, each once; at most one more than are
// combined.
func (c *checker) moments(src uint32) []*moment {
	if c.times == nil {
		c.times = make(map[uint32][]*moment)
		for j := range c.x.moments {
			m := &c.x.moments[j]
			all := c.times[m.src]
			same := func(o *moment) bool { return o.day == m.day && o.seconds == m.seconds && o.offset == m.offset }
			if len(all) <= mostMoments && !slices.ContainsFunc(all, same) {
				c.times[m.src] = append(all, m)
			}
		}
	}
	return c.times[src]
}

// interval derives a time from two of one result that lie as far apart, where
// there are so few that none does by chance.
func (c *checker) interval(i int) {
	a := &c.atoms[i]
	w := want(a, false)
	if how := c.betweenStated(w.is, a.Unit.Factor()); how {
		c.results[i].Verdict, c.results[i].Nearest = Derived, Nearest{How: "the time between two of the draft itself"}
		return
	}
	for src := range c.x.sources {
		all := c.moments(uint32(src))
		pairs := len(all) * (len(all) - 1) / 2
		if c.x.heard(uint32(src)) || pairs == 0 || len(all) > mostMoments || float64(pairs)*w.open > likely || !c.spendMore(pairs) {
			continue
		}
		for k, m := range all {
			for _, n := range all[k+1:] {
				if s, ok := apart(m, n); ok && w.is(s/a.Unit.Factor()) {
					c.derived(&c.results[i], n.place(), "the time between two of one result")
					return
				}
			}
		}
	}
}

// betweenStated is whether a time lies between two times of day of the draft that
// stand, which may be of what something took.
func (c *checker) betweenStated(is func(float64) bool, factor float64) bool {
	const most = 6
	var stated []int32
	for j := range c.atoms {
		if a := &c.atoms[j]; a.Kind == atom.Clock && len(stated) < most && (c.results[j].Verdict == Supported || c.results[j].Verdict == Derived) {
			stated = append(stated, a.Seconds)
		}
	}
	for k, s := range stated {
		for _, t := range stated[:k] {
			if is(math.Abs(float64(s-t)) / factor) {
				return true
			}
		}
	}
	return false
}

// momentFrom derives a time of day from one of a result and a time that something
// takes, "45 minutes before closing", and a pace from a time and a length.
func (c *checker) momentFrom(i int) {
	const slots = 96 // quarters of an hour of a day, at which most times are
	a := &c.atoms[i]
	exact := strings.Count(c.draft[a.Start:a.End], ":") > 1 // to the second
	for src := range c.x.sources {
		if c.x.heard(uint32(src)) {
			continue
		}
		all := c.moments(uint32(src))
		_, figures := c.figuresIn(uint32(src))
		if len(all) > mostMoments || len(all) == 0 || !c.spendMore(len(all)*len(figures)) {
			continue
		}
		spans := spokenSpans(c.x.sources[src].text)
		for k := range figures {
			if f := &figures[k]; f.unit.Dimension() == atom.Time {
				spans = append(spans, int32(min(math.Abs(f.value)*f.unit.Factor(), daySeconds)))
			}
		}
		_, to := c.sentence(a.Start, a.End)
		per := perUnit(c.draft[a.End:to])
		for k, m := range all {
			if m.seconds < 0 {
				continue
			}
			for _, n := range all[:k] { // what is left of 3:52:44 behind 1:51:40
				if exact && m.day == (atom.Day{}) && n.day == (atom.Day{}) && n.seconds >= 0 && (abs(int(m.seconds-n.seconds)) == int(a.Seconds) || m.seconds+n.seconds == a.Seconds) {
					c.derived(&c.results[i], m.place(), "the time between two of one result")
					return
				}
			}
			for _, s := range spans {
				if float64(2*len(all)*len(spans)) <= 2*likely*slots && s < daySeconds && (m.seconds-s == a.Seconds || m.seconds+s == a.Seconds) {
					c.derived(&c.results[i], m.place(), "a time as long before or after it")
					return
				}
			}
			if per == "" || m.day != (atom.Day{}) {
				continue
			}
			for k := range figures { // 4:50 per km: minutes and seconds
				if f := &figures[k]; f.value != 0 && math.Abs(float64(m.seconds)/math.Abs(f.value)*60-float64(a.Seconds)) <= 30 {
					c.derived(&c.results[i], m.place(), "a time for each of so many")
					return
				}
			}
		}
	}
}

// spokenSpans are the times that a text writes without digits: "half an hour before
// closing".
func spokenSpans(text string) (spans []int32) {
	for _, phrase := range [...]string{"half an hour", "half hour", "nửa tiếng", "nửa giờ"} {
		if strings.Contains(text, phrase) {
			return []int32{1800}
		}
	}
	for _, phrase := range [...]string{"one hour", "an hour", "một tiếng", "một giờ"} {
		if strings.Contains(text, phrase) {
			return []int32{3600}
		}
	}
	return nil
}

// zoneNamed is the zone whose name the draft gives behind a time of day: "giờ Việt
// Nam", "Berlin time". Of most, nobody knows how far they are from UTC.
func (c *checker) zoneNamed(a *atom.Atom) (offset int32, known, named bool) {
	rest := strings.TrimLeft(c.draft[a.End:min(len(c.draft), a.End+32)], " *_(")
	if place, ok := strings.CutPrefix(rest, "giờ "); ok && place != "" {
		named = upper(place[0]) || place[0] >= 0x80
		rest = place
	} else if head, _, ok := strings.Cut(rest, " time"); ok && head != "" && !strings.ContainsAny(head, ".,;:\n") {
		named = upper(head[0]) || head == "local"
	} else if len(rest) >= 2 && strings.HasSuffix(rest[:2], "T") && upper(rest[0]) && (len(rest) == 2 || !wordByte(rest[2])) {
		named = true // ET, PT
	}
	for _, name := range [...]string{"Việt Nam", "Vietnam", "Viet Nam", "Hà Nội", "Hanoi"} {
		known = known || named && strings.HasPrefix(rest, name)
	}
	return 7 * 3600, known, named
}
