package toolkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// Types that read JSON in ways of their own.
type (
	level  uint8
	corner struct{ X, Y int }
	tree   struct {
		V    int     `json:"v,omitempty"`
		Kids []*tree `json:"kids,omitempty"`
	}
	forest map[string]forest
	nest   []nest
	Base   struct {
		Tenant string `json:"tenant,omitempty"`
	}
	hidden struct {
		Tenant string `json:"tenant,omitempty"`
	}
	timed           struct{ time.Time }
	inString[T any] struct {
		Q T `json:"q,omitempty,string"` //nolint:staticcheck // what encoding/json makes of it is what is tested
	}
	left   struct{ R, L int }
	right  struct{ R int }
	rivals struct { // R is neither of both
		left
		right
		L int `json:",omitempty"`
	}
	box[T any] struct {
		In T `json:"in,omitempty"`
	}
)

func (l *level) UnmarshalText(text []byte) error {
	at := strings.Index("low high", string(text))
	if len(text) < 3 || at < 0 {
		return errors.New("no such level")
	}
	*l = level(at)
	return nil
}

func (c *corner) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	_, err := fmt.Sscanf(string(raw), `"%d,%d"`, &c.X, &c.Y)
	return err
}

// values are given to every type.
var values = []string{
	`null`, `true`, `false`, `0`, `-0`, `1`, `-1`, `255`, `256`, `-129`, `70000`, `3000000000`, `9007199254740993`,
	`9223372036854775807`, `9223372036854775808`, `18446744073709551615`, `18446744073709551616`,
	`1.0`, `1e2`, `1.5`, `1e39`, `1e308`, `1e400`,
	`""`, `"x"`, `"5"`, `"-5"`, `"05"`, `"1.5"`, `"1e2"`, `"true"`, `"\"x\""`, `"1,2"`, `"1/3"`, `"low"`, `"INFO"`, `"aGVsbG8="`, `"aGVsbG8"`, `"1.2.3.4"`, `"::1"`,
	`"6ba7b810-9dad-11d1-80b4-00c04fd430c8"`, `"2026-01-02T03:04:05Z"`, `"2026-01-02"`, `"\ud83d\ude00"`,
	`[]`, `[1]`, `[1,2]`, `["a"]`, `[[1]]`, `["low"]`, `[{}]`, `[true]`,
	`{"q":"5"}`, `{"q":5}`, `{"q":null}`, `{"q":"x"}`, `{"q":"true"}`, `{"q":true}`, `{"q":"\"x\""}`, `{"q":"05"}`, `{"q":"1.5"}`, `{"q":[1]}`,
	`{"R":1}`, `{"L":1}`, `{"L":"1"}`, `{}`, `{"1":"a"}`, `{"low":"a"}`, `{"a":{}}`, `{"a":{"b":{}}}`, `{"a":7}`, `{"tenant":"a"}`, `{"tenant":7}`, `{"v":1}`, `{"v":"1"}`, `{"kids":[{"v":2},{"kids":[]}]}`, `{"kids":[{"v":"2"}]}`, `{"in":"high"}`, `{"in":["high"]}`,
}

// reading is what encoding/json and a call by name make of a value of type T,
// required and optional.
func reading[T any](t *testing.T) (both func(value string, optional bool) (byName fault.Outcome, direct error)) {
	t.Helper()
	type needed struct {
		V T `json:"v"`
	}
	type free struct {
		V T `json:"v,omitempty"`
	}
	kit := toolkit.New(toolkit.Config{})
	taking[needed](kit, "needed")
	taking[free](kit, "free")
	_, run, err := kit.Start(t.Context(), runrecord.Task{})
	require.NoError(t, err)
	run.End()
	return func(value string, optional bool) (fault.Outcome, error) {
		raw := []byte(`{"v":` + value + `}`)
		direct := json.NewDecoder(bytes.NewReader(raw))
		direct.UseNumber()
		direct.DisallowUnknownFields()
		if optional {
			return kit.Invoke(t.Context(), "free", raw).Outcome, direct.Decode(new(free))
		}
		return kit.Invoke(t.Context(), "needed", raw).Outcome, direct.Decode(new(needed))
	}
}

func taking[In any](kit *toolkit.Kit, name string) {
	toolkit.Wrap(kit, toolkit.Tool[In, string]{Name: name, Effect: fault.Read,
		Call: func(context.Context, In) (string, error) { return "done", nil }})
}

