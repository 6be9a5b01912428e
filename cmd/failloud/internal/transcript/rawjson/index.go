package rawjson

// Index holds where the fields of one object are, so that they can be asked
// for by name in any order. It is used again and again to spare allocations.
// The zero value is that of an object without fields. Not safe for concurrent
// use.
type Index struct {
	names [][]byte
	at    []Value
}

// maxFields bounds an index: objects with more fields are lists in disguise, of
// which nothing is asked by name.
const maxFields = 4096

// Reset makes x the index of v and returns it; of anything but an object it
// holds nothing. It holds at most 4096 fields.
func (x *Index) Reset(v Value) *Index {
	x.names, x.at = x.names[:0], x.at[:0]
	for name, field := range v.Fields() {
		x.names = append(x.names, name)
		x.at = append(x.at, field)
		if len(x.at) == maxFields {
			break
		}
	}
	return x
}

// Len returns the number of fields.
func (x *Index) Len() int { return len(x.at) }

// Name returns the name of field i, in the order of the object. It is valid
// until the next Reset.
func (x *Index) Name(i int) []byte { return x.names[i] }

// Get returns the field of that name, the last one where there are several, as
// most programs read it; the zero value where there is none.
func (x *Index) Get(name string) Value {
	for i := len(x.names) - 1; i >= 0; i-- {
		if string(x.names[i]) == name {
			return x.at[i]
		}
	}
	return nil
}

// Has reports whether there is a field of that name and kind.
func (x *Index) Has(name string, kind Kind) bool { return x.Get(name).Kind() == kind }
