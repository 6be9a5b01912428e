package rawjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// FuzzReader compares with the standard library: every value of a stream that
// it accepts is found, the same, and what this package reads out of a value is
// what the standard reads out of it.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u00e9\ud83d\ude00\n"],"b":null}`, "{}\n{\"a\":\n[\n]}", `[{"a":1},[2]]`, `"\ud800"`, "{\"a\":\"\xff\"}", `{"a":1,"a":2}`} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		var got []rawjson.Value
		r := rawjson.NewReader(&steps{data: data, n: int(step)}, rawjson.Config{MaxValue: 1 << 20})
		broken := false
		for {
			item, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if _, bad := errors.AsType[*rawjson.ValueError](err); bad {
				broken = true
				continue
			}
			require.NoError(t, err)
			look(t, item.Value, 0)
			got = append(got, bytes.Clone(item.Value))
		}
		if !json.Valid(data) || bytes.ContainsAny(data, "\xff") {
			return
		}
		require.False(t, broken, "%q", data)
		data = bytes.TrimSpace(data)
		if data[0] != '[' {
			require.Len(t, got, 1)
			require.Equal(t, string(bytes.ToValidUTF8(data, []byte("\uFFFD"))), string(got[0]))
			return
		}
		var elements []json.RawMessage
		require.NoError(t, json.Unmarshal(data, &elements))
		require.Len(t, got, len(elements))
	})
}

// look reads all that is in a value and compares it with the standard.
func look(t *testing.T, v rawjson.Value, depth int) {
	t.Helper()
	require.NotEqual(t, rawjson.None, v.Kind())
	valid := json.Valid(v)
	if text, ok := v.Text(); ok && valid {
		var want string
		require.NoError(t, json.Unmarshal(v, &want))
		require.Equal(t, want, text)
		require.Equal(t, want, string(v.AppendText(nil)))
	}
	if depth > 50 {
		return
	}
	fields, elements := 0, 0
	for _, field := range v.Fields() {
		fields++
		look(t, field, depth+1)
	}
	for e := range v.Elements() {
		elements++
		look(t, e, depth+1)
	}
	var index rawjson.Index
	require.Equal(t, fields, index.Reset(v).Len())
	if valid && v.Kind() == rawjson.Array {
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(v, &want))
		require.Equal(t, len(want), elements)
	}
	if valid && v.Kind() == rawjson.Object {
		want := map[string]json.RawMessage{}
		require.NoError(t, json.Unmarshal(v, &want))
		require.GreaterOrEqual(t, fields, len(want))
		for name, field := range want {
			require.Equal(t, string(field), string(index.Get(name)), "%q of %q", name, v)
		}
	}
}

// steps gives its data out in pieces of n bytes.
type steps struct {
	data []byte
	n    int
}

func (s *steps) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), max(s.n, 1))], s.data)
	s.data = s.data[n:]
	return n, nil
}
