package grounding

import "strings"

// A table in a plain text is read as JSON rows are: each row is an object, each
// head of a column the key of its cells. So columns are added up, units in heads
// count ("Area (m2)"), and "12,411" between two commas is two numbers.

// The bounds of what is taken for a table.
const (
	mostCells  = 48
	mostGrids  = 32 // tables of one text
	longestKey = 40 // bytes of the head of a column
)

// grid is the first lines of a table: its heads, and where its rows begin.
type grid struct {
	by    byte
	heads []string
	rows  int
}

// plain takes a plain text at the given offset of its source: the tables in it
// row by row, the rest line by line.
func (x *Index) plain(src uint32, text string, offset int) {
	from, found := 0, 0
	var g grid
	for at := 0; at < len(text) && found < mostGrids; {
		end := lineEnd(text, at)
		if !g.opens(text, at, end) {
			at = end
			continue
		}
		found++
		x.prose(src, text[from:at], offset+from)
		at = x.grid(src, text, offset, &g)
		from = at
	}
	x.prose(src, text[from:], offset+from)
}

func (x *Index) prose(src uint32, text string, offset int) {
	if text != "" {
		x.scan(src, x.newObject(), 0, text, offset, lines)
	}
}

// lineEnd is where the line behind the one at text[at] begins.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// opens is whether the line text[at:end] is the heads of a table: two names or
// more, and behind it a row of as many cells of which one at least is a number.
func (g *grid) opens(text string, at, end int) bool {
	if end >= len(text) {
		return false
	}
	line := text[at:end]
	for _, by := range [...]byte{'|', '\t', ';', ','} {
		if strings.IndexByte(line, by) < 0 {
			continue
		}
		g.by, g.heads = by, g.heads[:0]
		least := 2
		if by == ',' || by == ';' { // that prose has, too
			least = 3
		}
		for cell := range g.cells(text, at, end) {
			head := strings.TrimRight(text[cell[0]:cell[1]], ") ")
			if len(g.heads) == mostCells || !isHead(head) {
				return false
			}
			g.heads = append(g.heads, head)
		}
		if len(g.heads) < least {
			return false
		}
		for at = end; at < len(text); at = end {
			end = lineEnd(text, at)
			if n, numbers := g.look(text, at, end); n != 0 || numbers {
				g.rows = at
				return n == len(g.heads) && numbers
			}
		}
		return false
	}
	return false
}

// isHead is whether a text may be the head of a column.
func isHead(s string) bool {
	if s == "" || len(s) > longestKey || s[0] >= '0' && s[0] <= '9' || strings.Count(s, " ") > 3 {
		return false
	}
	return strings.IndexByte(`-+<>{}[]".!?:=`, s[0]) < 0 && !strings.Contains(s, ": ") && !strings.Contains(s, ". ")
}

// look counts the cells of a line, 0 for a rule between rows, and says whether one
// of them is a number.
func (g *grid) look(text string, at, end int) (n int, numbers bool) {
	line := text[at:end]
	if strings.Trim(line, "|-: +=\r\n") == "" && strings.TrimSpace(line) != "" {
		return 0, false
	}
	for cell := range g.cells(text, at, end) {
		n++
		for i := cell[0]; i < cell[1] && !numbers; i++ {
			numbers = text[i] >= '0' && text[i] <= '9' && i-cell[0] < len("-€ ~$£")
		}
	}
	return n, numbers
}

// cells are the cells of a line, without what is around them.
func (g *grid) cells(text string, at, end int) func(func([2]int) bool) {
	return func(yield func([2]int) bool) {
		for end > at && (text[end-1] == '\n' || text[end-1] == '\r' || text[end-1] == ' ') {
			end--
		}
		if g.by == '|' {
			for at < end && (text[at] == '|' || text[at] == ' ') && (at == 0 || text[at-1] != '|') {
				at++
			}
			if end > at && text[end-1] == '|' {
				end--
			}
		}
		for at <= end {
			stop, quoted := at, false
			for stop < end && (quoted || text[stop] != g.by) {
				quoted = quoted != (text[stop] == '"')
				stop++
			}
			from, to := at, stop
			for from < to && strings.IndexByte(" \t\"*`", text[from]) >= 0 {
				from++
			}
			for to > from && strings.IndexByte(" \t\"*`", text[to-1]) >= 0 {
				to--
			}
			if !yield([2]int{from, to}) {
				return
			}
			at = stop + 1
		}
	}
}

// grid takes the rows of a table and says where it ends.
func (x *Index) grid(src uint32, text string, offset int, g *grid) (end int) {
	root := x.newPath(0, "", src)
	x.paths[root].grid = true
	element := x.elements(root)
	members := make([]uint32, len(g.heads))
	for i, head := range g.heads {
		members[i] = x.member(element, head)
	}
	rows, at := 0, g.rows
	for at < len(text) {
		end := lineEnd(text, at)
		n, _ := g.look(text, at, end)
		if n != len(g.heads) && (n != 0 || strings.TrimSpace(text[at:end]) == "") {
			break
		}
		if n != 0 {
			object, k := x.newObject(), 0
			x.paths[element].objects++
			for cell := range g.cells(text, at, end) {
				x.cell(src, members[k], object, text[cell[0]:cell[1]], offset+cell[0])
				k++
			}
			rows++
		}
		at = end
	}
	x.counted(root, rows, offset+g.rows)
	return at
}

// cell takes one cell of a table.
func (x *Index) cell(src, p, object uint32, text string, at int) {
	x.valued(p, text, at)
	x.unitOf(p, object, text)
	if m, ok := timestamp(text); ok {
		m.start, m.src, m.object, m.length = uint32(at), src, object, uint8(len(text))
		x.moments = append(x.moments, m)
		return
	}
	if text != "" {
		x.scan(src, object, p, text, at, everything)
	}
}
