package atom_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/atom"
)

// scanned lists the atoms of a text.
func scanned(text string, m atom.Mode) (atoms []atom.Atom) {
	atom.Scan(text, m, func(a *atom.Atom) bool {
		atoms = append(atoms, *a)
		return true
	})
	return atoms
}

// one is the one atom of a draft.
func one(t require.TestingT, draft string) atom.Atom {
	atoms := scanned(draft, atom.Prose)
	require.Len(t, atoms, 1, draft)
	return atoms[0]
}

// values are the readings of an atom.
func values(a atom.Atom) (v []float64) {
	for _, r := range a.Readings[:a.N] {
		v = append(v, r.Value)
	}
	return v
}

func TestWrittenForms(t *testing.T) {
	for _, c := range []struct {
		text   string
		kind   atom.Kind
		values []float64
		step   float64
		unit   string
	}{
		{"5", atom.Number, []float64{5}, 1, ""},
		{"1243500", atom.Number, []float64{1243500}, 1, ""},
		{"1,243,500", atom.Number, []float64{1243500}, 1, ""},
		{"1.243.500", atom.Number, []float64{1243500}, 1, ""},
		{"1'243'500", atom.Number, []float64{1243500}, 1, ""},
		{"1’243’500", atom.Number, []float64{1243500}, 1, ""},
		{"1 243 500", atom.Number, []float64{1243500}, 1, ""},
		{"1\u00a0243\u00a0500", atom.Number, []float64{1243500}, 1, ""},
		{"1\u202f243\u202f500", atom.Number, []float64{1243500}, 1, ""},
		{"1\u2009243\u2009500", atom.Number, []float64{1243500}, 1, ""},
		{"1_243_500", atom.Number, []float64{1243500}, 1, ""},
		{"12,50,000", atom.Number, []float64{1250000}, 1, ""},
		{"1,25,00,000.50", atom.Number, []float64{12500000.5}, 0.01, ""},
		{"1,234.56", atom.Number, []float64{1234.56}, 0.01, ""},
		{"1.234,56", atom.Number, []float64{1234.56}, 0.01, ""},
		{"1 234,5", atom.Number, []float64{1234.5}, 0.1, ""},
		{"1'234.50", atom.Number, []float64{1234.5}, 0.01, ""},
		{"1,234", atom.Number, []float64{1234, 1.234}, 1, ""},
		{"1.234", atom.Number, []float64{1.234, 1234}, 0.001, ""},
		{"0,234", atom.Number, []float64{0.234}, 0.001, ""},
		{"12,5", atom.Number, []float64{12.5}, 0.1, ""},
		{"1999.05", atom.Number, []float64{1999.05}, 0.01, ""},
		{".5", atom.Number, []float64{0.5}, 0.1, ""},
		{"1e6", atom.Number, []float64{1e6}, 1e6, ""},
		{"1.2E-3", atom.Number, []float64{0.0012}, 1e-4, ""},
		{"3×10^6", atom.Number, []float64{3e6}, 1e6, ""},
		{"3 × 10⁶", atom.Number, []float64{3e6}, 1e6, ""},
		{"3x10^-2", atom.Number, []float64{0.03}, 0.01, ""},

		{"a -5", atom.Number, []float64{-5}, 1, ""},
		{"−5", atom.Number, []float64{-5, 5}, 1, ""},
		{"it was −5", atom.Number, []float64{-5}, 1, ""},
		{"it was –5", atom.Number, []float64{-5, 5}, 1, ""},
		{"(4,500)", atom.Number, []float64{-4500, -4.5, 4500, 4.5}, 1, ""},
		{"(+5)", atom.Number, []float64{5}, 1, ""},
		{"(110g)", atom.Number, []float64{110}, 1, "g"},
		{"minus 5", atom.Number, []float64{-5}, 1, ""},
		{"âm 5", atom.Number, []float64{-5}, 1, ""},
		{"down 5%", atom.Percent, []float64{5, -5}, 1, "%"},
		{"a loss of 5", atom.Number, []float64{5, -5}, 1, ""},

		{"1.2M", atom.Number, []float64{1.2e6}, 1e5, ""},
		{"12k", atom.Number, []float64{12e3}, 1e3, ""},
		{"3 million", atom.Number, []float64{3e6}, 1e6, ""},
		{"3.5 BILLION", atom.Number, []float64{3.5e9}, 1e8, ""},
		{"2 bn", atom.Number, []float64{2e9}, 1e9, ""},
		{"1,5 Mio", atom.Number, []float64{1.5e6}, 1e5, ""},
		{"2 Mrd", atom.Number, []float64{2e9}, 1e9, ""},
		{"5 lakh", atom.Number, []float64{5e5}, 1e5, ""},
		{"2.5 crore", atom.Number, []float64{2.5e7}, 1e6, ""},
		{"5 hundred thousand", atom.Number, []float64{5e5}, 1e5, ""},
		{"12 nghìn", atom.Number, []float64{12e3}, 1e3, ""},
		{"3 triệu", atom.Number, []float64{3e6}, 1e6, ""},
		{"3 trieu", atom.Number, []float64{3e6}, 1e6, ""},
		{"1 tỷ 200 triệu", atom.Number, []float64{1.2e9}, 1e6, ""},
		{"2 triệu rưỡi", atom.Number, []float64{2.5e6}, 1e5, ""},
		{"175B", atom.Number, []float64{175e9, 175}, 1e9, ""},

		{"15.3%", atom.Percent, []float64{15.3}, 0.1, "%"},
		{"15,3 %", atom.Percent, []float64{15.3}, 0.1, "%"},
		{"15 percent", atom.Percent, []float64{15}, 1, "%"},
		{"15 per cent", atom.Percent, []float64{15}, 1, "%"},
		{"15 pct", atom.Percent, []float64{15}, 1, "%"},
		{"15 phần trăm", atom.Percent, []float64{15}, 1, "%"},
		{"5‰", atom.Percent, []float64{0.5}, 0.1, "%"},
		{"25 bps", atom.Percent, []float64{0.25}, 0.01, "%"},
		{"25 basis points", atom.Percent, []float64{0.25}, 0.01, "%"},
		{"3 percentage points", atom.Percent, []float64{3}, 1, "pp"},

		{"$1,243,500", atom.Money, []float64{1243500}, 1, "$"},
		{"$1,200", atom.Money, []float64{1200}, 1, "$"},
		{"1.200 €", atom.Money, []float64{1200, 1.2}, 1, "EUR"},
		{"€1.2M", atom.Money, []float64{1.2e6}, 1e5, "EUR"},
		{"$5m", atom.Money, []float64{5e6}, 1e6, "$"},
		{"$5 million", atom.Money, []float64{5e6}, 1e6, "$"},
		{"US$3bn", atom.Money, []float64{3e9}, 1e9, "USD"},
		{"-$4,500", atom.Money, []float64{-4500, 4500}, 1, "$"},
		{"of $-5", atom.Money, []float64{-5}, 1, "$"},
		{"($4,500)", atom.Money, []float64{-4500, 4500}, 1, "$"},
		{"USD 1,200", atom.Money, []float64{1200}, 1, "USD"},
		{"USD500", atom.Money, []float64{500}, 1, "USD"},
		{"1,200 USD", atom.Money, []float64{1200}, 1, "USD"},
		{"500 usd", atom.Money, []float64{500}, 1, "USD"},
		{"$500 CAD", atom.Money, []float64{500}, 1, "CAD"},
		{"12k€", atom.Money, []float64{12e3}, 1e3, "EUR"},
		{"12 M USD", atom.Money, []float64{12e6}, 1e6, "USD"},
		{"CHF 1'200.50", atom.Money, []float64{1200.5}, 0.01, "CHF"},
		{"Rs.500", atom.Money, []float64{500}, 1, "Rs"},
		{"₹12,50,000", atom.Money, []float64{1250000}, 1, "INR"},
		{"50.000đ", atom.Money, []float64{50000, 50}, 1, "VND"},
		{"12,5 triệu đồng", atom.Money, []float64{12.5e6}, 1e5, "VND"},
		{"1 tỷ 200 triệu đồng", atom.Money, []float64{1.2e9}, 1e6, "VND"},
		{"50k VND", atom.Money, []float64{50e3}, 1e3, "VND"},
		{"50 cents", atom.Money, []float64{0.5}, 0.01, "¤"},
		{"99¢", atom.Money, []float64{0.99}, 0.01, "¤"},

		{"250ms", atom.Number, []float64{250}, 1, "ms"},
		{"12.5 s", atom.Number, []float64{12.5}, 0.1, "s"},
		{"12-hour", atom.Number, []float64{12}, 1, "h"},
		{"3 ngày", atom.Number, []float64{3}, 1, "days"},
		{"2h30m", atom.Number, []float64{150}, 1, "min"},
		{"2 hours and 30 minutes", atom.Number, []float64{150}, 1, "min"},
		{"2 giờ 30 phút", atom.Number, []float64{150}, 1, "min"},
		{"1m30s", atom.Number, []float64{90}, 1, "s"},
		{"5.4 GB", atom.Number, []float64{5.4}, 0.1, "GB"},
		{"64GiB", atom.Number, []float64{64}, 1, "GiB"},
		{"100 km/h", atom.Number, []float64{100}, 1, "km/h"},
		{"30 m²", atom.Number, []float64{30}, 1, "m²"},
		{"30 mét vuông", atom.Number, []float64{30}, 1, "m²"},
		{"20 °C", atom.Number, []float64{20}, 1, "°C"},
		{"20 độ C", atom.Number, []float64{20}, 1, "°C"},
		{"468G", atom.Number, []float64{468}, 1, "GB"},
		{"**5.4** GB", atom.Number, []float64{5.4}, 0.1, "GB"},
		{"3/4", atom.Number, []float64{0.75}, 0.01, ""},
		{"3x", atom.Number, []float64{3}, 1, ""},
	} {
		a := one(t, c.text)
		assert.Equal(t, c.kind, a.Kind, c.text)
		if assert.Len(t, values(a), len(c.values), c.text) {
			assert.InDeltaSlice(t, c.values, values(a), 1e-9, c.text)
			assert.InEpsilon(t, c.step, a.Readings[0].Step, 1e-9, c.text)
		}
		assert.Equal(t, c.unit, a.Unit.String(), c.text)
	}
}

