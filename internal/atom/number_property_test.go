package atom_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/atom"
)

// written is a way of writing numbers.
type written struct {
	group, point string
	indian       bool
}

var ways = []written{
	{"", ".", false}, {"", ",", false}, {",", ".", false}, {".", ",", false}, {" ", ",", false}, {" ", ".", false}, {"'", ".", false}, {"’", ".", false},
	{"\u00a0", ",", false}, {"\u202f", ",", false}, {"\u2009", ".", false}, {"_", ".", false}, {",", ".", true},
}

// format writes digits, of which the last decimals are behind the point.
func (w written) format(digits string, decimals int) string {
	whole, rest := digits[:len(digits)-decimals], digits[len(digits)-decimals:]
	var groups []string
	for size := 3; len(whole) > size; {
		groups = append([]string{whole[len(whole)-size:]}, groups...)
		whole = whole[:len(whole)-size]
		if w.indian {
			size = 2
		}
	}
	text := strings.Join(append([]string{whole}, groups...), w.group)
	if decimals > 0 {
		text += w.point + rest
	}
	return text
}

var suffixes = []struct {
	text string
	exp  int
	kind atom.Kind
}{
	{"", 0, atom.Number}, {" ms", 0, atom.Number}, {" GB", 0, atom.Number}, {"%", 0, atom.Percent}, {" percent", 0, atom.Percent}, {" €", 0, atom.Money}, {" USD", 0, atom.Money},
	{"k", 3, atom.Number}, {"M", 6, atom.Number}, {" million", 6, atom.Number}, {" triệu đồng", 6, atom.Money}, {" bn USD", 9, atom.Money}, {" lakh", 5, atom.Number},
}

// However a number is written, its value is among the readings, with the step of
// its last digit.
func TestEveryWayOfWritingANumberIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := strconv.Itoa(rapid.IntRange(1, 999_999_999_999).Draw(t, "digits"))
		decimals := rapid.IntRange(0, min(3, len(digits)-1)).Draw(t, "decimals")
		way := rapid.SampledFrom(ways).Draw(t, "way")
		suffix := rapid.SampledFrom(suffixes).Draw(t, "suffix")
		if (way.group == " " || way.group == "_") && len(suffix.text) == 1 && suffix.kind == atom.Number {
			suffix.text = " " + map[int]string{3: "thousand", 6: "million"}[suffix.exp] // "200 512k" is two numbers, "1_000k" a code
		}
		sign := rapid.SampledFrom([]string{"", "-", "−"}).Draw(t, "sign")
		before := rapid.SampledFrom([]string{"", "it is ", "(it was ", "\n| ", `"`}).Draw(t, "before")
		if suffix.kind == atom.Money && suffix.exp == 0 {
			decimals = min(decimals, 2) // "1,234 €" is no amount of three decimals
		}

		number := way.format(digits, decimals)
		text := before + sign + number + suffix.text
		unscaled, _ := strconv.ParseFloat(digits, 64)
		want := unscaled * math.Pow10(suffix.exp-decimals)
		if sign != "" {
			want = -want
		}

		var got atom.Atom
		n := 0
		atom.Scan(text, atom.Evidence, func(a *atom.Atom) bool {
			got, n = *a, n+1
			return true
		})
		if n != 1 || got.Kind != suffix.kind {
			t.Fatalf("%q: %d atoms, the last of kind %d", text, n, got.Kind)
		}
		assert.Equal(t, len(before), got.Start, text)
		for _, r := range got.Readings[:got.N] {
			if math.Abs(r.Value-want) <= 1e-12*math.Abs(want) && math.Abs(r.Step-math.Pow10(suffix.exp-decimals)) <= 1e-12*r.Step {
				return
			}
		}
		t.Fatalf("%q is %v, not in %v", text, want, got.Readings[:got.N])
	})
}
