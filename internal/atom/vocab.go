package atom

// vocab is a set of words with what each means. Most words that it is asked for
// are not in it, and a filter of a few hundred bytes says so of most of these.
type vocab[V any] struct {
	m      map[string]V
	filter [1 << filterBits / 64]uint64
}

const filterBits = 12

func newVocab[V any](m map[string]V) *vocab[V] {
	v := &vocab[V]{m: m}
	for form := range m {
		k := filterKey(form)
		v.filter[k/64] |= 1 << (k % 64)
	}
	return v
}

// filterKey mixes the length of a form with the bytes in which words differ most.
func filterKey(form string) uint {
	n := uint(len(form))
	return (uint(form[0])*67 + uint(form[n-1])*31 + uint(form[n/2])*7 + n*257) & (1<<filterBits - 1)
}

func (v *vocab[V]) get(form string) (value V, ok bool) {
	if form == "" {
		return value, false
	}
	if k := filterKey(form); v.filter[k/64]>>(k%64)&1 == 0 {
		return value, false
	}
	value, ok = v.m[form]
	return value, ok
}

// at is what a form means, the zero value where it is not in the set.
func (v *vocab[V]) at(form string) V {
	value, _ := v.get(form)
	return value
}
