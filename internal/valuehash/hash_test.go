package valuehash_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/canonjson"
	"github.com/failloud/failloud/internal/valuehash"
)

func hash[T any](v T) uint64 { return valuehash.For(reflect.TypeFor[T]())(&v) }

type line struct {
	Text  string  `json:"text"`
	Price float64 `json:"price,omitempty"`
}

type order struct {
	ID    int64             `json:"id"`
	Lines []line            `json:"lines"`
	Tags  map[string]string `json:"tags,omitempty"`
	Note  *string           `json:"note"`
	When  time.Time         `json:"when"`
	Extra any               `json:"extra"`
	Raw   json.RawMessage   `json:"raw,omitempty"`
	own   int
	Skip  int `json:"-"`
}

func TestWhatIsTheSameDocumentHasTheSameHash(t *testing.T) {
	t.Parallel()
	a, b := "x", "x"
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	one := order{ID: 1, Lines: []line{{Text: "a", Price: 2}}, Tags: map[string]string{"k": "v", "l": "w"}, Note: &a, When: noon, Extra: 5, Raw: json.RawMessage(`{"b":1,"a":2}`)}
	two := order{ID: 1, Lines: []line{{Text: "a", Price: 2}}, Tags: map[string]string{"l": "w", "k": "v"}, Note: &b, When: noon, Extra: json.Number("5"), Raw: json.RawMessage(` {"a":2, "b":1}`), own: 3, Skip: 4}
	require.Equal(t, hash(one), hash(two))
	require.Equal(t, hash[any](map[string]any{"n": 1.0}), hash[any](map[string]any{"n": json.Number("1")}))
}

func TestWhatDiffersHashesDifferently(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		a, b any
	}{
		{"text and number", "1", 1},
		{"a list of one and the one", []any{"a"}, "a"},
		{"ids beyond 2^53", json.Number("9007199254740992"), json.Number("9007199254740993")},
		{"ids beyond 2^64", json.Number("18446744073709551617"), json.Number("18446744073709551618")},
		{"sign", -1, 1},
		{"where the text is cut", []string{"ab", "c"}, []string{"a", "bc"}},
		{"order of a list", []int{1, 2}, []int{2, 1}},
		{"names swapped", map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "b": 1}},
		{"true and false", true, false},
		{"null and empty", nil, []int{}},
		{"fractions", 0.5, 0.25},
	} {
		require.NotEqual(t, hash(tt.a), hash(tt.b), tt.name)
	}
}

func TestAValueThatContainsItselfEnds(t *testing.T) {
	t.Parallel()
	type ring struct{ Next *ring }
	r := &ring{}
	r.Next = r
	require.NotZero(t, hash(r))
}

type grenade struct{}

func (grenade) MarshalJSON() ([]byte, error) { panic("boom") }

func TestAValueThatPanicsIsNotToldApart(t *testing.T) {
	t.Parallel()
	require.Equal(t, hash(grenade{}), hash(grenade{}))
	require.NotZero(t, hash([]any{1, grenade{}}))
}

func TestTheHashAgreesWithTheDocument(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := document(t, "a"), document(t, "b")
		rawA, err := json.Marshal(a)
		require.NoError(t, err)
		rawB, err := json.Marshal(b)
		require.NoError(t, err)
		formA, err := canonjson.Canonicalize(rawA)
		require.NoError(t, err)
		formB, err := canonjson.Canonicalize(rawB)
		require.NoError(t, err)
		require.Equal(t, string(formA) == string(formB), hash(a) == hash(b), "%s and %s", formA, formB)

		var again any
		require.NoError(t, json.Unmarshal(rawA, &again))
		require.Equal(t, hash(a), hash(again), "%s read back", formA)
	})
}

// document draws JSON as Go data, from few values so that equal ones occur.
func document(t *rapid.T, label string) any {
	return rapid.Deferred(func() *rapid.Generator[any] { return value(2) }).Draw(t, label)
}

func value(depth int) *rapid.Generator[any] {
	plain := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.IntRange(-2, 2), func(i int) any { return float64(i) / 2 }),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "0", "true"}), func(s string) any { return s }),
	}
	if depth > 0 {
		plain = append(plain,
			rapid.Map(rapid.SliceOfN(value(depth-1), 0, 2), func(s []any) any { return s }),
			rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), value(depth-1), 0, 2), func(m map[string]any) any { return m }))
	}
	return rapid.OneOf(plain...)
}

func TestPlainStructsAreHashedWithoutAllocation(t *testing.T) {
	v := line{"a", 1}
	f := valuehash.For(reflect.TypeFor[line]())
	require.Zero(t, testing.AllocsPerRun(100, func() { f(&v) }))
}
