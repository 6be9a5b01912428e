package toolkit

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// member is a field of a struct that encoding/json reads and writes as a member
// of an object.
type member struct {
	reflect.StructField // its Index leads there from the outermost struct
	name                string
	tagged              bool // the name comes from the tag
	optional            bool // it may be left out when it is written
	quoted              bool // it is written inside a string
	sealed              bool // it lies behind a pointer that encoding/json cannot set
}

// embedded is a struct whose fields belong to the one around it.
type embedded struct {
	struc  reflect.Type
	index  []int
	sealed bool
}

// members returns what encoding/json makes of the fields of a struct, in their
// order. Of several that have one name the shallowest counts, then the only one
// that is tagged; where that leaves more than one, none does.
func members(t reflect.Type) []member {
	byName := map[string][]member{}
	seen := map[reflect.Type]bool{t: true}
	for level := []embedded{{struc: t}}; len(level) > 0; {
		level = descend(level, seen, byName)
	}
	var all []member
	for _, rivals := range byName {
		if m, ok := dominant(rivals); ok {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b member) int { return slices.Compare(a.Index, b.Index) })
	return all
}

// descend gathers the members of the structs of one depth, and returns those of
// the next.
func descend(level []embedded, seen map[reflect.Type]bool, byName map[string][]member) (next []embedded) {
	for _, e := range level {
		for i := range e.struc.NumField() {
			m, ok := read(e.struc.Field(i))
			if !ok {
				continue
			}
			m.Index = append(slices.Clone(e.index), i)
			m.sealed = e.sealed || m.Anonymous && !m.IsExported() && m.Type.Kind() == reflect.Pointer
			if inner := pointed(m.Type); m.tagged || !m.Anonymous || inner.Kind() != reflect.Struct {
				byName[m.name] = append(byName[m.name], m)
			} else if !seen[inner] {
				next = append(next, embedded{inner, m.Index, m.sealed})
			}
		}
	}
	for _, e := range next { // twice at one depth is seen twice, and cancels itself out
		seen[e.struc] = true
	}
	return next
}

// read reports whether encoding/json sees a field, and under which name.
func read(f reflect.StructField) (member, bool) {
	tag := f.Tag.Get("json")
	visible := f.IsExported() || f.Anonymous && pointed(f.Type).Kind() == reflect.Struct
	if tag == "-" || !visible {
		return member{}, false
	}
	name, list, _ := strings.Cut(tag, ",")
	options := strings.Split(list, ",")
	m := member{StructField: f, name: name, tagged: usable(name)}
	if !m.tagged {
		m.name = f.Name
	}
	m.optional = slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
	m.quoted = slices.Contains(options, "string") && scalar(pointed(f.Type).Kind())
	return m, true
}

// usable reports whether encoding/json takes a name from a tag.
func usable(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

func scalar(k reflect.Kind) bool {
	return reflect.Bool <= k && k <= reflect.Float64 || k == reflect.String
}

// pointed is what an unnamed pointer points to.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		return t.Elem()
	}
	return t
}

func dominant(rivals []member) (member, bool) {
	rank := func(a, b member) int {
		if a.tagged != b.tagged && len(a.Index) == len(b.Index) {
			if a.tagged {
				return -1
			}
			return 1
		}
		return cmp.Compare(len(a.Index), len(b.Index))
	}
	slices.SortStableFunc(rivals, rank)
	return rivals[0], len(rivals) == 1 || rank(rivals[0], rivals[1]) < 0
}
