package grounding

import (
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// unitOf takes the currency or the unit that an object states beside its numbers:
// {"amount": 12.5, "currency": "EUR"}.
func (x *Index) unitOf(p, object uint32, text string) {
	if len(text) < 1 || len(text) > 8 || object == 0 {
		return
	}
	switch x.paths[p].key {
	case "currency", "currency_code", "currencyCode", "ccy":
		if unit, ok := atom.UnitOf("in_" + strings.ToLower(text)); ok && unit.Dimension() == atom.Currency {
			x.state(object, unit)
		}
	case "unit", "units":
		if unit, ok := atom.UnitOf("in_" + text); ok && unit.Dimension() != atom.Currency {
			x.state(object, unit)
		}
	}
}

// closed gives the numbers of an object the unit that it stated beside them;
// they are those from the given one on. A currency is looked up instead: not
// every number beside it is an amount.
func (x *Index) closed(object uint32, from int) {
	unit, ok := x.units[object]
	if !ok || unit.Dimension() == atom.Currency {
		return
	}
	for i, n := from, len(x.figures); i < n; i++ {
		if f := x.figures[i]; f.object == object && f.unit == 0 && f.kind == atom.Number {
			x.figures[i].unit = unit
			f.unit = unit
			x.restate(f)
		}
	}
}

func (x *Index) state(object uint32, unit atom.Unit) {
	if x.units == nil {
		x.units = make(map[uint32]atom.Unit)
	}
	x.units[object] = unit
}