func TestWhatIsNoNumberOfItsOwn(t *testing.T) {
	for _, text := range []string{
		"3rd", "1st place", "the 1990s", "a 5G network", "24/7", "Python3", "utf8",
		"1. first", "2) second", "**3.** third", "(4) fourth", "  5. fifth", "> 6. sixth", "## 2.1 Results", "## 3. Results", "### 4 Next Steps",
		"Step 3: go on", "- **Flight 2:** late", "Part 4 of it", "as said [1].", "as said[^2].", "as said [1, 3].", "```\ntotal = 5\n```", "- so:\n  ```sh\n  echo \"5 ``` 6\"\n  ```", "version 2.1",
		"one of them", "half a million", "nearly a quarter of a million views", "two-factor login", "thứ hai", "tháng mười",
	} {
		assert.Empty(t, scanned(text, atom.Prose), text)
	}
}

func TestWhatOnlyLooksLikeAMarkerIsANumber(t *testing.T) {
	for text, want := range map[string]float64{
		"12.": 12, "12": 12, "1.5 of them": 1.5, "- 5 apples": 5, "## 12 open invoices": 12, "values: [4]": 4, "2026 was good": 2026,
		"```\nnever closed: 5": 5,
	} {
		assert.InDelta(t, want, one(t, text).Readings[0].Value, 0, text)
	}
}

