package grounding

import "math"

// order holds figures by their magnitude, so that those within a tolerance are
// found by two binary searches.
type order struct {
	keys []uint32 // the upper half of the bits of |value|: they order as the values do
	at   []uint32 // indices of the figures
	swap []uint32
	held []uint32
}

func keyOf(v float64) uint32 { return uint32(math.Float64bits(math.Abs(v)) >> 32) }

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// build sorts by radix: linear, which a comparison sort would not be.
func (o *order) build(figures []figure) {
	n := len(figures)
	o.keys, o.at = resize(o.keys, n), resize(o.at, n)
	o.swap, o.held = resize(o.swap, n), resize(o.held, n)
	var counts [3][digits]uint32
	for i := range figures {
		k := keyOf(figures[i].value)
		o.keys[i], o.at[i] = k, uint32(i)
		counts[0][k&(digits-1)]++
		counts[1][k>>digitBits&(digits-1)]++
		counts[2][k>>(2*digitBits)]++
	}
	for round := range counts {
		c := &counts[round]
		shift := round * digitBits
		if n > 0 && c[o.keys[0]>>shift&(digits-1)] == uint32(n) {
			continue // all alike
		}
		var sum uint32
		for i := range c {
			c[i], sum = sum, sum+c[i]
		}
		for i, k := range o.keys {
			d := k >> shift & (digits - 1)
			o.swap[c[d]], o.held[c[d]] = k, o.at[i]
			c[d]++
		}
		o.keys, o.swap = o.swap, o.keys
		o.at, o.held = o.held, o.at
	}
}

func resize(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n, n+n/4)
	}
	return s[:n]
}

// between are the indices of the figures whose magnitude may lie between two
// others: the caller looks at the values.
func (o *order) between(low, high float64) []uint32 {
	from := o.search(keyOf(max(low, 0)))
	to := from
	last := keyOf(high)
	for to < len(o.keys) && o.keys[to] <= last {
		to++
	}
	return o.at[from:to]
}

func (o *order) search(key uint32) int {
	low, high := 0, len(o.keys)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if o.keys[mid] < key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
