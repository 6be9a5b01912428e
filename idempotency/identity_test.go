package idempotency_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

func TestWhatMakesTheSameIdentity(t *testing.T) {
	t.Parallel()
	of := func(tool, args string, fields ...string) string {
		id, err := idempotency.Identify(tool, []byte(args), fields...)
		require.NoError(t, err)
		return id
	}
	id := of("pay", `{"to":"DE89","amount":10,"memo":"thanks"}`, "to", "amount")
	require.Len(t, id, 32)
	require.Equal(t, id, of("pay", `{"memo":"thank you","amount":10.0,"to":"DE\u00389"}`, "amount", "to"))
	for name, other := range map[string]string{
		"another value":         of("pay", `{"to":"DE88","amount":10}`, "to", "amount"),
		"another tool":          of("refund", `{"to":"DE89","amount":10}`, "to", "amount"),
		"other fields":          of("pay", `{"to":"DE89","amount":10}`, "to"),
		"the value elsewhere":   of("pay", `{"cc":"DE89","amount":10}`, "cc", "amount"),
		"a value in its place":  of("pay", `{"to":10,"amount":"DE89"}`, "to", "amount"),
		"one more of the tools": of("pay", `{"to":"DE89","amount":10,"amount2":1}`, "to", "amount2"),
	} {
		require.NotEqual(t, id, other, name)
	}
	require.Equal(t, of("pay", `{}`, "to"), of("pay", `{"to":null}`, "to"), "nothing was said")
	require.Empty(t, of("pay", `{"to":1}`))
	_, err := idempotency.Identify("pay", []byte(`[1]`), "to")
	require.ErrorIs(t, err, idempotency.ErrKey)
}

// FuzzIdentify: no panic, and nothing but the named fields counts.
func FuzzIdentify(f *testing.F) {
	for _, seed := range []string{`{"to":"DE89","amount":10}`, `{"to":{"a":[1,9007199254740993]}}`, `{"to":1e400}`, `{"to":"\ud800"}`, `{"to":1,"to":2}`, `[]`, `{`} {
		f.Add([]byte(seed), "memo", "x")
	}
	f.Fuzz(func(t *testing.T, args []byte, name, value string) {
		id, err := idempotency.Identify("pay", args, "to")
		if err != nil {
			return
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(args, &members) != nil {
			t.Fatalf("%q has an identity and is no object", args)
		}
		if name == "to" {
			return
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return
		}
		if members == nil {
			members = map[string]json.RawMessage{}
		}
		members[name] = raw
		more, err := json.Marshal(members)
		if err != nil {
			return
		}
		again, err := idempotency.Identify("pay", more, "to")
		if err != nil || again != id {
			t.Fatalf("%q: %s; with more: %s (%v)", args, id, again, err)
		}
	})
}
