package canonjson_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/canonjson"
)

func TestCanonicalSpelling(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"names are sorted":                      {`{"b":1, "a" : [ 2 , 1 ]}`, `{"a":[2,1],"b":1}`},
		"names sort by UTF-16 code units":       {`{"\ufb33":1,"\ud83d\ude00":2}`, "{\"\U0001F600\":2,\"\ufb33\":1}"},
		"nested objects too":                    {`{"x":{"b":[{"d":1,"c":2}],"a":null}}`, `{"x":{"a":null,"b":[{"c":2,"d":1}]}}`},
		"escapes are minimal":                   {`"\u0041\/\u000a<\u00e9"`, "\"A/\\n<\u00e9\""},
		"control characters stay escaped":       {`"\u0001"`, `"\u0001"`},
		"2^53 stays":                            {`9007199254740992`, `9007199254740992`},
		"2^53+1 stays another":                  {`9007199254740993`, `9007199254740993`},
		"a 64-bit id stays":                     {`18446744073709551615`, `18446744073709551615`},
		"a long integer stays":                  {`123456789012345678901234567890`, `123456789012345678901234567890`},
		"1.0 is 1":                              {`1.0`, `1`},
		"1e0 is 1":                              {`1e0`, `1`},
		"10e-1 is 1":                            {`10e-1`, `1`},
		"1.5e3 is 1500":                         {`1.5E+3`, `1500`},
		"-0 is 0":                               {`[-0,-0.0,0e5]`, `[0,0,0]`},
		"a whole fraction beyond 2^53 is exact": {`9007199254740993.0`, `9007199254740993`},
		"trailing zeros":                        {`4.50`, `4.5`},
		"the numbers of RFC 8785":               {`[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]`, `[333333333.3333333,1e+30,4.5,0.002,1e-27]`},
		"negative":                              {`-12.50`, `-12.5`},
		"empty containers":                      {`{"a":{},"b":[]}`, `{"a":{},"b":[]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := canonjson.Canonicalize([]byte(tc.in))
			require.NoError(t, err)
			require.Equal(t, tc.want, string(got))
		})
	}
}

func TestRefused(t *testing.T) {
	for name, tc := range map[string]struct{ in, rule string }{
		"duplicate names":                   {`{"a":1,"a":2}`, canonjson.RuleDuplicate},
		"duplicate names by escape":         {`{"a":1,"\u0061":2}`, canonjson.RuleDuplicate},
		"duplicate names in an inner":       {`[{"a":1,"a":1}]`, canonjson.RuleDuplicate},
		"lone surrogate":                    {`"\ud800"`, canonjson.RuleUTF8},
		"invalid UTF-8":                     {"\"\xff\"", canonjson.RuleUTF8},
		"too large a number":                {`1e400`, canonjson.RuleRange},
		"too large a number, huge exponent": {`1e99999999999999999999`, canonjson.RuleRange},
		"too small a number":                {`1e-400`, canonjson.RuleRange},
		"an endless integer":                {strings.Repeat("9", 310), canonjson.RuleRange},
		"two values":                        {`1 2`, canonjson.RuleSyntax},
		"nothing":                           {``, canonjson.RuleSyntax},
		"cut short":                         {`{"a":`, canonjson.RuleSyntax},
		"single quotes":                     {`{'a':1}`, canonjson.RuleSyntax},
		"too deep":                          {strings.Repeat("[", 200) + strings.Repeat("]", 200), canonjson.RuleDepth},
		"too large":                         {`"` + strings.Repeat("x", canonjson.MaxBytes) + `"`, canonjson.RuleSize},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := canonjson.Canonicalize([]byte(tc.in))
			require.ErrorIs(t, err, canonjson.ErrRefused)
			e, ok := errors.AsType[*canonjson.Error](err)
			require.True(t, ok)
			require.Equal(t, tc.rule, e.Rule)
		})
	}
}

func TestRefusalQuotesNothing(t *testing.T) {
	_, err := canonjson.Canonicalize([]byte(`{"token":"sk-secret-4711","token":"sk-secret-4711"}`))
	require.ErrorIs(t, err, canonjson.ErrRefused)
	for ; err != nil; err = errors.Unwrap(err) {
		require.NotContains(t, err.Error(), "secret")
		require.NotContains(t, err.Error(), "token")
	}
}

func TestVolatileFieldsAreLeftOut(t *testing.T) {
	const in = `{"amount":5,"memo":"hi","customer":{"id":1,"note":"a"},"lines":[{"sku":1,"memo":"b"},{"sku":2,"memo":"c"}],"a/b":1}`
	for name, tc := range map[string]struct {
		volatile []string
		want     string
	}{
		"a top-level name":     {[]string{"memo"}, `{"a/b":1,"amount":5,"customer":{"id":1,"note":"a"},"lines":[{"memo":"b","sku":1},{"memo":"c","sku":2}]}`},
		"a pointer":            {[]string{"/customer/note", "/lines", "/memo"}, `{"a/b":1,"amount":5,"customer":{"id":1}}`},
		"every element":        {[]string{"/lines/*/memo", "memo", "customer"}, `{"a/b":1,"amount":5,"lines":[{"sku":1},{"sku":2}]}`},
		"one element":          {[]string{"/lines/1", "memo", "customer"}, `{"a/b":1,"amount":5,"lines":[{"memo":"b","sku":1}]}`},
		"an escaped name":      {[]string{"/a~1b", "lines", "memo", "customer"}, `{"amount":5}`},
		"a field not there":    {[]string{"/nothing", "/lines/7/memo", "/lines/01"}, `{"a/b":1,"amount":5,"customer":{"id":1,"note":"a"},"lines":[{"memo":"b","sku":1},{"memo":"c","sku":2}],"memo":"hi"}`},
		"a name inside is not": {[]string{"note", "lines"}, `{"a/b":1,"amount":5,"customer":{"id":1,"note":"a"},"memo":"hi"}`},
	} {
		t.Run(name, func(t *testing.T) {
			form, err := canonjson.New(tc.volatile...)
			require.NoError(t, err)
			got, err := form.Canonicalize([]byte(in))
			require.NoError(t, err)
			require.Equal(t, tc.want, string(got))
		})
	}
}

func TestVolatileMustNameAField(t *testing.T) {
	for _, bad := range []string{"", "/", "/a~2b", "/x~"} {
		_, err := canonjson.New(bad)
		require.ErrorIs(t, err, canonjson.ErrPointer, "%q", bad)
	}
}

func TestFingerprintPartsDoNotRunTogether(t *testing.T) {
	require.NotEqual(t, canonjson.Fingerprint(nil, "a", "bc"), canonjson.Fingerprint(nil, "ab", "c"))
	require.NotEqual(t, canonjson.Fingerprint(nil, "a"), canonjson.Fingerprint(nil, "a", ""))
	require.NotEqual(t, canonjson.Fingerprint(nil, "a"), canonjson.Fingerprint([]byte("secret"), "a"))
	require.NotEqual(t, canonjson.Fingerprint([]byte("other"), "a"), canonjson.Fingerprint([]byte("secret"), "a"))
	// Stored in ledgers: it must never change for a given scheme.
	require.Equal(t, "failloud/1", canonjson.Scheme)
	require.Equal(t, "361bee182deea0e99e2eb74fb96a1d0e8fd53d5e1d96ae532be1a7093b001a4c", canonjson.Fingerprint(nil, "tenant", `{"a":1}`).String())
}

func TestDiffNamesFieldsNotValues(t *testing.T) {
	for name, tc := range map[string]struct {
		a, b string
		want []string
	}{
		"equal":              {`{"a":1,"b":2}`, `{"b":2.0,"a":1}`, nil},
		"one field":          {`{"a":1,"b":"x"}`, `{"a":1,"b":"y"}`, []string{"/b"}},
		"missing and added":  {`{"a":1}`, `{"b":1}`, []string{"/a", "/b"}},
		"null is not absent": {`{"a":null}`, `{}`, []string{"", "/a"}},
		"inside an array":    {`{"l":[{"q":1},{"q":2}]}`, `{"l":[{"q":1},{"q":3}]}`, []string{"/l/1/q"}},
		"the whole":          {`1`, `2`, []string{""}},
		"not JSON":           {`{`, `{}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tc.want, canonjson.Diff([]byte(tc.a), []byte(tc.b)))
		})
	}
	t.Run("bounded", func(t *testing.T) {
		a := make(map[string]int)
		for range 100 {
			a[strings.Repeat("é", 100)+string(rune('a'+len(a)))] = 1
		}
		raw, err := json.Marshal(a)
		require.NoError(t, err)
		got := canonjson.Diff(raw, []byte(`{}`))
		require.LessOrEqual(t, len(got), 8)
		for _, f := range got {
			require.LessOrEqual(t, len(f), 64)
		}
	})
}