// TestDerivedSchemasTakeWhatEncodingJSONTakes gives every type every value. What a
// call by name refuses although encoding/json takes it is listed: null for what
// can be neither nil nor left out, and a few forms that lose something.
func TestDerivedSchemasTakeWhatEncodingJSONTakes(t *testing.T) {
	t.Parallel()
	null := []string{`null`}
	for name, tt := range map[string]struct {
		both     func(string, bool) (fault.Outcome, error)
		stricter []string
	}{
		"bool":                    {reading[bool](t), null},
		"int":                     {reading[int](t), null},
		"int8":                    {reading[int8](t), null},
		"int32":                   {reading[int32](t), null},
		"uint8":                   {reading[uint8](t), null},
		"uint64":                  {reading[uint64](t), null},
		"float32":                 {reading[float32](t), null},
		"float64":                 {reading[float64](t), null},
		"string":                  {reading[string](t), null},
		"any":                     {reading[any](t), nil},
		"interface":               {reading[fmt.Stringer](t), nil},
		"json.RawMessage":         {reading[json.RawMessage](t), nil},
		"json.Number":             {reading[json.Number](t), null},
		"time.Time":               {reading[time.Time](t), null},
		"*time.Time":              {reading[*time.Time](t), nil},
		"time.Duration":           {reading[time.Duration](t), null},
		"slog.Level":              {reading[slog.Level](t), nil},
		"uuid.UUID":               {reading[uuid.UUID](t), null},
		"netip.Addr":              {reading[netip.Addr](t), null},
		"net.IP":                  {reading[net.IP](t), nil},
		"big.Int":                 {reading[big.Int](t), null},
		"*big.Int":                {reading[*big.Int](t), nil},
		"big.Rat":                 {reading[big.Rat](t), null},
		"text":                    {reading[level](t), null},
		"a list of texts":         {reading[[]level](t), []string{`""`, `"true"`, `"INFO"`, `"aGVsbG8="`}},
		"keys that are texts":     {reading[map[level]string](t), nil},
		"its own JSON":            {reading[corner](t), nil},
		"embedded with its JSON":  {reading[timed](t), nil},
		"bytes":                   {reading[[]byte](t), []string{`[]`, `[1]`, `[1,2]`}},
		"pointer":                 {reading[*int](t), nil},
		"pointer to a pointer":    {reading[**string](t), nil},
		"list":                    {reading[[]int](t), nil},
		"array":                   {reading[[2]int](t), []string{`null`, `[]`, `[1]`}},
		"map":                     {reading[map[string]any](t), nil},
		"keys that are integers":  {reading[map[int]string](t), nil},
		"struct":                  {reading[Base](t), null},
		"embedded":                {reading[struct{ Base }](t), null},
		"embedded pointer":        {reading[struct{ *Base }](t), null},
		"embedded hidden":         {reading[struct{ hidden }](t), null},
		"embedded hidden pointer": {reading[struct{ *hidden }](t), null},
		"recursive":               {reading[tree](t), nil},
		"recursive pointer":       {reading[*tree](t), nil},
		"recursive map":           {reading[forest](t), nil},
		"recursive list":          {reading[nest](t), nil},
		"recursive in a struct": {reading[struct {
			N nest `json:"v"`
		}](t), null},
		"generic":       {reading[box[*level]](t), null},
		"quoted bool":   {reading[inString[bool]](t), null},
		"quoted int":    {reading[inString[int]](t), null},
		"quoted uint":   {reading[inString[*uint]](t), null},
		"quoted float":  {reading[inString[float64]](t), null},
		"quoted string": {reading[inString[string]](t), null},
		"quoted list":   {reading[inString[[]int]](t), null},
		"rivals":        {reading[rivals](t), null},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, value := range values {
				for _, optional := range []bool{false, true} {
					byName, direct := tt.both(value, optional)
					if slices.Contains(tt.stricter, value) && !(optional && value == `null`) {
						require.NoError(t, direct, value)
						require.Equal(t, fault.ReasonInvalidArgs, byName.Reason(), value)
						continue
					}
					if direct == nil {
						require.Equal(t, fault.KindOK, byName.Kind, "%s (optional: %t): %v", value, optional, byName.Fault)
						continue
					}
					require.Equal(t, fault.ReasonInvalidArgs, byName.Reason(), "%s (optional: %t): %v", value, optional, direct)
					require.True(t, strings.HasPrefix(byName.Fault.Fields[0].Field, "v"), "%s: %v", value, byName.Fault.Fields)
				}
			}
		})
	}
}

