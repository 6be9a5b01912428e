package idempotency_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/internal/canonjson"
)

func derive(t *testing.T, p idempotency.Piece) idempotency.Key {
	t.Helper()
	k, err := idempotency.Derive(t.Context(), p)
	require.NoError(t, err)
	return k
}

func TestWhatMakesTheSameKey(t *testing.T) {
	byTask := func(args string) idempotency.Piece {
		return idempotency.Piece{Tenant: "acme", Tool: "pay", TaskKey: "ticket-1", Args: []byte(args), Volatile: []string{"memo"}}
	}
	byName := func(business, args string) idempotency.Piece {
		return idempotency.Piece{Tool: "pay", Keyed: true, Business: business, TaskKey: "ticket-1", Args: []byte(args)}
	}
	otherTask := byTask(`{"a":1}`)
	otherTask.TaskKey = "ticket-2"
	otherTenant := byTask(`{"a":1}`)
	otherTenant.Tenant = "globex"
	otherTool := byTask(`{"a":1}`)
	otherTool.Tool = "refund"
	elsewhere := byName("4711", `{"a":1}`)
	elsewhere.TaskKey = "ticket-2"
	for name, tc := range map[string]struct {
		a, b idempotency.Piece
		same bool
	}{
		"another spelling":                      {byTask(`{"a":1,"b":2.0}`), byTask(`{ "b":2, "a":1e0 }`), true},
		"free text worded anew":                 {byTask(`{"a":1,"memo":"thanks"}`), byTask(`{"a":1,"memo":"many thanks"}`), true},
		"other arguments":                       {byTask(`{"a":1}`), byTask(`{"a":2}`), false},
		"ids that a double cannot tell apart":   {byTask(`{"a":9007199254740992}`), byTask(`{"a":9007199254740993}`), false},
		"null is not missing":                   {byTask(`{"a":null}`), byTask(`{}`), false},
		"another task":                          {byTask(`{"a":1}`), otherTask, false},
		"another tenant":                        {byTask(`{"a":1}`), otherTenant, false},
		"another tool":                          {byTask(`{"a":1}`), otherTool, false},
		"a business key rules over the task":    {byName("4711", `{"a":1}`), elsewhere, true},
		"and over the arguments":                {byName("4711", `{"a":1}`), byName("4711", `{"a":2}`), true},
		"another business key":                  {byName("4711", `{"a":1}`), byName("4712", `{"a":1}`), false},
		"a business key that looks like a task": {byName("task:ticket-1#", `{"a":1}`), byTask(`{"a":1}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := derive(t, tc.a), derive(t, tc.b)
			require.Equal(t, tc.same, a == b)
			require.Equal(t, tc.same, a.ID() == b.ID())
			require.Equal(t, tc.same, a.RemoteKey(0) == b.RemoteKey(0))
		})
	}
}

func TestKeysAreStable(t *testing.T) { // they are in ledgers
	k := derive(t, idempotency.Piece{Tenant: "acme", Tool: "pay", TaskKey: "ticket-1", Args: []byte(`{"a":1}`)})
	require.Equal(t, "25dcc6e9469b7c2eb96cea12f9e6a513", k.ID())
	require.Equal(t, "096265bb-db26-8e2d-b255-1f976c5b08c7", k.RemoteKey(0))
	require.Equal(t, "82434268-7228-894d-96a0-56913cff7a20", k.RemoteKey(1))
	id, err := uuid.Parse(k.RemoteKey(0))
	require.NoError(t, err, "services expect a UUID")
	require.EqualValues(t, 8, id.Version())
}

func TestWithoutAKey(t *testing.T) {
	for name, p := range map[string]idempotency.Piece{
		"neither business key nor task": {Tool: "pay", Args: []byte(`{}`)},
		"the business key is empty":     {Tool: "pay", Keyed: true, TaskKey: "ticket-1", Args: []byte(`{}`)},
	} {
		_, err := idempotency.Derive(t.Context(), p)
		require.ErrorIs(t, err, idempotency.ErrNoKey, name)
		require.ErrorContains(t, err, "pay")
	}
	for _, p := range []idempotency.Piece{
		{Tool: "pay", Business: strings.Repeat("x", 513)},
		{Tool: "pay", Business: "\xff"},
		{Tool: "pay", TaskKey: "\xff", Args: []byte(`{}`)},
	} {
		_, err := idempotency.Derive(t.Context(), p)
		require.ErrorIs(t, err, idempotency.ErrKey)
	}
	_, err := idempotency.Derive(t.Context(), idempotency.Piece{Tool: "pay", TaskKey: "t", Args: []byte(`{"a":1,"a":2}`)})
	require.ErrorIs(t, err, canonjson.ErrRefused, "which of the two would the service take?")
	_, err = idempotency.Derive(t.Context(), idempotency.Piece{Tool: "pay", TaskKey: "t", Args: []byte(`{}`), Volatile: []string{""}})
	require.ErrorIs(t, err, canonjson.ErrPointer)
}

func TestAgainIsAnotherOccurrence(t *testing.T) {
	p := idempotency.Piece{Tool: "pay", Business: "4711"}
	first := derive(t, p)
	once := idempotency.Again(t.Context(), "second instalment")
	second, err := idempotency.Derive(once, p)
	require.NoError(t, err)
	require.NotEqual(t, first.ID(), second.ID())
	restarted, err := idempotency.Derive(idempotency.Again(t.Context(), "in other words"), p)
	require.NoError(t, err)
	require.Equal(t, second, restarted, "a restart must find it again")
	third, err := idempotency.Derive(idempotency.Again(once, "third"), p)
	require.NoError(t, err)
	require.Equal(t, 2, third.Occurrence)
	require.NotEqual(t, second.ID(), third.ID())
}

func TestPartsOfAKeyDoNotRunTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[ab:#/]{0,3}`)
		draw := func(n string) idempotency.Key {
			return idempotency.Key{
				Tenant: part.Draw(t, "tenant "+n), Tool: part.Draw(t, "tool "+n), Intent: part.Draw(t, "intent "+n),
				Occurrence: rapid.IntRange(0, 2).Draw(t, "occurrence "+n),
			}
		}
		a, b := draw("a"), draw("b")
		require.Equal(t, a == b, a.ID() == b.ID())
	})
}