// document draws a JSON value as Go data.
func document(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.String(), func(s string) any { return strings.ToValidUTF8(s, "") }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64Range(-1e18, 1e18), func(f float64) any { return f }),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	inner := document(depth - 1)
	return rapid.OneOf(append(scalars,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-zé😀/~]{0,3}`), inner, 0, 4), func(m map[string]any) any { return m }),
	)...)
}

// respell writes v with its names in random order and random white space.
func respell(b *strings.Builder, r *rand.Rand, v any) {
	space := func() { b.WriteString([]string{"", " ", "\n\t"}[r.IntN(3)]) }
	space()
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for n := range v {
			names = append(names, n)
		}
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		b.WriteByte('{')
		for i, n := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			raw, _ := json.Marshal(n)
			b.Write(raw)
			space()
			b.WriteByte(':')
			respell(b, r, v[n])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			respell(b, r, e)
		}
		b.WriteByte(']')
	default:
		raw, _ := json.Marshal(v)
		b.Write(raw)
	}
	space()
}

func TestOneSpellingForEveryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := document(3).Draw(t, "document")
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 1))
		var one, two strings.Builder
		respell(&one, r, v)
		respell(&two, r, v)
		a, err := canonjson.Canonicalize([]byte(one.String()))
		require.NoError(t, err)
		b, err := canonjson.Canonicalize([]byte(two.String()))
		require.NoError(t, err)
		require.Equal(t, string(a), string(b))
	})
}

func TestDifferentIntegersStayDifferent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		one, err := json.Marshal(a)
		require.NoError(t, err)
		two, err := json.Marshal(b)
		require.NoError(t, err)
		x, err := canonjson.Canonicalize(one)
		require.NoError(t, err)
		y, err := canonjson.Canonicalize(two)
		require.NoError(t, err)
		require.Equal(t, a == b, string(x) == string(y))
	})
}

func BenchmarkCanonicalize(b *testing.B) {
	doc := []byte(`{"invoice_id":"INV-2024-000123","customer":{"id":9007199254740993,"name":"Nguyễn Văn A","country":"VN"},"amount":1250.50,"currency":"EUR","lines":[{"sku":"A-1","qty":2,"price":500.25},{"sku":"B-2","qty":1,"price":250}],"memo":"thank you for your business","due":"2026-12-24","notify":true,"tags":["q4","priority"],"account":"DE89370400440532013000"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := canonjson.Canonicalize(doc); err != nil {
			b.Fatal(err)
		}
	}
}
