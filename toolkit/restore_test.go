package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// replay returns what a tool that writes returns the first and the second time.
func replay[Out any](t require.TestingT, value Out) (first, second toolkit.Result[Out]) {
	kit := toolkit.New(toolkit.Config{})
	tool := toolkit.Wrap(kit, toolkit.Tool[struct{}, Out]{
		Name: "create", Effect: fault.Write, KeyOf: func(struct{}) string { return "1" },
		Call: func(context.Context, struct{}) (Out, error) { return value, nil },
	})
	ctx, run, err := kit.Start(context.Background(), ticket)
	require.NoError(t, err)
	defer run.End()
	first, second = tool.Invoke(ctx, struct{}{}), tool.Invoke(ctx, struct{}{})
	require.True(t, second.Outcome.Qualifiers.Has(fault.Replayed))
	return first, second
}

type purchase struct {
	ID    any             `json:"id"`
	Exact json.Number     `json:"exact"`
	Meta  map[string]any  `json:"meta"`
	Lines []*purchaseLine `json:"lines"`
}

type purchaseLine struct{ Ref any }

// The id of an order came back as the id of another one: 2^53+1 is no float64.
func TestAReplayKeepsTheDigitsOfIds(t *testing.T) {
	t.Parallel()
	const big = int64(1)<<53 + 1
	sent := purchase{
		ID: big, Exact: "12", Meta: map[string]any{"ids": []any{big, 7, 1.5, "9007199254740993"}, "in": map[string]any{"ref": -big}},
		Lines: []*purchaseLine{{Ref: uint64(math.MaxUint64)}, nil, {Ref: 1<<53 - 1}},
	}
	first, second := replay(t, sent)
	require.True(t, strings.HasPrefix(second.String(), first.String()+"\n"), "and a note that it was done before")
	require.Equal(t, purchase{
		ID: json.Number("9007199254740993"), Exact: "12",
		Meta: map[string]any{
			"ids": []any{json.Number("9007199254740993"), 7.0, 1.5, "9007199254740993"},
			"in":  map[string]any{"ref": json.Number("-9007199254740993")},
		},
		Lines: []*purchaseLine{{Ref: json.Number("18446744073709551615")}, nil, {Ref: float64(1<<53 - 1)}},
	}, second.Value)
}

func TestAReplayOfAnyValueIsAsJSONReadsIt(t *testing.T) {
	t.Parallel()
	for _, value := range []any{nil, true, "x", 7, 1e300, []any{1, "a"}, map[string]any{"n": 1}, []map[string]int64{{"n": 1 << 60}}} {
		_, second := replay(t, value)
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		shown, err := json.Marshal(second.Value)
		require.NoError(t, err)
		require.JSONEq(t, string(raw), string(shown))
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		_, second := replay(t, map[string]any{"id": n})
		shown := fmt.Sprint(second.Value["id"])
		if f, ok := second.Value["id"].(float64); ok {
			shown = fmt.Sprint(int64(f))
		}
		require.Equal(t, fmt.Sprint(n), shown)
	})
}

// knot is read so that it leads back to itself, in every way there is.
type knot struct {
	Value  any
	Parent *knot
	Self   map[string]any
	Others []*knot
	List   []any
}

func (k *knot) UnmarshalJSON(raw []byte) error {
	k.Parent = &knot{Parent: k, Value: json.Number(raw)}
	k.Others = []*knot{k, k.Parent}
	k.Self = map[string]any{"n": json.Number(raw)}
	k.Self["self"] = k.Self
	k.List = []any{json.Number(raw), nil}
	k.List[1] = k.List
	k.Value = json.Number(raw)
	return nil
}

func (k knot) MarshalJSON() ([]byte, error) { return []byte("17"), nil }

// A stack overflow cannot be recovered from: the program would end.
func TestAReplayOfAValueThatLeadsBackToItselfEnds(t *testing.T) {
	t.Parallel()
	_, second := replay(t, knot{})
	require.EqualValues(t, 17, second.Value.Value)
	require.EqualValues(t, 17, second.Value.Parent.Value)
	require.EqualValues(t, 17, second.Value.Self["n"])
	require.EqualValues(t, 17, second.Value.List[0])
}