func TestTheHourOfAClockIsNoLabel(t *testing.T) {
	assert.Equal(t, atom.Clock, one(t, "At 14:30.").Kind)
}

func TestCommasInARowGroupNothing(t *testing.T) {
	for _, text := range []string{"[1,243,500]", `{"a":[1,243,500]}`, "x,1,243,500,y"} {
		var got []float64
		for _, a := range scanned(text, atom.Evidence) {
			got = append(got, a.Readings[0].Value)
		}
		assert.Equal(t, []float64{1, 243, 500}, got, text)
	}
}

// A table and a number that is grouped by spaces look the same; evidence keeps
// what either holds.
func TestGroupsOfTheEvidenceMayBeColumns(t *testing.T) {
	assert.Equal(t, []float64{200512, 200, 512}, values(scanned("200 512", atom.Evidence)[0]))
	assert.Equal(t, []float64{12350, 12.35, 12, 350}, values(scanned("12,350", atom.Evidence)[0]))
	assert.Equal(t, []float64{200512}, values(one(t, "200 512")))
	assert.Equal(t, []float64{1243500}, values(scanned("Total: 1\u00a0243\u00a0500", atom.Evidence)[0]))
	assert.Equal(t, []float64{0.75, 3, 4}, values(scanned("3/4", atom.Evidence)[0]))
}

