package atom_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/atom"
)

func TestAddressesThatAreNone(t *testing.T) {
	t.Parallel()
	for kind, list := range map[atom.Kind][]string{
		atom.URL:   {"main.go", "report.pdf", "and/or", "src/main.go/x", "node.js/express", "e.g./i.e.", "https://", "a://", "example.com", "/home/a.b/c", "24/7", "http:"},
		atom.Email: {"@name", "a@b", "user@host", "a@@b.org", "a@b.1", "a @ b.org", "x.@ex.org"},
		atom.IBAN:  {"DE89 3704 0044 0532 0130", "DE12 pieces of it are here", "AB12345678901234", "INV-2210", "de89370400440532013001", "AT20 MEETINGS WERE HELD"},
		atom.Phone: {
			"1 243 500", "1.243.500", "+1243500", "+1 243 500", "2026-06-30", "30/06/2026", "30-06-2026", "01.02.2026", "0.153", "0.12345678901",
			"192.168.100.200", "978-3-16-148410-0", "4111 1111 1111 1111", "123-45-6789", "(4,500)", "(1234567)", "1000-2000", "12 34 56 78 90",
			"1782777600", "$800-555-0199", "+20%", "+5", "08:00 12:00", "555-0199", "00 00 00 00", "INV-800-555-0199", "2026-2027-0001",
		},
	} {
		for _, text := range list {
			assert.Empty(t, texts(text, kind), "%q", text)
		}
	}
}

func TestPhones(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"+84 24 1234 5678":                      "",
		"+84 (24) 1234-5678":                    "",
		"(024) 1234 5678":                       "",
		"024.1234.5678":                         "",
		"0912 345 678":                          "",
		"0912345678":                            "",
		"01 23 45 67 89":                        "",
		"1-800-555-0199":                        "",
		"800-555-0199x12":                       "",
		"(800) 555-0199":                        "",
		"800.555.0199":                          "",
		"030/12345678":                          "",
		"00 41 44 668 18 00":                    "",
		"call us at 555-0199":                   "555-0199",
		"Hotline: 1900 1234":                    "1900 1234",
		"gọi số 1900-1234 nhé":                  "1900-1234",
		"điện thoại: 24 1234 5678":              "24 1234 5678",
		"tel. 44 668 18 00":                     "44 668 18 00",
		"+41 44 668 18 00 14:30":                "+41 44 668 18 00",
		"0912 345 678 30/06/2026":               "0912 345 678",
		`{"phone":"+41446681800","at":"10:00"}`: "+41446681800",
	} {
		if want == "" {
			want = text
		}
		assert.Equal(t, []string{want}, texts(text, atom.Phone), text)
	}
}

func same(a, b atom.Atom) bool {
	return a.Hash == b.Hash || a.Hash == b.Local || a.Local == b.Hash
}

func TestANationalNumberIsTheInternationalOne(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"+84 24 1234 5678", "024 1234 5678"},
		{"+84 912 345 678", "0912345678"},
		{"+1 800 555 0199", "(800) 555-0199"},
		{"+44 20 7946 0958", "(020) 7946 0958"},
		{"+39 06 6982 0000", "06 6982 0000"},
		{"+355 4 234 5678", "04 234 5678"},
	} {
		assert.True(t, same(only(t, pair[0], atom.Phone), only(t, pair[1], atom.Phone)), "%v", pair)
	}
	for _, pair := range [][2]string{
		{"+84 24 1234 5678", "028 1234 5678"},
		{"+84 24 1234 5678", "+85 24 1234 5678"},
		{"+84 24 1234 5678", "024 1234 5679"},
	} {
		assert.False(t, same(only(t, pair[0], atom.Phone), only(t, pair[1], atom.Phone)), "%v", pair)
	}
	assert.Equal(t, only(t, "842412345678", atom.Number).Hash, only(t, "+84 24 1234 5678", atom.Phone).Hash, "stored as a number")
}

func TestAPhoneIsTheSameInWhateverGroups(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{9,11}`).Draw(t, "digits")
		var b strings.Builder
		b.WriteString("+")
		for i, c := range digits {
			if i > 1 && i < len(digits)-1 && i%2 == 0 && rapid.Bool().Draw(t, "gap") {
				b.WriteString(rapid.SampledFrom([]string{" ", "-", ".", "\u00a0", "\u2011"}).Draw(t, "sep"))
			}
			b.WriteRune(c)
		}
		a := only(t, "Call "+b.String()+".", atom.Phone)
		if plain := only(t, "+"+digits, atom.Phone); a.Hash != plain.Hash {
			t.Fatalf("%q is another than +%s", b.String(), digits)
		}
	})
}

func TestAnIBANIsFoundInGroups(t *testing.T) {
	t.Parallel()
	for _, iban := range []string{"GB29NWBK60161331926819", "FR1420041010050500013M02606", "NL91ABNA0417164300", "NO9386011117947", "MT84MALT011000012345MTLCAST001S"} {
		var groups []string
		for i := 0; i < len(iban); i += 4 {
			groups = append(groups, iban[i:min(i+4, len(iban))])
		}
		plain := only(t, iban, atom.IBAN)
		for _, sep := range []string{" ", "-", "\u00a0"} {
			text := strings.Join(groups, sep)
			a := only(t, fmt.Sprintf("Pay to %s, please", text), atom.IBAN)
			assert.Equal(t, plain.Hash, a.Hash, text)
			assert.Equal(t, len(text), a.End-a.Start, text)
		}
	}
}
