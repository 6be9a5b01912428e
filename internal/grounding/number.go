package grounding

import (
	"math"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// variant is a way in which the same quantity is written with another number.
type variant struct {
	factor float64
	how    string
	fits   func(a *atom.Atom, f *figure) bool
}

// figure finds a figure of the evidence that an atom stands for: nil where
// there is none.
func (c *checker) figure(a *atom.Atom) (*figure, string) {
	var heard *figure
	var how string
	try := func(v *variant) *figure {
		f := c.find(a, v)
		if f != nil && c.x.heard(f.src) {
			if heard == nil {
				heard, how = f, v.how
			}
			return nil
		}
		return f
	}
	if f := try(&asWritten); f != nil {
		return f, ""
	}
	for i := range variants {
		v := &variants[i]
		if v.fits == nil || v.usable(a) {
			if f := try(v); f != nil {
				return f, v.how
			}
		}
	}
	for i := range conversions {
		v := &conversions[i]
		if a.Unit.Dimension() == 0 || a.Kind != atom.Number {
			break
		}
		w := *v
		w.factor *= a.Unit.Factor()
		if v.factor != 1 { // powers of 1024 for a unit of data
			if a.Unit.Dimension() != atom.Data {
				continue
			}
			w.factor = binary(a.Unit.Factor())
			if w.factor == 0 {
				continue
			}
		}
		if f := try(&w); f != nil {
			return f, w.how
		}
	}
	if f := c.sized(a); f != nil {
		return f, "as a size"
	}
	if f := c.degrees(a); f != nil && heard == nil {
		return f, "on the other scale of temperature"
	}
	return heard, how
}

// sized looks for a size whose unit tools write by its magnitude alone: "1.3T" and
// "6.1M" in a listing of files.
func (c *checker) sized(a *atom.Atom) *figure {
	if a.Unit.Dimension() != atom.Data || a.Kind != atom.Number {
		return nil
	}
	return c.find(a, &variant{factor: a.Unit.Factor(), fits: func(_ *atom.Atom, f *figure) bool {
		if f.unit != 0 || f.kind != atom.Number || f.path != 0 {
			return false
		}
		text := c.x.textOf(f.place())
		return text != "" && strings.IndexByte("KMTPk", text[len(text)-1]) >= 0
	}})
}

// degrees looks for a temperature on the other scale.
func (c *checker) degrees(a *atom.Atom) *figure {
	other := *a
	v := variant{factor: 1}
	to := func(of float64, zero float64, dimension atom.Dimension) {
		for i := range a.N {
			r := &other.Readings[i]
			r.Value, r.Step, r.Round = (r.Value-zero)*of, r.Step*of, r.Round*of
			if dimension == atom.Fahrenheit {
				r.Value += 32
			}
		}
		v.fits = func(_ *atom.Atom, f *figure) bool { return f.unit.Dimension() == dimension }
	}
	switch a.Unit.Dimension() {
	case atom.Fahrenheit:
		to(1/1.8, 32, atom.Celsius)
	case atom.Celsius:
		to(1.8, 0, atom.Fahrenheit)
	default:
		return nil
	}
	return c.find(&other, &v)
}

// find looks for a figure that a reading of the atom, in the given variant,
// covers. What a tool said is preferred to what the user said.
func (c *checker) find(a *atom.Atom, v *variant) *figure {
	x := c.x
	var heard *figure
	for i := range a.N {
		r := scaledReading(a.Readings[i], v.factor)
		tolerance := toleranceOf(r, a.Approx)
		for _, at := range x.sorted.between(r.Value-tolerance, r.Value+tolerance) {
			f := &x.figures[at]
			if !r.Covers(math.Abs(f.value), a.Approx) || !v.fits(a, f) || !c.sameMoney(a, f) {
				continue
			}
			if !x.heard(f.src) {
				return f
			}
			heard = f
		}
	}
	return heard
}

// scaledReading is a reading of a figure in another unit. The sign is the
// business of words ("a loss of"), so magnitudes are compared.
func scaledReading(r atom.Reading, factor float64) atom.Reading {
	return atom.Reading{Value: math.Abs(r.Value) * factor, Step: r.Step * factor, Round: r.Round * factor}
}

// toleranceOf is a bound on how far what a reading covers is away.
func toleranceOf(r atom.Reading, approx bool) float64 {
	t := r.Step / 2
	if approx {
		t = max(t, r.Round/2)
	}
	return min(t, 0.06*math.Abs(r.Value)) + 1e-9*math.Abs(r.Value)
}

var asWritten = variant{factor: 1, fits: func(a *atom.Atom, f *figure) bool {
	switch a.Kind {
	case atom.Money:
		return f.kind == atom.Money && a.Unit.Compatible(f.unit) || f.kind == atom.Number && (f.unit == 0 || f.marks&restated == 0 && f.unit.Dimension() == 0)
	case atom.Percent:
		return f.kind == atom.Percent || f.kind == atom.Number && f.unit == 0 && (f.path != 0 || f.marks&counting == 0)
	}
	if f.marks&restated != 0 && f.unit != 0 {
		return false
	}
	if a.Unit == 0 {
		return true
	}
	return f.kind == atom.Number && (f.unit == 0 || f.unit == a.Unit)
}}

var variants = []variant{
	{0.01, "a ratio, as a percentage", func(a *atom.Atom, f *figure) bool {
		return a.Kind == atom.Percent && f.kind == atom.Number && f.unit == 0 && f.marks&integer == 0 && math.Abs(f.value) < 10
	}},
	{100, "a percentage, as a ratio", func(a *atom.Atom, f *figure) bool {
		return a.Kind == atom.Number && a.Unit == 0 && f.kind == atom.Percent && a.Readings[0].Step < 1
	}},
	{100, "in cents", func(a *atom.Atom, f *figure) bool {
		return a.Kind == atom.Money && f.kind == atom.Number && f.unit == 0 && f.path != 0 && f.marks&integer != 0 && a.Readings[0].Step < 1
	}},
}

// usable is whether figures of the evidence could fit an atom at all.
func (v *variant) usable(a *atom.Atom) bool {
	switch a.Kind {
	case atom.Percent:
		return v.factor < 1
	case atom.Money:
		return v.how == "in cents"
	}
	return v.how == "a percentage, as a ratio" && a.Unit == 0
}

// conversions compare in base units: a figure in megabytes with one in bytes.
// The zero factor stands for units of data as powers of 1024.
var conversions = []variant{
	{1, "in another unit", sameDimension},
	{0, "in another unit, as powers of 1024", sameDimension},
}

func sameDimension(a *atom.Atom, f *figure) bool {
	if f.kind != atom.Number || f.unit == 0 || f.unit.Dimension() != a.Unit.Dimension() {
		return false
	}
	return f.marks&restated != 0 || f.unit.Factor() == 1
}

// binary is the power of 1024 that the name of a decimal unit of data is often
// used for, 0 where it is none.
func binary(factor float64) float64 {
	power := math.Log10(factor) / 3
	if power != math.Trunc(power) || power < 1 {
		return 0
	}
	return math.Pow(1024, power)
}

// sameMoney is whether the currency that an object states beside a figure can
// be the one of the draft.
func (c *checker) sameMoney(a *atom.Atom, f *figure) bool {
	if len(c.x.units) == 0 || a.Kind != atom.Money || f.unit != 0 {
		return true
	}
	stated, ok := c.x.units[f.object]
	return !ok || a.Unit.Compatible(stated)
}
