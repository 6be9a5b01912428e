package atom

import "math"

// maxRelative caps what rounding explains: however roughly a figure is written,
// it does not stand for one that is more than a twentieth away. Without it "$1M"
// would cover 1.4 million.
const maxRelative = 0.05

// noise is the relative error of arithmetic on binary fractions.
const noise = 1e-12

// Covers reports whether the written number stands for v: v is at most half a
// unit of the last written digit away, or, for a number that is only
// approximate, half a unit of the last digit that is not a trailing zero, and
// in any case at most a twentieth of itself.
func (r Reading) Covers(v float64, approx bool) bool {
	half := r.Step / 2
	if approx {
		half = max(half, r.Round/2)
	}
	half = min(half, maxRelative*math.Abs(v))
	return math.Abs(v-r.Value) <= half+noise*math.Abs(v)
}