func TestRangesShareWhatIsWrittenOnce(t *testing.T) {
	for _, c := range []struct {
		text   string
		values [2]float64
		units  [2]string
	}{
		{"10–20 %", [2]float64{10, 20}, [2]string{"%", "%"}},
		{"10-20 ms", [2]float64{10, 20}, [2]string{"ms", "ms"}},
		{"10 - 20 GB", [2]float64{10, 20}, [2]string{"GB", "GB"}},
		{"from 10 to 20 km", [2]float64{10, 20}, [2]string{"km", "km"}},
		{"between 10 and 20 million", [2]float64{10e6, 20e6}, [2]string{"", ""}},
		{"10–20 million", [2]float64{10e6, 20e6}, [2]string{"", ""}},
		{"$5–10 million", [2]float64{5e6, 10e6}, [2]string{"$", "$"}},
		{"$1,200-$1,500", [2]float64{1200, 1500}, [2]string{"$", "$"}},
		{"€5-10", [2]float64{5, 10}, [2]string{"EUR", "EUR"}},
		{"từ 5 đến 10 triệu đồng", [2]float64{5e6, 10e6}, [2]string{"VND", "VND"}},
		{"10,000–15,000", [2]float64{10000, 15000}, [2]string{"", ""}},
		{"rose 5% to 120 million", [2]float64{5, 120e6}, [2]string{"%", ""}},
		{"5 and 20 million", [2]float64{5, 20e6}, [2]string{"", ""}},
	} {
		atoms := scanned(c.text, atom.Prose)
		require.Len(t, atoms, 2, c.text)
		for i, a := range atoms {
			assert.InDelta(t, c.values[i], a.Readings[0].Value, 1e-6, c.text)
			assert.Equal(t, c.units[i], a.Unit.String(), c.text)
		}
	}
	// Five of what, the sentence leaves open.
	assert.Equal(t, []float64{5e6, 5}, values(scanned("from 5 to 10 million", atom.Prose)[0]))
}

func TestApproximations(t *testing.T) {
	for _, text := range []string{
		"about 1,240,000", "About 50", "roughly $50", "around 50 ms", "~50", "≈ 50", "nearly 50%", "almost 50", "over 50", "more than 50", "less than USD 50",
		"up to 50", "at least 50", "circa 50", "ca. 50", "rund 50", "khoảng 50", "gần 50", "hơn 50", "trên 50", "dưới 50", "tầm 50", "about **50**",
		"50+", "1.2M", "3 million", "about fifty",
	} {
		assert.True(t, one(t, text).Approx, text)
	}
	for _, text := range []string{"50", "exactly 50", "than 50", "the top 50", "$50", "fifty"} {
		assert.False(t, one(t, text).Approx, text)
	}
}

