package grounding

import "github.com/failloud/failloud/internal/atom"

// figure is one number of the evidence.
type figure struct {
	value  float64
	start  uint32 // bytes of the source's text
	src    uint32 // index of the source
	path   uint32 // where it stands in the structure of its text; 0: plain text
	object uint32 // the object or the line that it stands in
	unit   atom.Unit
	kind   atom.Kind
	length uint8
	marks  uint8
}

// The marks of a figure.
const (
	integer   uint8 = 1 << iota // written without a fraction
	restated                    // the value is in base units, or multiplied as the key says
	alternate                   // a less likely reading of its digits
	counting                    // a noun stands behind it that it counts
)

// name is a text of the evidence that is the same or not: an identifier, an
// address, a telephone number.
type name struct {
	hash   uint64
	start  uint32
	src    uint32
	object uint32
	length uint16
	kind   atom.Kind
}

// moment is a day, a time of day or both.
type moment struct {
	day     atom.Day
	seconds int32 // of the day; -1: no time
	offset  int32
	start   uint32
	src     uint32
	object  uint32
	length  uint8
	zoned   bool
}

// flag is a yes or no of the evidence under the key that names it.
type flag struct {
	key        string
	src        uint32
	start, end uint32
	value      bool
}

// place is a stretch of the evidence.
type place struct {
	src        uint32
	start, end uint32
}

func (f *figure) place() place { return place{f.src, f.start, f.start + uint32(f.length)} }
func (n *name) place() place   { return place{n.src, n.start, n.start + uint32(n.length)} }
func (m *moment) place() place { return place{m.src, m.start, m.start + uint32(m.length)} }
