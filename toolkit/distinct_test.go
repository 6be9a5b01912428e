package toolkit_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

type (
	cents   struct{ amount int }
	invoked struct {
		ID    string `json:"id"`
		cents        //nolint:unused // what JSON does not carry is what is tested
	}
	spoken struct {
		ID    string           `json:"id"`
		Lines []map[string]any `json:"lines,omitempty"`
		At    time.Time        `json:"at,omitzero"`
		Ref   *uuid.UUID       `json:"ref,omitempty"`
		Next  *spoken          `json:"next,omitempty"`
		Extra any              `json:"extra,omitempty"`
		_     int
		Base
	}
)

// begin starts a run of a kit that has one tool with these arguments.
func begin[In any](t *testing.T, tool toolkit.Tool[In, string]) error {
	t.Helper()
	kit := toolkit.New(toolkit.Config{})
	tool.Name = "pay"
	tool.Call = func(context.Context, In) (string, error) { return "paid", nil }
	toolkit.Wrap(kit, tool)
	_, run, err := kit.Start(t.Context(), runrecord.Task{Key: "ticket-1"})
	run.End()
	return err
}

func TestAWriteWhoseKeyLeavesArgumentsOutIsRefused(t *testing.T) {
	t.Parallel()
	type tagged struct {
		ID     string `json:"id"`
		Amount int    `json:"-"`
	}
	type locked struct {
		Orders map[string][]*struct{ mu sync.Mutex }
	}
	type shadowed struct { // R is neither of both
		left
		right
	}
	for field, err := range map[string]error{
		"amount":       begin(t, toolkit.Tool[cents, string]{}),
		"cents.amount": begin(t, toolkit.Tool[invoked, string]{Effect: fault.Write}),
		"Amount":       begin(t, toolkit.Tool[*tagged, string]{}),
		"Orders.mu":    begin(t, toolkit.Tool[locked, string]{}),
		"left.R":       begin(t, toolkit.Tool[shadowed, string]{}),
	} {
		require.ErrorIs(t, err, toolkit.ErrTool, field)
		require.ErrorContains(t, err, `tool "pay": its argument `+field+` stays out of the key: export it, or give KeyOf`)
	}
	require.NoError(t, begin(t, toolkit.Tool[cents, string]{Effect: fault.Read}))
	require.NoError(t, begin(t, toolkit.Tool[cents, string]{Effect: fault.Idempotent}))
	require.NoError(t, begin(t, toolkit.Tool[tagged, string]{KeyOf: func(in tagged) string { return in.ID }}))
	require.NoError(t, begin(t, toolkit.Tool[spoken, string]{}))
}

func TestArgumentsThatJSONBlursAreNotPaidAsOne(t *testing.T) {
	t.Parallel()
	paid := 0
	kit := toolkit.New(toolkit.Config{})
	pay := toolkit.Wrap(kit, toolkit.Tool[spoken, string]{Name: "pay", Effect: fault.Write,
		Call: func(context.Context, spoken) (string, error) { paid++; return "paid", nil }})
	ctx, run, err := kit.Start(t.Context(), runrecord.Task{Key: "ticket-1"})
	require.NoError(t, err)
	defer run.End()

	for _, tt := range []struct {
		in    spoken
		field fault.FieldError
	}{
		{spoken{ID: "\xff"}, fault.FieldError{Field: "id", Rule: "utf8"}},
		{spoken{Next: &spoken{ID: "\xfe"}}, fault.FieldError{Field: "next.id", Rule: "utf8"}},
		{spoken{Lines: []map[string]any{{}, {"\xff": 1}}}, fault.FieldError{Field: "lines.1.*", Rule: "utf8"}},
		{spoken{Base: Base{Tenant: "\xc3\x28"}}, fault.FieldError{Field: "tenant", Rule: "utf8"}},
		{spoken{Extra: []any{1, "\xff"}}, fault.FieldError{Field: "extra.1", Rule: "utf8"}},
		{spoken{Extra: cents{100}}, fault.FieldError{Field: "extra", Rule: "type"}},
	} {
		res := pay.Invoke(ctx, tt.in)
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind, "%v", tt.in)
		require.Equal(t, fault.ReasonInvalidArgs, res.Outcome.Reason())
		require.Equal(t, []fault.FieldError{tt.field}, res.Outcome.Fault.Fields)
		require.True(t, res.Outcome.Fault.Correctable)
	}
	for args, want := range map[string]string{
		"{\"id\":\"\xff\"}":        "utf8",
		`{"id":"\ud800"}`:          "utf8",
		`{"id":"a","id":"b"}`:      "unique_names",
		`{"id":"a","extra":1e400}`: "finite_number",
		`{"id":"a"`:                "document",
	} {
		res := kit.Invoke(ctx, "pay", json.RawMessage(args))
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind, args)
		require.Equal(t, []fault.FieldError{{Rule: "json", Want: want}}, res.Outcome.Fault.Fields, args)
		require.Contains(t, res.String(), "json "+want)
	}
	require.Zero(t, paid)

	require.True(t, pay.Invoke(ctx, spoken{ID: "\ufffd", Extra: map[string]any{"é": "\u2028"}}).Outcome.OK(), "text that only looks strange")
	require.True(t, kit.Invoke(ctx, "pay", json.RawMessage(`{"id":"\ufffd"}`)).Outcome.OK())
	require.Equal(t, 2, paid)
}

func TestLongArgumentsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	type bag struct {
		S string  `json:"s,omitempty"`
		N []int   `json:"n,omitempty"`
		F float64 `json:"f,omitempty"`
		I int     `json:"i,omitempty"`
		A any     `json:"a,omitempty"`
		T tree    `json:"t,omitempty"`
	}
	kit := toolkit.New(toolkit.Config{})
	taking[bag](kit, "bag")
	for name, tt := range map[string]struct {
		args string
		want fault.FieldError
	}{
		"text":            {`{"s":"` + strings.Repeat("x", toolkit.MaxArguments) + `"}`, fault.FieldError{Rule: "maxBytes", Want: "1048576"}},
		"blanks":          {strings.Repeat(" ", toolkit.MaxArguments) + `{}`, fault.FieldError{Rule: "maxBytes", Want: "1048576"}},
		"numbers":         {`{"n":[` + strings.Repeat("1,", 5_000_000) + `1]}`, fault.FieldError{Rule: "maxBytes", Want: "1048576"}},
		"a long integer":  {`{"i":` + strings.Repeat("9", 1_000_000) + `}`, fault.FieldError{Rule: "number", Want: "at_most_1000_digits"}},
		"a long fraction": {`{"f":0.` + strings.Repeat("9", 1_000) + `}`, fault.FieldError{Rule: "number", Want: "at_most_1000_digits"}},
		"depth":           {`{"a":` + strings.Repeat("[", 128) + strings.Repeat("]", 128) + `}`, fault.FieldError{Rule: "depth", Want: "at_most_128"}},
		"a deep mistake":  {`{"t":` + strings.Repeat(`{"kids":[`, 4_000) + `{"v":"x"}` + strings.Repeat(`]}`, 4_000) + `}`, fault.FieldError{Rule: "depth", Want: "at_most_128"}},
		"one deep inside": {`{"a":[{"b":` + strings.Repeat("1", 1_001) + `}]}`, fault.FieldError{Rule: "number", Want: "at_most_1000_digits"}},
	} {
		res := kit.Invoke(t.Context(), "bag", json.RawMessage(tt.args))
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind, name)
		require.Equal(t, fault.ReasonInvalidArgs, res.Outcome.Reason(), name)
		require.Equal(t, []fault.FieldError{tt.want}, res.Outcome.Fault.Fields, name)
		require.Contains(t, res.String(), tt.want.Rule+" "+tt.want.Want, name)
	}
	most := `{"s":"` + strings.Repeat("x", toolkit.MaxArguments-len(`{"s":""}`)) + `"}`
	require.True(t, kit.Invoke(t.Context(), "bag", json.RawMessage(most)).Outcome.OK())
	require.True(t, kit.Invoke(t.Context(), "bag", json.RawMessage(`{"a":`+strings.Repeat("[", 127)+strings.Repeat("]", 127)+`}`)).Outcome.OK())
	require.True(t, kit.Invoke(t.Context(), "bag", json.RawMessage(`{"f":0.`+strings.Repeat("9", 998)+`}`)).Outcome.OK())
}
