package idempotencytest

import (
	"cmp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// Work that waits, and finding it.
var queries = []scenario{
	{"pages and due rows", pagesAndDueRows},
	{"deferred work comes oldest first", oldestFirst},
	{"work is found by task and by what it is about", foundByIdentity},
	{"a row is handed to one worker at a time", oneWorkerAtATime},
}

// deferred leaves a payment to wait for the gate.
func (e *env) deferred(t *testing.T, name, gate string) idempotency.Row {
	t.Helper()
	in := payment(name)
	in.Dispatch = false
	c := e.execute(t, in)
	require.NoError(t, c.Postpone(t.Context(), refused, gate, time.Time{}))
	return e.state(t, c, idempotency.Deferred)
}

func ids(rows []idempotency.Row) []string {
	out := make([]string, len(rows))
	for i := range rows {
		out[i] = rows[i].ID
	}
	return out
}

func oldestFirst(t *testing.T, e *env) {
	e.lister(t)
	var bank []idempotency.Row
	for i := range 5 {
		bank = append(bank, e.deferred(t, invoice(i), "bank"))
	}
	e.deferred(t, "other gate", "mail")
	q := idempotency.Query{Gate: "bank"}
	slices.SortFunc(bank, func(a, b idempotency.Row) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	list := func(q idempotency.Query) []string {
		t.Helper()
		rows, err := e.ledger.List(t.Context(), q)
		require.NoError(t, err)
		return ids(rows)
	}
	require.Equal(t, ids(bank), list(q))
	q.Limit = 2
	require.Equal(t, ids(bank[:2]), list(q))
	q.After = "ffffffffffffffffffffffffffffffff"
	require.Equal(t, ids(bank[:2]), list(q), "a gate has no pages")
	require.Empty(t, list(idempotency.Query{Gate: "phone"}))

	next := e.execute(t, intentOf(bank[0]))
	require.NoError(t, next.Succeed(t.Context(), receipt, 0))
	require.Equal(t, ids(bank[1:3]), list(q), "what was done waits no longer")
	again := e.execute(t, intentOf(bank[1]))
	require.NoError(t, again.Postpone(t.Context(), refused, "bank", time.Time{}))
	require.Equal(t, ids(bank[1:3]), list(q), "what could not be done keeps its place")
	late := e.execute(t, intentOf(bank[1]))
	require.NoError(t, late.Postpone(t.Context(), refused, "bank", time.Now().Add(-24*time.Hour)))
	row, err := e.store.Apply(t.Context(), late.Row.ID, idempotency.Expire{})
	require.NoError(t, err)
	require.Equal(t, idempotency.Escalated, row.State)
	require.Equal(t, ids(bank[2:4]), list(q), "what has gone stale waits for a person, not for the gate")
}

// intentOf asks for the work of a row again.
func intentOf(row idempotency.Row) idempotency.Intent {
	return idempotency.Intent{Key: row.Key, Effect: row.Effect, Args: row.Args, Dispatch: true}
}

func foundByIdentity(t *testing.T, e *env) {
	e.lister(t)
	about := func(args string) string {
		id, err := idempotency.Identify("pay_invoice", []byte(args), "invoice")
		require.NoError(t, err)
		return id
	}
	put := func(name, tenant, task, identity string) string {
		in := payment(name)
		in.Key.Tenant, in.TaskKey, in.Identity = tenant, task, identity
		return e.execute(t, in).Row.ID
	}
	one := about(`{"invoice":"4711","memo":"thanks"}`)
	require.Equal(t, one, about(`{"memo":"thank you","invoice":"4711"}`))
	a := put("a", "acme", "ticket-1", one)
	b := put("b", "acme", "ticket-1", about(`{"invoice":"4712"}`))
	c := put("c", "acme", "ticket-2", one)
	d := put("d", "globex", "ticket-1", one)
	put("e", "acme", "", "")
	for _, want := range []struct {
		q   idempotency.Query
		ids []string
	}{
		{idempotency.Query{Tenant: "acme", Tool: "pay_invoice", TaskKey: "ticket-1", Identity: one}, []string{a}},
		{idempotency.Query{TaskKey: "ticket-1"}, []string{a, b, d}},
		{idempotency.Query{Identity: one}, []string{a, c, d}},
		{idempotency.Query{Identity: one, States: []idempotency.State{idempotency.Unknown}}, nil},
		{idempotency.Query{Identity: "none"}, nil},
	} {
		rows, err := e.ledger.List(t.Context(), want.q)
		require.NoError(t, err)
		require.ElementsMatch(t, want.ids, ids(rows), "%+v", want.q)
	}
	row, err := e.store.Load(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, "ticket-1", row.TaskKey)
	require.Equal(t, one, row.Identity)
}

func oneWorkerAtATime(t *testing.T, e *env) {
	if _, ok := e.store.(idempotency.Taker); !ok {
		t.Skip("the store is no Taker")
	}
	const n = 12
	var all []string
	for i := range n {
		all = append(all, e.deferred(t, invoice(i), "bank").ID)
	}
	e.deferred(t, "other gate", "mail")
	q := idempotency.Query{Gate: "bank", Limit: 2}
	take := func(hold time.Duration) []idempotency.Row {
		rows, err := e.ledger.Take(t.Context(), q, hold)
		if err != nil {
			t.Errorf("take: %v", err)
		}
		return rows
	}
	var (
		mu    sync.Mutex
		taken []string
	)
	race(func(int) {
		rows := take(time.Hour)
		mu.Lock()
		defer mu.Unlock()
		taken = append(taken, ids(rows)...)
	})
	for len(taken) < n { // one that raced may have been handed nothing
		rows := take(time.Hour)
		require.NotEmpty(t, rows, "a row that nobody holds is not handed out")
		taken = append(taken, ids(rows)...)
	}
	require.ElementsMatch(t, all, taken)
	require.Empty(t, take(time.Hour))

	// Who holds a row has no right to it: only the claim gives that. Once it has
	// changed, it is anybody's.
	row, err := e.ledger.Row(t.Context(), all[0])
	require.NoError(t, err)
	c := e.execute(t, intentOf(row))
	require.NoError(t, c.Postpone(t.Context(), refused, "bank", time.Time{}))
	require.Equal(t, all[:1], ids(take(short)))
	e.eventually(t, func() bool { return len(take(short)) == 1 }) // the holder died
}
