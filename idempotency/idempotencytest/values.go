package idempotencytest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// Arguments and results, as they are written and as they come back.
var values = []scenario{
	{"one request in many spellings", manySpellings},
	{"integers beyond 2^53 stay apart and come back", largeIntegers},
	{"a result of any size fails no call", largeResults},
}

func manySpellings(t *testing.T, e *env) {
	in := payment("4711")
	in.Args = json.RawMessage(`{"to":{"iban":"DE89","name":"Ann"},"lines":[{"a":1,"b":2},3],"amount":10,"note":null}`)
	require.NoError(t, e.execute(t, in).Succeed(t.Context(), receipt, 0))
	for _, same := range []string{
		`{"note":null,"amount":10,"lines":[{"b":2,"a":1},3],"to":{"name":"Ann","iban":"DE89"}}`,
		" {\n\t\"to\": {\"iban\": \"DE89\", \"name\": \"\\u0041nn\"}, \"lines\": [{\"a\":1,\"b\":2}, 3], \"amount\": 1.0e1, \"note\": null }",
	} {
		in.Args = json.RawMessage(same)
		require.Equal(t, idempotency.Replay, e.claim(t, in).Answer, same)
	}
	for _, other := range []string{
		`{"to":{"iban":"DE89","name":"Ann"},"lines":[{"a":1,"b":2},3],"amount":10}`, // missing is not null
		`{"to":{"iban":"DE89","name":"Ann"},"lines":[3,{"a":1,"b":2}],"amount":10,"note":null}`,
		`{"to":{"iban":"DE89","name":"Ann"},"lines":[{"a":1,"b":2},3],"amount":"10","note":null}`,
		`{"to":{"iban":"DE89","name":"Bob"},"lines":[{"a":1,"b":2},3],"amount":10,"note":null}`,
	} {
		in.Args = json.RawMessage(other)
		_, err := e.open(t, e.store).Claim(t.Context(), in)
		require.ErrorIs(t, err, idempotency.ErrConflict, other)
	}
}

func largeIntegers(t *testing.T, e *env) {
	in := payment("4711")
	in.Args = json.RawMessage(`{"account":9007199254740993,"ref":18446744073709551615}`)
	c := e.execute(t, in)
	require.Equal(t, string(in.Args), string(c.Args))
	result := json.RawMessage(`{"transfer":9007199254740993}`)
	require.NoError(t, c.Succeed(t.Context(), result, 0))

	restarted := e.open(t, e.store)
	again, err := restarted.Claim(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, idempotency.Replay, again.Answer)
	require.Equal(t, string(in.Args), string(again.Row.Args))
	require.Equal(t, string(result), string(again.Result))
	in.Args = json.RawMessage(`{"account":9007199254740992,"ref":18446744073709551615}`)
	_, err = restarted.Claim(t.Context(), in)
	require.ErrorIs(t, err, idempotency.ErrConflict)
}

func largeResults(t *testing.T, e *env) {
	limit := 64 << 10
	if k, ok := e.store.(idempotency.Keeper); ok {
		limit = k.MaxResult()
	}
	for name, size := range map[string]int{"small": 1 << 10, "largest": limit, "beyond": limit + 1} {
		result := json.RawMessage(`"` + string(bytes.Repeat([]byte("x"), size-2)) + `"`)
		c := e.execute(t, payment(name))
		require.NoError(t, c.Succeed(t.Context(), result, 0), "%s: it has happened", name)
		again, err := e.open(t, e.store).Claim(t.Context(), payment(name))
		require.NoError(t, err)
		require.Equal(t, idempotency.Replay, again.Answer, name)
		require.Equal(t, size, again.Row.ResultSize, name)
		if size > limit {
			require.Nil(t, again.Result, name)
			require.True(t, again.Row.ResultOmitted, name)
			continue
		}
		require.True(t, bytes.Equal(result, again.Result), "%s came back otherwise", name)
	}
}