func TestNouns(t *testing.T) {
	for text, want := range map[string]string{
		"12 open invoices were found": "invoices", "3 files deleted": "files", "1 open invoice was found": "invoice", "7 people came": "people", "1 sales order was": "order",
		"5 to-do lists": "", "12 hóa đơn": "hóa đơn", "12 hóa đơn chưa trả": "hóa đơn", "5 trang": "trang", "two critical errors": "errors", "12-page": "page",
		"**12** errors": "errors", "1.2 million users": "users", "4 retries per call": "retries", "2 status checks": "checks", "12 of them": "",
		"order 50 shipped": "", "12, and": "", "12 total: none": "", "50 ms timeouts": "", "12 Open Invoices": "Invoices", "found 3 errors:": "errors",
		"found 3 errors: the first": "errors", "12 errors=x": "",
	} {
		a := one(t, text)
		got := ""
		if a.Noun[1] > 0 {
			got = text[a.Noun[0]:a.Noun[1]]
		}
		assert.Equal(t, want, got, text)
	}
	assert.Zero(t, scanned("files: 12 errors: 5", atom.Evidence)[0].Noun, "the next name is not what is counted")
}

func TestNumbersInWords(t *testing.T) {
	for text, want := range map[string]float64{
		"two": 2, "Twelve thousand rows": 12000, "twenty-five users": 25, "twenty five users": 25, "two hundred and five": 205, "a dozen": 12, "two dozen": 24,
		"a hundred": 100, "one hundred twenty-three thousand four hundred fifty-six": 123456, "two million dollars": 2e6, "Zero errors": 0, "five minutes": 5,
		"hai mươi lăm khách hàng": 25, "một trăm linh năm": 105, "mười hai": 12, "ba nghìn": 3000, "hai triệu năm trăm nghìn": 2.5e6, "Bảy hóa đơn": 7,
	} {
		assert.InDelta(t, want, one(t, text).Readings[0].Value, 0, text)
	}
	assert.Empty(t, scanned("two hundred", atom.Evidence), "evidence writes digits")
}

func TestLongNumbersMatchAsCodes(t *testing.T) {
	want := one(t, "12345678").Hash
	assert.NotZero(t, want)
	for _, text := range []string{"12,345,678", "12 345 678", "12.345.678"} {
		assert.Equal(t, want, one(t, text).Hash, text)
	}
	assert.NotEqual(t, want, one(t, "12345679").Hash)
	assert.Zero(t, one(t, "12345").Hash)
	assert.Zero(t, one(t, "123456.5").Hash)
}

func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		text string
		v    float64
		want bool
	}{
		{"1,243,500", 1243500, true},
		{"1,243,600", 1243500, false},
		{"1,240,000", 1243500, false},
		{"roughly 1,240,000", 1243500, true},
		{"roughly 1,200,000", 1243500, true},
		{"roughly 1,400,000", 1243500, false},
		{"$1.2M", 1243500, true},
		{"$1.3M", 1243500, false},
		{"$1M", 1.4e6, false},
		{"5.4 GB", 5.36870912, true},
		{"5.3 GB", 5.36870912, false},
		{"15.3%", 15.34, true},
		{"15.3%", 15.36, false},
		{"0", 0, true},
		{"0", 0.3, false},
		{"about 12", 12.4, true},
		{"0.1", 0.1, true},
		{"-5 °C", -5, true},
		{"it is -5 °C", 5, false},
	} {
		a := one(t, c.text)
		covers := false
		for _, r := range a.Readings[:a.N] {
			covers = covers || r.Covers(c.v, a.Approx)
		}
		assert.Equal(t, c.want, covers, "%s for %v", c.text, c.v)
	}
}
