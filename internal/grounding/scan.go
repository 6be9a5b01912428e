package grounding

import (
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// What is kept of a text.
const (
	everything = iota
	lines      // everything; a new line is a new object
	namesOnly
)

// visitor takes the atoms of one text into the index.
type visitor struct {
	x      *Index
	take   func(*atom.Atom) bool // of this visitor: made once
	text   string
	offset int // of the text in its source
	src    uint32
	object uint32
	path   uint32 // of a text that is the value of a field; 0: not one
	what   int
	last   int // end of the last atom
}

// scan takes the atoms of a text at the given offset of its source.
func (x *Index) scan(src, object, path uint32, text string, offset, what int) {
	v := &x.visitor
	if v.take == nil {
		v.x, v.take = x, v.atom
	}
	v.text, v.offset, v.src, v.object, v.path, v.what, v.last = text, offset, src, object, path, what, 0
	atom.Scan(text, atom.Evidence, v.take)
	v.text = ""
}

func (v *visitor) atom(a *atom.Atom) bool {
	x := v.x
	if v.what == lines {
		if strings.IndexByte(v.text[v.last:a.Start], '\n') >= 0 {
			v.object = x.newObject()
		}
		v.last = a.End
	}
	start := uint32(v.offset + a.Start)
	switch a.Kind {
	case atom.Number, atom.Money, atom.Percent:
		if v.what != namesOnly {
			v.number(a, start)
		}
	case atom.Date, atom.Clock:
		m := moment{
			seconds: a.Seconds, offset: a.Offset, zoned: a.Zoned, start: start,
			src: v.src, object: v.object, length: uint8(min(a.End-a.Start, 255)),
		}
		for i, d := range a.Dates {
			if i == 0 || d != (atom.Day{}) {
				m.day = d
				x.moments = append(x.moments, m)
			}
		}
	}
	for _, hash := range [...]uint64{a.Hash, a.Local} {
		if hash == 0 {
			break
		}
		x.names = append(x.names, name{
			hash: hash, start: start, src: v.src, object: v.object,
			length: uint16(min(a.End-a.Start, 1<<16-1)), kind: a.Kind,
		})
	}
	return true
}

func (v *visitor) number(a *atom.Atom, start uint32) {
	x := v.x
	if v.path != 0 && v.last == 0 && (a.End-a.Start)+2 >= len(v.text) {
		v.leaf(a, start)
		return
	}
	f := figure{
		start: start, src: v.src, object: v.object, unit: a.Unit, kind: a.Kind,
		length: uint8(min(a.End-a.Start, 255)),
	}
	first := uint32(len(x.figures))
	for i := range a.N {
		if f.value, f.marks = reading(a, i); a.Noun[1] > 0 {
			f.marks |= counting
		}
		x.addFigure(f)
	}
	if a.Noun[1] > 0 {
		x.nouns = append(x.nouns, counted{
			figure: first,
			start:  uint32(v.offset + a.Noun[0]), end: uint32(v.offset + a.Noun[1]),
		})
	}
}

// leaf takes a number that is all of a text: it is one of its field.
func (v *visitor) leaf(a *atom.Atom, start uint32) {
	f := figure{
		start: start, src: v.src, path: v.path, object: v.object, unit: a.Unit, kind: a.Kind,
		length: uint8(min(a.End-a.Start, 255)),
	}
	for i := range a.N {
		if f.value, f.marks = reading(a, i); i > 0 {
			v.x.addFigure(f)
			continue
		}
		v.x.addNumber(v.path, f)
	}
}

// reading is a value that an atom can stand for, and its marks.
func reading(a *atom.Atom, i int) (value float64, marks uint8) {
	if a.Readings[i].Step >= 1 {
		marks |= integer
	}
	if i > 0 {
		marks |= alternate
	}
	return a.Readings[i].Value, marks
}

// addNumber adds a number of a JSON text, which stands at the path p: a number
// leaf, or a text that is nothing but a number.
func (x *Index) addNumber(p uint32, f figure) {
	at := &x.paths[p]
	if at.n == 0 {
		at.first = uint32(len(x.figures))
	}
	at.n++
	at.sum += f.value
	if f.unit == 0 && f.kind == atom.Number {
		f.unit = at.unit
		if at.kind != 0 {
			f.kind = at.kind
		}
	}
	if at.factor != 0 {
		plain := f
		plain.kind, plain.unit = atom.Number, 0
		x.figures = append(x.figures, plain)
		f.value *= at.factor
		f.marks |= restated
	}
	x.addFigure(f)
}

// addFigure adds a figure, and its value in base units where it has a unit that
// others convert to.
func (x *Index) addFigure(f figure) {
	x.figures = append(x.figures, f)
	x.restate(f)
}

// restate adds a figure once more in the base unit of its dimension.
func (x *Index) restate(f figure) {
	if f.unit == 0 || f.kind != atom.Number {
		return
	}
	if base := f.unit.Factor(); base != 0 && base != 1 {
		f.value *= base
		f.marks |= restated
		x.figures = append(x.figures, f)
	}
}
