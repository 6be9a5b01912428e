package grounding

const (
	manyMembers    = 16  // from here on members of a path are looked up in a map
	mostMembers    = 512 // the keys beyond are data, not names: they share one path
	mostValues     = 16  // distinct texts that are counted at one path; beyond, it is free text
	mostLengths    = 16  // distinct lengths of the arrays at one path
	longestCounted = 48  // bytes of a text that is counted as a value
)

// path is a place in the structure of a text, as "items[].total": all the
// values that stand there over the rows of an array share it. What can be
// derived from them is added up while the text is read.
type path struct {
	key     string // the last key; of the elements of an array: the array's
	parent  uint32
	element bool
	keyed   // what the key says

	members []uint32
	next    int // the member that is expected next: rows repeat their order
	byKey   map[string]uint32
	items   uint32 // path of the elements of the arrays here

	src      uint32
	n        int // numbers
	sum      float64
	first    uint32 // index of its first figure
	arrays   int
	objects  int
	total    int // elements of all arrays here
	lengths  []length
	values   []tally
	freeText bool
	grid     bool // the rows of a table in a plain text
}

// length is how long an array was.
type length struct {
	n     int
	start uint32
}

// tally counts how often a text stood at a path.
type tally struct {
	text  string
	n     int
	start uint32
}

// member is the path of a key under the path at.
func (x *Index) member(at uint32, key string) uint32 {
	p := &x.paths[at]
	if p.next < len(p.members) {
		if id := p.members[p.next]; x.paths[id].key == key {
			p.next++
			return id
		}
	}
	if p.byKey != nil {
		if id, ok := p.byKey[key]; ok {
			p.next++
			return id
		}
	} else {
		for i, id := range p.members {
			if x.paths[id].key == key {
				p.next = i + 1
				return id
			}
		}
	}
	if len(p.members) >= mostMembers {
		return p.members[mostMembers-1]
	}
	id := x.newPath(at, key, p.src)
	p = &x.paths[at] // newPath may have moved it
	if p.members == nil {
		p.members = x.members.take(8)
	}
	p.members = append(p.members, id)
	p.next = len(p.members)
	switch {
	case p.byKey != nil:
		p.byKey[key] = id
	case len(p.members) > manyMembers:
		p.byKey = make(map[string]uint32, 2*manyMembers)
		for _, m := range p.members {
			p.byKey[x.paths[m].key] = m
		}
	}
	return id
}

// elements is the path of the elements of the arrays at a path.
func (x *Index) elements(at uint32) uint32 {
	if id := x.paths[at].items; id != 0 {
		return id
	}
	p := &x.paths[at]
	id := x.newPath(at, p.key, p.src)
	x.paths[id].element = true
	x.paths[at].items = id
	return id
}

func (x *Index) newPath(parent uint32, key string, src uint32) uint32 {
	p := path{key: key, parent: parent, src: src, keyed: x.keyUnit(key)}
	if above := &x.paths[parent]; p.keyed == (keyed{}) && above.keyed != (keyed{}) && hands(above.key) && !tellsCount(key) {
		p.keyed = above.keyed
	}
	x.paths = append(x.paths, p)
	return uint32(len(x.paths) - 1)
}

// counted adds an array of n elements that stood at a path.
func (x *Index) counted(at uint32, n int, start int) {
	p := &x.paths[at]
	p.arrays++
	p.total += n
	for _, l := range p.lengths {
		if l.n == n {
			return
		}
	}
	if p.lengths == nil {
		p.lengths = x.lengths.take(1)
	}
	if len(p.lengths) < mostLengths {
		p.lengths = append(p.lengths, length{n, uint32(start)})
	}
}

// valued adds a text that stood at a path.
func (x *Index) valued(at uint32, s string, start int) {
	p := &x.paths[at]
	if p.freeText {
		return
	}
	if len(s) > longestCounted {
		p.freeText, p.values = true, nil
		return
	}
	for i := range p.values {
		if p.values[i].text == s {
			p.values[i].n++
			return
		}
	}
	if len(p.values) == mostValues { // they differ from row to row
		p.freeText, p.values = true, nil
		return
	}
	switch len(p.values) {
	case 0:
		p.values = x.tallies.take(4)
	case mostValues / 2:
		if p.unlike() {
			p.freeText, p.values = true, nil
			return
		}
	case 4:
		p.values = append(x.tallies.take(mostValues), p.values...)
	}
	p.values = append(p.values, tally{s, 1, uint32(start)})
}

// unlike is whether no text has come twice: such a field names its rows.
func (p *path) unlike() bool {
	for i := range p.values {
		if p.values[i].n > 1 {
			return false
		}
	}
	return true
}

// figuresOf are the figures at a path, each in the one form that its key says.
func (x *Index) figuresOf(id uint32) func(func(*figure) bool) {
	return func(yield func(*figure) bool) {
		p := &x.paths[id]
		for i, found := int(p.first), 0; i < len(x.figures) && found < p.n; i++ {
			f := &x.figures[i]
			if f.path != id || f.marks&alternate != 0 || (p.factor != 0) != (f.marks&restated != 0) {
				continue
			}
			if found++; !yield(f) {
				return
			}
		}
	}
}

// spelled is the path as it is written: "items[].total".
func (x *Index) spelled(at uint32) string {
	p := &x.paths[at]
	switch {
	case p.element:
		return x.spelled(p.parent) + "[]"
	case p.parent == 0 || x.paths[p.parent].parent == 0 && x.paths[p.parent].key == "" && !x.paths[p.parent].element:
		return p.key
	}
	return x.spelled(p.parent) + "." + p.key
}
