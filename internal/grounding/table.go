package grounding

import (
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// column is the numbers of one column of a table in a plain text, or of the
// lines that begin with the same label.
type column struct {
	head   string
	at     place
	sum    float64
	values []figure
}

// mostColumns is how many columns of all texts are kept.
const mostColumns = 512

// tables finds the columns of the plain texts, when a draft first needs them.
func (c *checker) tables() []column {
	if c.tabled {
		return c.columns
	}
	c.tabled = true
	for i := range c.x.sources {
		s := &c.x.sources[i]
		if s.Kind == Heard || jsonStart(s.text) == 0 || strings.IndexByte(s.text, '\n') < 0 {
			continue
		}
		c.tablesOf(uint32(i), s.text)
	}
	return c.columns
}

// tablesOf reads lines of the same number of cells as one table.
func (c *checker) tablesOf(src uint32, text string) {
	var heads []string
	var table []column
	labels := make(map[string]int)
	var block column // the last figures of the items of one list: "- Chair: $189.00"
	endBlock := func() {
		if len(block.values) > 1 && len(c.columns) < mostColumns {
			c.columns = append(c.columns, block)
		}
		block = column{}
	}
	flush := func() {
		for _, col := range table {
			if len(col.values) > 1 && len(c.columns) < mostColumns {
				c.columns = append(c.columns, col)
			}
		}
		table, heads = nil, nil
	}
	at := 0
	var cells []string
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		line = strings.TrimRight(line, "\r\n")
		if label, value, ok := strings.Cut(line, ": "); ok && len(label) < 40 {
			c.labelled(labels, src, start, label, value)
		}
		if v, ok := lastFigure(line); !ok {
			endBlock()
		} else {
			if len(block.values) == 0 || block.values[0].unit != v.unit || block.values[0].kind != v.kind {
				endBlock()
				block.head, block.at = "the items of a list", place{src, uint32(start), uint32(start + len(line))}
			}
			block.add(v)
		}
		if strings.Trim(line, "|-: +=") == "" && line != "" {
			continue // a rule
		}
		if cells = split(cells[:0], line); len(cells) < 2 || len(cells) > 64 {
			flush()
			continue
		}
		if len(cells) != len(table) {
			flush()
			table = make([]column, len(cells))
			heads = append(heads, cells...)
		}
		for k, cell := range cells {
			v, ok := number(cell)
			if !ok {
				continue
			}
			col := &table[k]
			if len(col.values) == 0 {
				col.head, col.at = heads[k], place{src, uint32(start), uint32(start + len(line))}
			}
			col.add(v)
		}
	}
	flush()
	endBlock()
}

// lastFigure is the figure behind the label of a line: "- Chair: $189.00".
func lastFigure(line string) (figure, bool) {
	i := strings.LastIndex(line, ": ")
	if i <= 0 {
		return figure{}, false
	}
	return number(strings.TrimSpace(line[i+2:]))
}

// labelled takes a line such as "Price: $12" into the column of its label.
func (c *checker) labelled(labels map[string]int, src uint32, start int, label, value string) {
	v, ok := number(strings.TrimSpace(value))
	if !ok {
		return
	}
	label = strings.Trim(label, " -*_0123456789.")
	k, ok := labels[label]
	if !ok {
		if len(c.columns) >= mostColumns {
			return
		}
		k = len(c.columns)
		labels[label] = k
		c.columns = append(c.columns, column{head: label, at: place{src, uint32(start), uint32(start + len(label))}})
	}
	c.columns[k].add(v)
}

func (col *column) add(f figure) {
	if len(col.values) < 4*mostPaired {
		f.src, f.start = col.at.src, col.at.start
		col.sum += f.value
		col.values = append(col.values, f)
	}
}

// split appends the cells of a line: between bars, tabs, semicolons, commas or
// wide gaps, whichever comes first in that order.
func split(cells []string, line string) []string {
	by := ""
	for _, d := range [...]string{"|", "\t", ";", ",", "  "} {
		if strings.Contains(line, d) {
			by = d
			break
		}
	}
	if by == "" {
		return cells
	}
	if by == "|" {
		line = strings.Trim(line, "| ")
	}
	for cell := range strings.SplitSeq(line, by) {
		if cell = strings.Trim(cell, " \"*"); cell != "" || by != "  " {
			cells = append(cells, cell)
		}
	}
	return cells
}

// number reads a cell that is nothing but one number.
func number(cell string) (f figure, ok bool) {
	if cell == "" || len(cell) > 24 {
		return f, false
	}
	atom.Scan(cell, atom.Evidence, func(a *atom.Atom) bool {
		if a.N > 0 && a.End-a.Start+1 >= len(cell) {
			f, ok = figure{value: a.Readings[0].Value, unit: a.Unit, kind: a.Kind}, true
			if a.Readings[0].Step >= 1 {
				f.marks = integer
			}
		}
		return false
	})
	return f, ok
}

// fromTables looks at the sums, the means and the pairs of the columns.
func (c *checker) fromTables(w *wanted, r *Result) bool {
	for _, col := range c.tables() {
		if n := len(col.values); n < 2 || !w.a.Unit.Compatible(col.values[0].unit) {
			continue
		}
		switch {
		case w.is(col.sum):
			c.derived(r, col.at, "sum of "+col.head)
		case w.is(col.sum / float64(len(col.values))):
			c.derived(r, col.at, "mean of "+col.head)
		default:
			if len(col.values) <= mostPaired {
				c.pairs(w, r, col.values, "of "+col.head)
			}
		}
		if r.Verdict != 0 {
			return true
		}
	}
	return false
}
