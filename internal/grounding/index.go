package grounding

import (
	"slices"

	"github.com/failloud/failloud/internal/atom"
)

// Index is the evidence of one run. The zero value is empty and ready. It is
// not safe for concurrent use.
type Index struct {
	sources []source
	read    int // how many of the sources are indexed

	figures []figure
	names   []name
	moments []moment
	flags   []flag
	nouns   []counted
	paths   []path
	objects uint32

	sorted  order
	byHash  map[uint64]int32 // the first name of a hash
	hashed  int              // how many names byHash holds
	keys    map[string]keyed
	units   map[uint32]atom.Unit // the currency or unit that an object states beside its numbers
	visitor visitor

	members slab[uint32]
	lengths slab[length]
	tallies slab[tally]
}

// counted is a number of the evidence that counts something.
type counted struct {
	figure     uint32
	start, end uint32 // of the word, in the source of the figure
}

// source is a text of the evidence.
type source struct {
	Source
	text string

	// Of a text that stood, escaped, inside of another:
	inner      bool
	outer      uint32 // index of the other
	start, end uint32 // where it stood there
	depth      int
	cut        bool
}

// Add adds a text to the evidence. The text is kept by reference and read at
// the next [Index.Check].
func (x *Index) Add(s Source, text string) {
	const most = 1<<32 - 1 // positions are kept in 32 bits
	if len(text) > most {
		text, s.Degraded = text[:most], true
	}
	// Texts that stand inside of others follow their own at the end, so what is
	// not read yet is in one piece.
	x.sources = append(x.sources, source{Source: s, text: text, cut: s.Degraded || visiblyCut(text)})
}

// ready reads what was added since the last time.
func (x *Index) ready() {
	if x.read == len(x.sources) {
		return
	}
	bytes, paths := 0, 1
	for i := x.read; i < len(x.sources); i++ {
		text := x.sources[i].text
		bytes += len(text)
		if paths++; jsonStart(text) >= 0 {
			paths += 15
		}
	}
	if x.paths == nil {
		x.paths = append(make([]path, 0, paths), path{}) // 0 is no path
		x.keys = make(map[string]keyed)
	}
	// What a result of rows of JSON mostly holds; growing copies what is there.
	x.figures = slices.Grow(x.figures, bytes/64)
	x.names = slices.Grow(x.names, bytes/256)
	x.moments = slices.Grow(x.moments, bytes/256)
	for ; x.read < len(x.sources); x.read++ { // grows while inner texts are found
		x.readText(uint32(x.read))
	}
	x.sorted.build(x.figures)
	x.index()
}

// index brings what was found since the last time into the map.
func (x *Index) index() {
	if x.byHash == nil {
		x.byHash = make(map[uint64]int32, len(x.names))
	}
	for ; x.hashed < len(x.names); x.hashed++ {
		h := x.names[x.hashed].hash
		first, ok := x.byHash[h]
		// What a tool said is better support than what the user said.
		if !ok || x.heard(x.names[first].src) && !x.heard(x.names[x.hashed].src) {
			x.byHash[h] = int32(x.hashed)
		}
	}
}

func (x *Index) heard(src uint32) bool { return x.sources[src].Kind == Heard }

func (x *Index) newObject() uint32 {
	x.objects++
	return x.objects
}

// inner notes a text that stood escaped in a string of another.
func (x *Index) inner(src uint32, start, end int, text string, depth int) {
	s := source{
		Source: x.sources[src].Source, text: text, inner: true, outer: src,
		start: uint32(start), end: uint32(end), depth: depth,
	}
	x.sources = append(x.sources, s)
}

func (x *Index) addFlag(p, src uint32, at int, value bool) {
	const most = 4096
	key := x.paths[p].key
	if key == "" || len(x.flags) >= most {
		return
	}
	n := len("true")
	if !value {
		n = len("false")
	}
	x.flags = append(x.flags, flag{key: key, src: src, start: uint32(at), end: uint32(at + n), value: value})
}
