package rowcodec_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/rowcodec"
	"github.com/failloud/failloud/store/internal/seal"
)

func sealer(t require.TestingT) *seal.Sealer {
	s, err := seal.New(bytes.Repeat([]byte{1}, seal.KeySize))
	require.NoError(t, err)
	return s
}

// A field that is added to the row must come back from the database. Rows are
// drawn by reflection, so that no list of fields has to be kept.
func TestEveryFieldComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var row idempotency.Row
		fill(t, reflect.ValueOf(&row).Elem())
		if row.Decision != nil && len(row.Attempts) == 0 { // as in any row that the rules have made
			row.Decision.Epoch = row.Epoch
		}
		s := rapid.SampledFrom([]*seal.Sealer{nil, sealer(t)}).Draw(t, "sealer")
		c, err := rowcodec.Encode(&row, s)
		require.NoError(t, err)
		after, err := rowcodec.Decode(c, s)
		require.NoError(t, err)
		require.Equal(t, row, after)
	})
}

// fill sets every field below v to a value that it can have.
func fill(t *rapid.T, v reflect.Value) {
	text := rapid.SampledFrom([]string{"", "a", "Zażółć \"gęślą\"\n", "<&>\u2028", "\x00\x1f\x7f"})
	switch v.Interface().(type) {
	case time.Time:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.ValueOf(time.Unix(0, rapid.Int64Range(1, 4e18).Draw(t, "time")).UTC()))
		}
		return
	case json.RawMessage:
		if rapid.Bool().Draw(t, "set") {
			v.SetBytes([]byte(rapid.SampledFrom([]string{`{"a":1}`, `"x"`, `[]`, `null`}).Draw(t, "json")))
		}
		return
	case idempotency.State:
		v.SetUint(rapid.Uint64Range(0, 9).Draw(t, "state"))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "length")
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range n {
			fill(t, v.Index(i))
		}
	case reflect.String:
		v.SetString(text.Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint8: // enumerations: their first values are all named
		v.SetUint(rapid.Uint64Range(0, 2).Draw(t, "enumeration"))
	case reflect.Uint16, reflect.Uint32:
		v.SetUint(uint64(rapid.Uint16().Draw(t, "uint")))
	default:
		t.Fatalf("a field of kind %s is not drawn", v.Kind())
	}
}

func row() idempotency.Row {
	return idempotency.Row{
		ID: "4711", Key: idempotency.Key{Tool: "pay", Intent: "key:4711"}, State: idempotency.Escalated, Version: 3,
		Args: json.RawMessage(`{"iban":"DE02"}`), Result: json.RawMessage(`{"receipt":"R-1"}`),
		Decision: &idempotency.Decision{Args: json.RawMessage(`{"iban":"DE03"}`), Result: json.RawMessage(`{"receipt":"R-1"}`)},
	}
}

func TestNoPayloadIsReadableWhereThereIsAKey(t *testing.T) {
	t.Parallel()
	r := row()
	c, err := rowcodec.Encode(&r, sealer(t))
	require.NoError(t, err)
	for _, part := range [][]byte{c.Body, c.Args, c.Result} {
		require.NotContains(t, string(part), "iban")
		require.NotContains(t, string(part), "R-1")
	}
	_, err = rowcodec.Decode(c, nil)
	require.ErrorIs(t, err, seal.ErrSealed)
	require.ErrorIs(t, err, rowcodec.ErrCorrupt)
}

func TestADamagedRowIsFoundOut(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(c *rowcodec.Columns){
		"another version": func(c *rowcodec.Columns) { c.Version++ },
		"another state":   func(c *rowcodec.Columns) { c.State = "succeeded" },
		"another id":      func(c *rowcodec.Columns) { c.ID = "4712" },
		"half a body":     func(c *rowcodec.Columns) { c.Body = c.Body[:len(c.Body)/2] },
		"no body":         func(c *rowcodec.Columns) { c.Body = nil },
		"a decision about nothing": func(c *rowcodec.Columns) {
			before := len(c.Body)
			c.Body = bytes.Replace(c.Body, []byte(`"actor":"","epoch":0`), []byte(`"actor":"","epoch":97`), 1)
			require.Greater(t, len(c.Body), before)
		},
		"payloads swapped": func(c *rowcodec.Columns) { c.Args, c.Result = c.Result, c.Args },
	} {
		r := row()
		c, err := rowcodec.Encode(&r, sealer(t))
		require.NoError(t, err)
		damage(&c)
		_, err = rowcodec.Decode(c, sealer(t))
		require.ErrorIs(t, err, rowcodec.ErrCorrupt, name)
		require.NotContains(t, err.Error(), "iban", name)
	}
}

func TestColumnsAreWhatADatabaseSearchesBy(t *testing.T) {
	t.Parallel()
	r := row()
	r.State, r.Gate, r.Due = idempotency.Deferred, "bank", time.Unix(5, 0).UTC()
	c, err := rowcodec.Encode(&r, nil)
	require.NoError(t, err)
	require.Equal(t, "deferred", c.State)
	require.Equal(t, "bank", c.Gate)
	require.Equal(t, r.Due, c.Due)
	require.False(t, c.ToRun)

	r.State, r.Decision.Choice = idempotency.Ready, idempotency.RunAgain
	c, err = rowcodec.Encode(&r, nil)
	require.NoError(t, err)
	require.True(t, c.ToRun)
	require.Empty(t, c.Gate, "nothing waits for a gate but what is deferred")
}

// Whatever lies in the body is a row or is refused.
func FuzzDecode(f *testing.F) {
	r := row()
	c, err := rowcodec.Encode(&r, nil)
	require.NoError(f, err)
	f.Add(c.Body)
	f.Fuzz(func(t *testing.T, body []byte) {
		at := c
		at.Body = body
		after, err := rowcodec.Decode(at, nil)
		if err != nil {
			require.ErrorIs(t, err, rowcodec.ErrCorrupt)
			return
		}
		again, err := rowcodec.Encode(&after, nil)
		require.NoError(t, err)
		twice, err := rowcodec.Decode(again, nil)
		require.NoError(t, err)
		require.Equal(t, after, twice)
	})
}
