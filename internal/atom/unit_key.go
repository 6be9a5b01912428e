package atom

import "strings"

// keyUnits are the units that the last word of the name of a field can state, in
// lower case. The singular of a span of time is none: "month" is mostly the
// number of one. Neither is "min", which is mostly a minimum.
var keyUnits = func() *vocab[Unit] {
	all := map[string]Unit{"cents": cents, "cent": cents}
	for i := range measures {
		for key := range strings.SplitSeq(measures[i].keys, "|") {
			if key != "" {
				all[key] = Unit(i)
			}
		}
	}
	for i := range symbols {
		for key := range strings.SplitSeq(symbols[i].after, "|") {
			if len(key) > len("yen") && key[len(key)-1] == 's' { // euros, dollars
				all[key] = symbolUnit(i)
			}
		}
	}
	for code := range strings.FieldsSeq(currencyCodes) {
		if !strings.Contains(commonWords, code) {
			all[strings.ToLower(code)] = moneyCode(code)
		}
	}
	return newVocab(all)
}()

// UnitOf returns the unit that the name of a field states for its values, by
// its last word ("size_gb", "latencyMs", "price_usd", "gb"), or, for a currency,
// by its first ("usd_total"). Case does not count. What a rate is per is not its
// unit: "tariff_per_kwh" states none.
func UnitOf(key string) (u Unit, ok bool) {
	last := lastWord(key)
	if len(last) == 1 && len(key) == 1 {
		return 0, false // of a name of one letter, nobody knows
	}
	if u, ok = keyUnit(last); (ok || len(last) == len(key)) && !isPer(key[:len(key)-len(last)]) {
		return u, ok
	}
	if u, ok = keyUnit(key[:wordEnd(key, 0)]); u.Dimension() == Currency {
		return u, ok
	}
	return 0, false
}

// isPer reports whether the words of a name end with "per".
func isPer(before string) bool {
	before = strings.TrimRight(before, "_- ")
	return strings.EqualFold(lastWord(before), "per")
}

func keyUnit(word string) (Unit, bool) {
	if u, ok := keyUnits.get(word); ok {
		return u, true
	}
	return folded(word, keyUnits)
}

// lastWord is the last word of a name in snake_case, kebab-case or camelCase.
func lastWord(key string) string {
	from := len(key)
	for from > 0 && isUpper(key[from-1]) {
		from--
	}
	if from < len(key) {
		if key[from:] == "B" && strings.HasSuffix(key[:from], "i") { // sizeMiB
			return key[max(0, from-2):]
		}
		return key[from:]
	}
	for from > 0 && (key[from-1] >= 0x80 || digit(key[from-1]) || isLetter(key[from-1]) && !isUpper(key[from-1])) {
		from--
	}
	if from > 0 && isUpper(key[from-1]) {
		from--
	}
	if from > 0 && strings.IndexByte("kMGT", key[from-1]) >= 0 && (from == 1 || isUpper(key[from-1]) || !isLetter(key[from-2])) {
		if _, ok := keyUnit(key[from-1:]); ok { // energy_kWh
			from--
		}
	}
	return key[from:]
}
