package atom

import "math"

// decimal is a number as it is written: mant × 10^exp.
type decimal struct {
	mant uint64
	exp  int
	frac bool // digits behind the point are written, so its trailing zeros mean something
}

// read adds digits to the number. Each lowers its exponent by decimals. What is
// beyond 19 digits only counts for the size of the number.
func (d *decimal) read(text string, runs []run, decimals int) (digits int) {
	const full = (math.MaxUint64 - 9) / 10
	for _, r := range runs {
		for i := r.from; i < r.to; i++ {
			if d.mant > full {
				d.exp += 1 - decimals
				continue
			}
			d.mant = d.mant*10 + uint64(text[i]-'0')
			d.exp -= decimals
		}
		digits += r.len()
	}
	return digits
}

// reading is the number after it is multiplied by a power of ten.
func (d decimal) reading(exp int) Reading {
	exp += d.exp
	r := Reading{Value: scaled(d.mant, exp), Step: scaled(1, exp)}
	r.Round = r.Step
	if d.frac || d.mant == 0 {
		return r
	}
	for m := d.mant; m%10 == 0; m /= 10 {
		exp++
	}
	r.Round = scaled(1, exp)
	return r
}

// scaled is m × 10^exp, correctly rounded where m and the power are exact.
func scaled(m uint64, exp int) float64 {
	const exact = 22 // 10^22 is the last power of ten that a float64 holds
	switch {
	case exp == 0 || m == 0:
		return float64(m)
	case exp > 0 && exp <= exact:
		return float64(m) * math.Pow10(exp)
	case exp < 0 && exp >= -exact:
		return float64(m) / math.Pow10(-exp)
	}
	return float64(m) * math.Pow10(exp)
}
