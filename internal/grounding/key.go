package grounding

import (
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// keyed is what the name of a field says about its numbers.
type keyed struct {
	unit   atom.Unit
	kind   atom.Kind
	factor float64 // what they are multiplied by to be what they stand for; 0: nothing is said
}

// keyUnit reads the name of a field: "size_gb", "latencyMs", "amount_cents",
// "revenue_thousands". What a key says is kept, because keys recur.
func (x *Index) keyUnit(key string) keyed {
	if k, ok := x.keys[key]; ok {
		return k
	}
	k := readKey(key)
	x.keys[key] = k
	return k
}

var scales = map[string]float64{
	"thousand": 1e3, "thousands": 1e3, "million": 1e6, "millions": 1e6, "mio": 1e6, "mm": 0,
	"billion": 1e9, "billions": 1e9,
}

func readKey(key string) (k keyed) {
	if len(key) > 64 {
		return k
	}
	for word := range words(key) {
		if f := scales[word]; f != 0 {
			k.factor = f
		}
		if word == "cents" || word == "cent" {
			return keyed{kind: atom.Money, factor: 0.01}
		}
	}
	if f := scaleBehind(key); f != 0 {
		k.factor = f
	}
	k.unit, _ = atom.UnitOf(key)
	if k.unit.Dimension() == atom.Time && ofSpeed(key) {
		k.unit, _ = atom.UnitOf("mps")
	}
	switch k.unit.Dimension() {
	case atom.Currency:
		k.kind = atom.Money
	case atom.Fraction:
		k.kind, k.unit = atom.Percent, 0
	}
	return k
}

// scaleBehind is what a Vietnamese name of a field says behind what it names:
// "gia_ty", "doanh_thu_trieu_dong". The first words of "ty_le" and "ngan_hang" and
// the last of "cong_ty" are none.
func scaleBehind(key string) float64 {
	before, last := "", ""
	for w := range words(key) {
		if w != "dong" && w != "vnd" {
			before, last = last, w
		}
	}
	if before == "" || before == "cong" {
		return 0
	}
	return vietnameseScales[last]
}

var vietnameseScales = map[string]float64{"nghin": 1e3, "ngan": 1e3, "trieu": 1e6, "ty": 1e9}

// ofSpeed is whether a name of a field that ends in "ms" means metres per second:
// "wind_ms", "toc_do_ms".
func ofSpeed(key string) bool {
	var last [3]string
	for w := range words(key) {
		last = [3]string{last[1], last[2], w}
	}
	if last[2] != "ms" {
		return false
	}
	switch last[1] {
	case "wind", "gust", "gusts", "speed", "velocity", "gio":
		return true
	}
	return last[0] == "toc" && last[1] == "do"
}

// hands is whether what a key says of a unit holds for the members below it:
// {"latency_ms": {"p50": 48}}. A single word is mostly the name of a thing:
// {"minutes": {"page": 2}}.
func hands(key string) bool {
	n := 0
	for range words(key) {
		n++
	}
	return n > 1
}

// tellsCount is whether a key says that its numbers count something.
func tellsCount(key string) bool {
	switch lastStem(key) {
	case "count", "n", "num", "sample", "total_count":
		return true
	}
	return false
}

// words are the lower-case words of a name: "openOrders_2026" is "open",
// "orders", "2026".
func words(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i <= len(name); i++ {
			end := i == len(name) || !wordByte(name[i])
			hump := !end && i > start && upper(name[i]) && !upper(name[i-1])
			if !end && !hump {
				continue
			}
			if i > start && !yield(strings.ToLower(name[start:i])) {
				return
			}
			start = i
			if end {
				start++
			}
		}
	}
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// wordByte is whether a byte belongs to a word: letters and digits, and every
// byte of what is beyond ASCII.
func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || upper(c) || c >= 0x80
}

// stem is the part of a noun that its singular and plural share.
func stem(word string) string {
	word = strings.ToLower(word)
	switch n := len(word); {
	case n > 4 && strings.HasSuffix(word, "ies"):
		return word[:n-3] + "y"
	case n > 4 && (strings.HasSuffix(word, "ches") || strings.HasSuffix(word, "shes") || strings.HasSuffix(word, "xes") || strings.HasSuffix(word, "sses")):
		return word[:n-2]
	case n > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word[:n-1]
	}
	return word
}
