package grounding

import "github.com/failloud/failloud/internal/atom"

// alike tries the differences and the sums of the figures of one result that are
// in the very unit of the wanted one, where its words compare or add up.
func (h *hunt) alike() {
	const most = 40
	unit := h.w.a.Unit
	if unit == 0 || h.w.percent || h.how&(compared|moved|summed) == 0 {
		return
	}
	for src := range h.c.x.sources {
		if h.c.x.heard(uint32(src)) {
			continue
		}
		_, all := h.c.figuresIn(uint32(src))
		var same []figure
		for i := range all {
			if all[i].unit == unit && len(same) <= most {
				same = append(same, all[i])
			}
		}
		if len(same) > most || !h.c.spendMore(len(all)+len(same)*len(same)/2) {
			continue
		}
		for i := range same {
			for j := range i {
				h.offer(same[i].value-same[j].value, &same[i], "difference of two", "of one result")
				h.offer(same[i].value+same[j].value, &same[i], "sum of two", "of one result")
			}
		}
	}
}

// rows tries the rows that the draft speaks of, each by itself.
func (h *hunt) rows() {
	const most = 24 // rows
	looked := 0
	for i := range h.c.allRows() {
		row := &h.c.rows[i]
		if !row.named && !h.c.cited[row.object] {
			continue
		}
		if looked++; looked > most || !h.c.spendMore(len(row.figures)*len(row.figures)) {
			return
		}
		h.among(row.figures, "of one object")
		h.runs(row.figures, "of one object")
	}
}

// runs tries the sums of two and more neighbours, and their share of another
// figure.
func (h *hunt) runs(figures []figure, where string) {
	n := len(figures)
	if n < 3 || n > mostRun {
		return
	}
	for i := range figures {
		f := &figures[i]
		sum := f.value
		for j := i + 1; j < n && figures[j].unit == f.unit && figures[j].kind == f.kind; j++ {
			sum += figures[j].value
			switch {
			case h.w.percent && n <= fewFigures:
				for k := range figures {
					if g := &figures[k]; (k < i || k > j) && g.value != 0 && g.unit == f.unit {
						h.offer(100*sum/g.value, f, "share of a sum", where)
					}
				}
			case !h.w.percent && h.w.a.Unit.Compatible(f.unit) && f.kind != atom.Percent:
				h.offer(sum, f, "sum of some", where)
			}
		}
	}
}

// columns tries the sums of the columns of each table: what they are of each
// other, what a row is of its column, and the sums of some of its rows.
func (h *hunt) columns() {
	x := h.c.x
	for _, sheet := range h.c.allSheets() {
		for i, column := range sheet.columns {
			p := &x.paths[column[0].path]
			if !h.c.spendMore(len(column)) {
				return
			}
			where := "of one column"
			if h.w.percent {
				for k := range column {
					if h.c.cited[column[k].object] && sheet.sums[i].value != 0 {
						h.offer(100*column[k].value/sheet.sums[i].value, &column[k], "share", where)
					}
				}
				if len(column) <= fewFigures && h.how&(compared|moved) != 0 {
					h.among(column, where)
				}
			} else if h.c.fitsPath(&h.w, p) {
				h.some(column, where)
			}
		}
		if h.w.percent || h.how&(rated|averaged|ratioed) != 0 {
			h.among(sheet.sums, "of the sums of two columns")
		}
	}
}

// sheet is the columns of numbers of one list of rows, and their sums.
type sheet struct {
	columns [][]figure
	sums    []figure
}

// allSheets are the lists of rows, when a draft first needs them.
func (c *checker) allSheets() []sheet {
	const most = 10_000 // figures
	if c.sheets != nil {
		return c.sheets
	}
	c.sheets = []sheet{}
	x, taken := c.x, 0
	for id := 1; id < len(x.paths); id++ {
		if p := &x.paths[id]; !p.element || x.heard(p.src) {
			continue
		}
		var s sheet
		for _, m := range x.paths[id].members {
			p := &x.paths[m]
			if p.n < 2 || p.n > mostLooked || len(s.sums) == mostSums || taken+p.n > most {
				continue
			}
			taken += p.n
			column := make([]figure, 0, p.n)
			for f := range x.figuresOf(m) {
				column = append(column, *f)
			}
			if len(column) < 2 {
				continue
			}
			sum := column[0]
			sum.value = p.sum * p.scale()
			s.columns, s.sums = append(s.columns, column), append(s.sums, sum)
		}
		if len(s.sums) > 0 {
			c.sheets = append(c.sheets, s)
		}
	}
	return c.sheets
}

// some tries the sums of some rows of a column: of the gains and of the losses,
// of neighbours.
func (h *hunt) some(column []figure, where string) {
	plus, minus := 0.0, 0.0
	for i := range column {
		if v := column[i].value; v > 0 {
			plus += v
		} else {
			minus += v
		}
	}
	if plus != 0 && minus != 0 {
		h.offer(plus, &column[0], "sum of the gains", where)
		h.offer(minus, &column[0], "sum of the losses", where)
	}
	if len(column) <= mostRun && h.c.spendMore(len(column)*len(column)/2) {
		h.runs(column, where)
	}
}

