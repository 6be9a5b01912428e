package grounding

import "github.com/failloud/failloud/internal/atom"

// unitOf takes the currency or unit that an object states beside its numbers:
// {"amount": 12.5, "currency": "EUR"}.
func (x *Index) unitOf(p, object uint32, text string) {
	if len(text) < 1 || len(text) > 8 || object == 0 {
		return
	}
	switch x.paths[p].key {
	case "currency", "currency_code", "currencyCode", "ccy":
		if len(text) != 3 {
			return
		}
		var code [7]byte
		copy(code[:], "10 ")
		for i := range 3 {
			code[3+i] = text[i] &^ 0x20
		}
		var unit atom.Unit
		atom.Scan(string(code[:6]), atom.Evidence, func(a *atom.Atom) bool {
			unit = a.Unit
			return false
		})
		if unit.Dimension() == atom.Currency {
			x.state(object, unit)
		}
	case "unit", "units":
		if unit := keyUnitOf(text); unit.Dimension() != 0 {
			x.state(object, unit)
		}
	}
}

func (x *Index) state(object uint32, unit atom.Unit) {
	if x.units == nil {
		x.units = make(map[uint32]atom.Unit)
	}
	x.units[object] = unit
}
