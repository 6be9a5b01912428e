package guard

// filter says of most words that they are not in a set, without looking them up:
// drafts are read word by word, and few words mean anything to any one list.
type filter [1 << filterBits / 64]uint64

const filterBits = 13

// may reports whether the word may be in the set.
func (f *filter) may(w string) bool {
	if w == "" {
		return false
	}
	k := filterKey(w)
	return f[k/64]>>(k%64)&1 != 0
}

// filterKey mixes the length of a word with the bytes in which words differ most.
func filterKey(w string) uint {
	n := uint(len(w))
	return (uint(w[0])*67 + uint(w[n-1])*31 + uint(w[n/2])*7 + n*257) & (1<<filterBits - 1)
}

// filterOf is the filter of the words of maps, of which none is empty.
func filterOf[V any](maps ...map[string]V) *filter {
	var f filter
	for _, m := range maps {
		for w := range m {
			k := filterKey(w)
			f[k/64] |= 1 << (k % 64)
		}
	}
	return &f
}
