package atom_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/atom"
)

// found lists the atoms of the kinds in a text, of all kinds where none is named.
func found(text string, kinds ...atom.Kind) []atom.Atom { return in(atom.Evidence, text, kinds) }

func in(m atom.Mode, text string, kinds []atom.Kind) (atoms []atom.Atom) {
	atom.Scan(text, m, func(a *atom.Atom) bool {
		if len(kinds) == 0 || slices.Contains(kinds, a.Kind) {
			atoms = append(atoms, *a)
		}
		return true
	})
	return atoms
}

// texts are the pieces of the text that are atoms of a kind.
func texts(text string, kind atom.Kind) []string {
	pieces := []string{}
	for _, a := range found(text, kind) {
		pieces = append(pieces, text[a.Start:a.End])
	}
	return pieces
}

// only is the one atom of a kind that a text has.
func only(t require.TestingT, text string, kind atom.Kind) atom.Atom {
	atoms := found(text, kind)
	require.Len(t, atoms, 1, "%q: %v", text, found(text))
	return atoms[0]
}

func TestOneCodeIsOneHashHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	for _, same := range []struct {
		kind atom.Kind
		as   []string
	}{
		{atom.Identifier, []string{"INV-2210", "inv-2210", "INV_2210", "INV–2210", "Inv\u20112210", "INV2210"}},
		{atom.Identifier, []string{"3F2A9C1E-8B4D-4F7A-9C55-1D2E3F4A5B6C", "3f2a9c1e-8b4d-4f7a-9c55-1d2e3f4a5b6c", "3f2a9c1e8b4d4f7a9c551d2e3f4a5b6c"}},
		{atom.Identifier, []string{"v1.26.3", "1.26.3", "V1.26.3"}},
		{atom.IBAN, []string{"DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "de89 3704 0044 0532 0130 00", "DE89-3704-0044-0532-0130-00"}},
		{atom.Email, []string{"ops@ex.org", "Ops@Ex.org", "<ops@ex.org>", "mailto:ops@ex.org", "(ops@ex.org).", "“ops@ex.org”"}},
		{atom.URL, []string{"https://ex.org/a/b", "http://www.ex.org/a/b/", "HTTPS://EX.org:443/a/b.", "ex.org/a/b", "[x](https://ex.org/a/b)", "<https://ex.org/a/b>", "“https://ex.org/a/b”,"}},
		{atom.URL, []string{"https://ex.org/caf%C3%A9?a=1&b=2", "https://ex.org/café?a=1&amp;b=2", "https://ex.org/caf%c3%a9?a=1&b=2"}},
		{atom.Phone, []string{"+41 44 668 18 00", "+41446681800", "+41-44-668-18-00", "0041 44 668 18 00", "+41 (0)44 668 18 00", "+41.44.668.18.00"}},
		{atom.Phone, []string{"1-800-555-0199", "+1 800 555 0199", "+1 (800) 555-0199", "1 (800) 555-0199", "+18005550199"}},
	} {
		want := only(t, same.as[0], same.kind).Hash
		assert.NotZero(t, want)
		for _, text := range same.as[1:] {
			assert.Equal(t, want, only(t, text, same.kind).Hash, "%q and %q", same.as[0], text)
		}
	}
}

func TestCodesThatDifferInOneSignHaveTwoHashes(t *testing.T) {
	t.Parallel()
	for _, pair := range []struct {
		kind atom.Kind
		a, b string
	}{
		{atom.Identifier, "INV-2210", "INV-2211"},
		{atom.Identifier, "v1.23.1", "v12.3.1"},
		{atom.Identifier, "3f2a9c1e-8b4d-4f7a-9c55-1d2e3f4a5b6c", "3f2a9c1e-8b4d-4f7a-9c55-1d2e3f4a5b6d"},
		{atom.IBAN, "DE89370400440532013000", "DE89370400440532013001"},
		{atom.Email, "ops@ex.org", "op@ex.org"},
		{atom.URL, "https://ex.org/a", "https://ex.org/b"},
		{atom.URL, "https://ex.org/a#one", "https://ex.org/a#two"},
		{atom.URL, "https://ex.org/A", "https://ex.org/a"},
		{atom.Phone, "+41 44 668 18 00", "+41 44 668 18 09"},
		{atom.Phone, "+84 24 1234 5678", "+84 28 1234 5678"},
	} {
		assert.NotEqual(t, only(t, pair.a, pair.kind).Hash, only(t, pair.b, pair.kind).Hash, "%q and %q", pair.a, pair.b)
	}
}

func TestPunctuationAroundIsNoPartOfIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		kind atom.Kind
		want string
	}{
		{"See https://ex.org/a/b.", atom.URL, "https://ex.org/a/b"},
		{"(see https://ex.org/a_(b)), and", atom.URL, "https://ex.org/a_(b)"},
		{"**https://ex.org/a**", atom.URL, "https://ex.org/a"},
		{`{"url":"https://ex.org/a?x=1","n":2}`, atom.URL, "https://ex.org/a?x=1"},
		{"xem https://ex.org/đơn-hàng nhé", atom.URL, "https://ex.org/đơn-hàng"},
		{"https://ex.org/a。", atom.URL, "https://ex.org/a"},
		{"Write to ops@ex.co.uk.", atom.Email, "ops@ex.co.uk"},
		{"ops@ex.org, or call", atom.Email, "ops@ex.org"},
		{"Gửi tới lan.nguyễn@vídụ.vn!", atom.Email, "lan.nguyễn@vídụ.vn"},
		{"?mail=ops+x@ex.org&n=1", atom.Email, "ops+x@ex.org"},
		{"See INV-2210.", atom.Identifier, "INV-2210"},
		{"(cus_9f2k)", atom.Identifier, "cus_9f2k"},
		{"`cus_9f2k`'s", atom.Identifier, "cus_9f2k"},
		{"IBAN: DE89 3704 0044 0532 0130 00.", atom.IBAN, "DE89 3704 0044 0532 0130 00"},
		{"NO93 8601 1117 947 is it", atom.IBAN, "NO93 8601 1117 947"},
		{"Call +41 44 668 18 00.", atom.Phone, "+41 44 668 18 00"},
		{"Gọi (024) 1234 5678, máy lẻ", atom.Phone, "(024) 1234 5678"},
		{"closed 30/06/2026.", atom.Date, "30/06/2026"},
		{"(30 June 2026)", atom.Date, "30 June 2026"},
		{"June 30th!", atom.Date, "June 30th"},
	} {
		assert.Equal(t, []string{c.want}, texts(c.text, c.kind), c.text)
	}
}
