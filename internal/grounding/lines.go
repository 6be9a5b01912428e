package grounding

import "strings"

// count is how many there are of something.
type count struct {
	value int
	at    place
	how   string
}

// allCounts are the counts that the evidence allows: the lengths of lists, the
// rows with one value in a field, the lines of a text. They are found when a
// draft first needs them.
func (c *checker) allCounts() []count {
	if c.counted {
		return c.counts
	}
	c.counted = true
	x := c.x
	add := func(n int, at place, how string) { c.counts = append(c.counts, count{n, at, how}) }
	totals := make(map[string]int)
	for id := 1; id < len(x.paths); id++ {
		p := &x.paths[id]
		if x.heard(p.src) {
			continue
		}
		for _, l := range p.lengths {
			add(l.n, place{p.src, l.start, l.start + 1}, "length of "+x.called(uint32(id)))
		}
		if p.arrays > 0 {
			totals[p.key] += p.total
			add(totals[p.key], x.pathPlace(uint32(id)), "length of all "+x.called(uint32(id)))
		}
		if !p.freeText {
			for _, v := range p.values {
				add(v.n, place{p.src, v.start, v.start + uint32(len(v.text))}, "rows with this "+x.called(uint32(id)))
			}
		}
		if n := len(p.members); p.objects == 1 && n < mostMembers {
			add(n, x.pathPlace(uint32(id)), "members of "+x.called(uint32(id)))
		}
		if p.n > 1 {
			add(p.n, x.pathPlace(uint32(id)), "how often "+x.called(uint32(id))+" occurs")
		}
	}
	for i := range x.sources {
		s := &x.sources[i]
		if s.Kind == Heard {
			continue
		}
		lines, items := countLines(s.text)
		at := place{src: uint32(i)}
		if items > 1 {
			add(items, at, "items of a list")
		}
		if lines > 1 {
			add(lines, at, "lines")
			add(lines-1, at, "lines below the first")
		}
	}
	return c.counts
}

// countLines counts the lines of a text that are not empty, and those that are
// items of a list.
func countLines(text string) (lines, items int) {
	if strings.IndexByte(text, '\n') < 0 {
		return 0, 0
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.Trim(line, "|-: +=") == "" {
			continue
		}
		lines++
		if isItem(line) {
			items++
		}
	}
	return lines, items
}