func TestWhatATypeRefusesIsNamed(t *testing.T) {
	t.Parallel()
	type visit struct {
		When  time.Time         `json:"when,omitempty"`
		Who   uuid.UUID         `json:"who,omitempty"`
		Count int               `json:"count,omitempty"`
		Sizes map[string]int8   `json:"sizes,omitempty"`
		File  []byte            `json:"file,omitempty"`
		Quota float64           `json:"quota,omitempty,string"`
		Stops []struct{ N int } `json:"stops,omitempty"`
		Room  *level            `json:"room,omitempty"`
	}
	kit := toolkit.New(toolkit.Config{})
	taking[visit](kit, "visit")
	for args, want := range map[string]fault.FieldError{
		`{"when":"tomorrow"}`:                         {Field: "when", Rule: "type", Want: "date-time"},
		`{"who":"me"}`:                                {Field: "who", Rule: "type", Want: "uuid.UUID"},
		`{"count":1.0}`:                               {Field: "count", Rule: "type", Want: "integer_in_plain_digits"},
		`{"count":1e2}`:                               {Field: "count", Rule: "type", Want: "integer_in_plain_digits"},
		`{"count":9223372036854775808}`:               {Field: "count", Rule: "type", Want: "int"},
		`{"sizes":{"shoe":1e1}}`:                      {Field: "sizes.*", Rule: "type", Want: "integer_in_plain_digits"},
		`{"file":"a"}`:                                {Field: "file", Rule: "type", Want: "base64"},
		`{"quota":"much"}`:                            {Field: "quota", Rule: "type", Want: "float64_in_a_string"},
		`{"stops":[{"N":1},{"N":2.0}],"room":"low"}`:  {Field: "stops.1.N", Rule: "type", Want: "integer_in_plain_digits"},
		`{"stops":[{"N":1},{"N":2}],"room":"middle"}`: {Field: "room", Rule: "type", Want: "toolkit_test.level"},
	} {
		res := kit.Invoke(t.Context(), "visit", json.RawMessage(args))
		require.Equal(t, fault.ReasonInvalidArgs, res.Outcome.Reason(), args)
		require.Equal(t, []fault.FieldError{want}, res.Outcome.Fault.Fields, args)
		require.Contains(t, res.String(), want.Want, args)
	}
}

func TestDerivedSchemasReadWell(t *testing.T) {
	t.Parallel()
	type call struct {
		To    string          `json:"to" jsonschema:"who is called"`
		When  *time.Time      `json:"when,omitempty"`
		Body  json.RawMessage `json:"body"`
		Sound []byte          `json:"sound"`
		Plan  tree            `json:"plan"`
		note  string
	}
	_ = call{}.note
	kit := toolkit.New(toolkit.Config{})
	taking[call](kit, "call")
	taking[*tree](kit, "grow")
	for i, want := range []string{
		`{"type":"object","additionalProperties":false,"required":["to","body","sound","plan"],"properties":{
			"to":{"type":"string","description":"who is called"},
			"when":{"type":["null","string"],"format":"date-time"},
			"body":true,
			"sound":{"type":["null","string"],"contentEncoding":"base64"},
			"plan":{"$ref":"#/$defs/tree1"}},
			"$defs":{"tree1":{"type":["null","object"],"additionalProperties":false,"properties":{"v":{"type":["null","integer"]},
				"kids":{"type":["null","array"],"items":{"$ref":"#/$defs/tree1"}}}}}}`,
		`{"type":"object","additionalProperties":false,"properties":{"v":{"type":["null","integer"]},
			"kids":{"type":["null","array"],"items":{"$ref":"#/$defs/tree1"}}},
			"$defs":{"tree1":{"type":["null","object"],"additionalProperties":false,"properties":{"v":{"type":["null","integer"]},
				"kids":{"type":["null","array"],"items":{"$ref":"#/$defs/tree1"}}}}}}`,
	} {
		require.JSONEq(t, want, string(kit.Tools()[i].Schema))
	}
}