// records tries what stands outside of the lists of one result, and the figures
// of the draft and the question with any of the result.
func (h *hunt) records(near, asked []figure) {
	x := h.c.x
	if h.how == 0 && !h.w.percent { // it is stated as it was found
		near = nil
	}
	for src := range x.sources {
		if x.heard(uint32(src)) {
			continue
		}
		record, all := h.c.figuresIn(uint32(src))
		if len(record) > 1 && len(record) <= mostRecord {
			if !h.w.percent { // a share is one of what the draft states
				h.among(record, "of one result")
			}
		}
		h.ends(all)
		h.hundredth(all)
		h.scaled(all, asked)
		if len(all) > mostLooked || !h.c.spendMore(len(all)*(len(near)+len(asked))) {
			continue
		}
		for _, mine := range [...][]figure{near, asked} {
			for i := range mine {
				for j := range all {
					h.pair(&all[j], &mine[i], "of the draft and the result")
				}
			}
		}
	}
}

// ends tries the last figures of the lines of a plain text, as of the items of a
// receipt.
func (h *hunt) ends(all []figure) {
	const most = 40
	var last []figure
	for i := range all {
		if f := &all[i]; f.path == 0 && (i+1 == len(all) || all[i+1].object != f.object) {
			last = append(last, *f)
		}
	}
	if len(last) > 2 && len(last) <= most && !h.w.percent {
		h.among(last, "of the ends of lines")
	}
}

// scaled tries the rule of three: so much for as many as the user asks for, where
// the evidence says how much it is for another number.
func (h *hunt) scaled(all, asked []figure) {
	const most = 100
	for i := range asked {
		q := &asked[i]
		if q.marks&integer == 0 || q.unit != 0 || q.value > most || q.value < 1 || h.w.percent {
			continue
		}
		for j := range all {
			s := &all[j]
			if s.marks&integer == 0 || s.unit != 0 || s.kind != atom.Number || s.value < 1 || s.value > most || !h.c.spendMore(len(all)) {
				continue
			}
			for k := range all {
				if f := &all[k]; k != j && h.w.a.Unit.Compatible(f.unit) {
					h.offer(f.value*q.value/s.value, f, "as much for the number that was asked for", "")
				}
			}
		}
	}
}

// hundredth tries what a rate "per 100 km" makes of a length of the same result.
func (h *hunt) hundredth(all []figure) {
	for i := range all {
		s := &all[i]
		if s.unit == 0 || s.value != 100 && s.value != 1000 || !h.c.spendMore(len(all)) {
			continue
		}
		for j := range all {
			f := &all[j]
			if j == i || f.unit != s.unit || !h.c.spendMore(len(all)) {
				continue
			}
			for k := range all {
				if q := &all[k]; q.unit == h.w.a.Unit && q.unit != 0 {
					h.offer(f.value*q.value/s.value, f, "at a rate", "of one result")
				}
			}
		}
	}
}

// nouns tries the sums of what a text counts of each thing: "62 insertions" and
// "35 insertions" in the lines of a log.
func (h *hunt) nouns() {
	x := h.c.x
	if h.w.a.Kind != atom.Number || h.w.a.Unit != 0 {
		return
	}
	for _, t := range h.c.allThings() {
		h.offer(t.sum, &x.figures[t.first], "sum of what is counted", "")
	}
}

// thing is what the texts of one source count of one noun.
type thing struct {
	first uint32
	sum   float64
	n     int
}

// allThings adds up what is counted, when a draft first needs it.
func (c *checker) allThings() []thing {
	if c.things != nil {
		return c.things
	}
	type key struct {
		src  uint32
		noun string
	}
	x := c.x
	c.things = []thing{}
	at := make(map[key]int)
	for i := range x.nouns {
		n := &x.nouns[i]
		f := &x.figures[n.figure]
		k := key{f.src, stem(plainLetters(x.textOf(place{f.src, n.start, n.end})))}
		j, ok := at[k]
		if !ok {
			j = len(c.things)
			at[k] = j
			c.things = append(c.things, thing{first: n.figure})
		}
		c.things[j].sum += f.value
		c.things[j].n++
	}
	return c.things
}

// figuresIn are the figures of a source: those outside of its lists, and all.
func (c *checker) figuresIn(src uint32) (record, all []figure) {
	x := c.x
	if c.bySource == nil {
		c.bySource = make(map[uint32][2][]figure)
		for i := range x.figures {
			f := &x.figures[i]
			if !pairable(f) {
				continue
			}
			g := c.bySource[f.src]
			if len(g[1]) <= mostLooked {
				if f.path != 0 && !x.inList(f.path) {
					g[0] = append(g[0], *f)
				}
				g[1] = append(g[1], *f)
				c.bySource[f.src] = g
			}
		}
	}
	g := c.bySource[src]
	return g[0], g[1]
}
