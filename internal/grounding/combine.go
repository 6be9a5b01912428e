package grounding

import (
	"math"

	"github.com/failloud/failloud/internal/atom"
)

const productOfTwo = "product of two"

// combine says how a figure follows from two others: "" where it does not.
func combine(w *wanted, f, g *figure) string {
	a, b := f.value, g.value
	if step := w.a.Readings[0].Step; math.Abs(a) <= step/2 || math.Abs(b) <= step/2 && f.kind != atom.Percent && g.kind != atom.Percent && !w.percent {
		if product(w, f, g) && w.is(a*b) {
			return productOfTwo
		}
		return "" // what is added changes nothing
	}
	if w.percent {
		switch {
		case f.kind == atom.Percent && g.kind == atom.Percent && w.is(a-b):
			return "difference of two"
		case f.unit != g.unit && f.unit != 0 && g.unit != 0:
			return ""
		case b != 0 && w.is(100*a/b), a != 0 && w.is(100*b/a):
			return "ratio of two"
		case b != 0 && w.is(100*(a-b)/b), a != 0 && w.is(100*(b-a)/a):
			return "change between two"
		}
		return ""
	}
	switch {
	case g.kind == atom.Percent && f.kind != atom.Percent:
		return portion(w, f, b)
	case f.kind == atom.Percent && g.kind != atom.Percent:
		return portion(w, g, a)
	}
	same := f.unit == g.unit || f.unit == 0 || g.unit == 0
	fits := w.a.Unit.Compatible(f.unit) && w.a.Unit.Compatible(g.unit)
	switch {
	case same && fits && w.is(a+b):
		return "sum of two"
	case same && fits && w.is(a-b):
		return "difference of two"
	case product(w, f, g) && w.is(a*b):
		return productOfTwo
	case f.object == g.object && fits && (part(g) && w.is(a/b) || part(f) && w.is(b/a)):
		return "a part of one"
	case w.a.Kind == atom.Number && w.a.Unit == 0 && w.a.Readings[0].Step < 1 && same && (b != 0 && w.is(a/b) || a != 0 && w.is(b/a)):
		return "ratio of two"
	}
	return ""
}

// portion says how a figure follows from another and a percentage: the discount
// of a price, the price less the discount, the price with the tax.
func portion(w *wanted, f *figure, percent float64) string {
	switch {
	case !w.a.Unit.Compatible(f.unit):
	case w.is(f.value * percent / 100):
		return "percentage of one"
	case w.is(f.value * (100 - percent) / 100):
		return "one less a percentage"
	case w.is(f.value * (100 + percent) / 100):
		return "one and a percentage"
	}
	return ""
}

// amountIn is whether a figure is an amount that can be in a currency.
func amountIn(f *figure, currency atom.Unit) bool {
	return f.kind == atom.Money && f.unit.Compatible(currency)
}

// part is whether a figure can be a number of shares.
func part(f *figure) bool { return f.marks&integer != 0 && f.unit == 0 && f.value > 1 }

// product is whether two figures multiply into something that people state: a
// quantity and a price, a number of things and what each of them has.
func product(w *wanted, f, g *figure) bool {
	if f.kind == atom.Percent || g.kind == atom.Percent {
		return false
	}
	if f.object != g.object && f.path != 0 && g.path != 0 {
		return false
	}
	fits := w.a.Unit.Compatible(f.unit) && w.a.Unit.Compatible(g.unit)
	if w.a.Kind == atom.Money && !fits { // an amount at a rate is one of another currency
		return amountIn(f, w.a.Unit) || amountIn(g, w.a.Unit)
	}
	return fits && (f.unit == 0 && f.marks&integer != 0 || g.unit == 0 && g.marks&integer != 0)
}
