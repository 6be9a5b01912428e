package rawjson_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// read returns what a reader finds, one line each: "line[/array] value" or
// "line: error".
func read(t *testing.T, in io.Reader, c rawjson.Config) []string {
	t.Helper()
	var got []string
	r := rawjson.NewReader(in, c)
	for {
		item, err := r.Next()
		if bad, ok := errors.AsType[*rawjson.ValueError](err); ok {
			got = append(got, fmt.Sprintf("%d: %v", bad.Line, bad.Err))
			continue
		}
		if errors.Is(err, io.EOF) {
			return got
		}
		require.NoError(t, err)
		at := fmt.Sprint(item.Line)
		if item.Array > 0 {
			at += fmt.Sprint("/", item.Array)
		}
		v := string(item.Value)
		if len(v) > 60 {
			v = v[:60]
		}
		got = append(got, at+" "+v)
	}
}

func TestReaderCutsAStreamIntoValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		max  int
		mark string
		want []string
	}{
		"nothing":         {in: " \n\n", want: nil},
		"lines":           {in: "{\"a\":1}\n\n{\"b\":[2,\"}\"]}\r\n", want: []string{`1 {"a":1}`, `3 {"b":[2,"}"]}`}},
		"no last newline": {in: `{"a":1}`, want: []string{`1 {"a":1}`}},
		"many in a line":  {in: `{"a":1} {"b":2},"c" 4 null[5]`, want: []string{`1 {"a":1}`, `1 {"b":2}`, `1 "c"`, `1 4`, `1 null`, `1/1 5`}},
		"over lines":      {in: "{\n \"a\": [\n  1,\n  \"x\\\"]\"\n ]\n}\n{}", want: []string{"1 {\n \"a\": [\n  1,\n  \"x\\\"]\"\n ]\n}", "7 {}"}},
		"array":           {in: "[\n{\"a\":1},\n{\"b\":2}\n]\n[[1],{}]", want: []string{`2/1 {"a":1}`, `3/1 {"b":2}`, `5/2 [1]`, `5/2 {}`}},
		"empty array":     {in: "[]\n[ ]\n{}", want: []string{"3 {}"}},
		"python words":    {in: `{"a":NaN,"b":-Infinity}`, want: []string{`1 {"a":NaN,"b":-Infinity}`}},

		"torn in a text":        {in: "{\"a\":\"x\n{\"b\":2}", want: []string{"1: ends too early", `2 {"b":2}`}},
		"torn after a colon":    {in: "{\"a\":\n{\"b\":2}\n{\"c\":3}", want: []string{"1: ends too early", `2 {"b":2}`, `3 {"c":3}`}},
		"torn after a comma":    {in: "{\"a\":[1,\n{\"b\":2}\n{\"c\":3}", want: []string{"1: ends too early", `2 {"b":2}`, `3 {"c":3}`}},
		"torn after a value":    {in: "{\"a\":[1\n{\"b\":2}", want: []string{"1: ends too early", `2 {"b":2}`}},
		"torn in a number":      {in: "{\"a\":12\n{\"b\":2}", want: []string{"1: ends too early", `2 {"b":2}`}},
		"torn at the end":       {in: "{\"b\":2}\n{\"a\":tr", want: []string{`1 {"b":2}`, "2: ends too early"}},
		"torn array":            {in: "[{\"a\":1},{\"b\n[{\"c\":3}]", want: []string{`1/1 {"a":1}`, "1: ends too early", `2/2 {"c":3}`}},
		"array without an end":  {in: "[\n{\"a\":1},\n", want: []string{`2/1 {"a":1}`, "1: ends too early"}},
		"bad element":           {in: "[\n{\"a\":1},\n{\"b\":},\n{\"c\":3}\n]", want: []string{`2/1 {"a":1}`, "3: is no JSON", `4/1 {"c":3}`}},
		"words":                 {in: "hello world\n{\"a\":1}", want: []string{"1: is no JSON", `2 {"a":1}`}},
		"words behind":          {in: "{\"a\":1} ok\n{\"a\":1}", want: []string{`1 {"a":1}`, "1: is no JSON", `2 {"a":1}`}},
		"wrong bracket":         {in: "{\"a\":[1}\n{}", want: []string{"1: is no JSON", "2 {}"}},
		"number":                {in: "{\"a\":01}\n{\"a\":1.}\n{\"a\":1e+2}", want: []string{"1: is no JSON", "2: is no JSON", `3 {"a":1e+2}`}},
		"next behind torn":      {in: `{"schema":1,"a":"x{"schema":1,"b":2}` + "\n{}", mark: `{"schema":`, want: []string{"1: is no JSON", `1 {"schema":1,"b":2}`, "2 {}"}},
		"next inside torn":      {in: `{"schema":1,"a":{"schema":1,"b":2}` + "\n{}", mark: `{"schema":`, want: []string{"1: ends too early", `1 {"schema":1,"b":2}`, "2 {}"}},
		"too long":              {in: `{"a":"` + strings.Repeat("x", 100) + "\"}\n{}", max: 50, want: []string{"1: is too long", "2 {}"}},
		"too long and torn":     {in: `{"a":"` + strings.Repeat("x", 600<<10) + "\n{}", max: 50, want: []string{"1: is too long", "2 {}"}},
		"too long over lines":   {in: "{\"a\":[\n" + strings.Repeat("1000,\n", 200<<10) + "1]}\n{}", max: 50, want: []string{"1: is too long", "204803 {}"}},
		"too long element":      {in: `[{"a":"` + strings.Repeat(`\"`, 600<<10) + `"},{"b":1}]`, max: 50, want: []string{"1: is too long", `1/1 {"b":1}`}},
		"deep":                  {in: strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "\n{}", want: []string{"1: is nested too deeply", "2 {}"}},
		"deep over lines":       {in: strings.Repeat("{\"a\":\n", 10_000) + "1" + strings.Repeat("\n}", 10_000) + "\n{}", want: []string{"1: is nested too deeply", "20002 {}"}},
		"deep and torn":         {in: strings.Repeat("[", 10_000) + "\n{}", want: []string{"1: is nested too deeply", "2 {}"}},
		"invalid UTF-8":         {in: "{\"a\":\"\xff\"}", want: []string{"1 {\"a\":\"\uFFFD\"}"}},
		"backslashes at a seam": {in: `{"a":"` + strings.Repeat(`\\`, 300<<10) + `"}` + "\n{}", max: 50, want: []string{"1: is too long", "2 {}"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := rawjson.Config{MaxValue: c.max, Mark: c.mark}
			require.Equal(t, c.want, read(t, strings.NewReader(c.in), config))
			if len(c.in) < 1<<10 {
				require.Equal(t, c.want, read(t, iotest.OneByteReader(strings.NewReader(c.in)), config), "byte by byte")
			}
		})
	}
}

func TestReaderReturnsWhatArrivedBeforeTheInputFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	r := rawjson.NewReader(io.MultiReader(strings.NewReader(`{"a":1} {"b"`), iotest.ErrReader(broken)), rawjson.Config{})
	item, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(item.Value))
	_, err = r.Next()
	require.ErrorIs(t, err, rawjson.ErrTorn)
	_, err = r.Next()
	require.ErrorIs(t, err, broken)
}
