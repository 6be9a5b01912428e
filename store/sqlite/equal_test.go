package sqlite_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// One and the same sequence of commands must leave the same rows, events and lists
// in memory and in the database. The commands go to one of two handles on the same
// file, as they come from two processes, so that each remembers rows that the other
// has changed. The clock is that of a bubble, so that times are equal too.
func TestItDecidesAsMemoryDoes(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	open(t, path) // outside the bubble, so that it alone decides what the file looks like
	synctest.Test(t, func(t *testing.T) {
		one, two := open(t, path), open(t, path)
		memory := idempotency.NewMemory()
		n := 0
		rapid.Check(struct{ testing.TB }{t}, func(rt *rapid.T) { // without its deadline, which a bubble does not know
			n++
			rows := map[string]idempotency.Row{}
			tenant := fmt.Sprint("tenant-", n)
			// Little time passes in all: the generator gives up after a day.
			for range rapid.IntRange(1, 30).Draw(rt, "length") {
				time.Sleep(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 0, 1, 1, 1, 1000, 90_000}).Draw(rt, "pass")) * time.Millisecond)
				key := idempotency.Key{Tenant: tenant, Tool: "pay", Intent: "key:" + rapid.SampledFrom([]string{"1", "2", "3"}).Draw(rt, "key")}
				cmd := draw(rt, key, rows[key.ID()])
				db := rapid.SampledFrom([]idempotency.Store{one, two}).Draw(rt, "handle")
				want, wantErr := memory.Apply(t.Context(), key.ID(), cmd)
				got, gotErr := db.Apply(t.Context(), key.ID(), cmd)
				require.Equal(rt, wantErr, gotErr, "%s", cmd.Name())
				require.Equal(rt, want, got, "%s", cmd.Name())
				rows[key.ID()] = want

				q := query(rt, tenant)
				list, err := memory.List(t.Context(), q)
				require.NoError(rt, err)
				same, err := one.List(t.Context(), q)
				require.NoError(rt, err)
				require.Equal(rt, ids(list), ids(same), "%+v", q)
				if hold := rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Minute}).Draw(rt, "hold"); hold > 0 {
					list, err = memory.Take(t.Context(), q, hold)
					require.NoError(rt, err)
					same, err = one.Take(t.Context(), q, hold)
					require.NoError(rt, err)
					require.Equal(rt, ids(list), ids(same), "taking %+v", q)
				}
			}
			for id := range rows {
				want, wantErr := memory.Load(t.Context(), id)
				got, gotErr := two.Load(t.Context(), id)
				require.Equal(rt, wantErr, gotErr)
				require.Equal(rt, want, got)
				wantEvents, wantErr := memory.Events(t.Context(), id)
				gotEvents, gotErr := two.Events(t.Context(), id)
				require.Equal(rt, wantErr == nil, gotErr == nil)
				require.Equal(rt, wantEvents, gotEvents)
			}
		})
	})
}

func ids(rows []idempotency.Row) []string {
	all := []string{}
	for _, r := range rows {
		all = append(all, fmt.Sprintf("%s %s v%d", r.ID, r.State, r.Version))
	}
	return all
}

// draw is a command that often fits the row.
func draw(t *rapid.T, key idempotency.Key, row idempotency.Row) idempotency.Command {
	epoch := max(row.Epoch-int64(rapid.SampledFrom([]int{0, 0, 0, 0, 1}).Draw(t, "epochs ago")), 0)
	req := idempotency.Request{
		Key: key, Args: []byte(`{"a":1}`), Fingerprint: "f", RunID: rapid.SampledFrom([]string{"", "run-1"}).Draw(t, "run"),
		TaskKey:  rapid.SampledFrom([]string{"", "ticket-1"}).Draw(t, "task"),
		Identity: rapid.SampledFrom([]string{"", "0123"}).Draw(t, "identity"),
		Effect:   rapid.SampledFrom([]fault.Effect{fault.Write, fault.Idempotent}).Draw(t, "effect"),
		KeyTTL:   rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(t, "key ttl"),
	}
	if rapid.IntRange(0, 9).Draw(t, "other arguments") == 0 {
		req.Args, req.Fingerprint = []byte(`{"a":2}`), "g"
	}
	lease := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Minute}).Draw(t, "lease")
	token := rapid.SampledFrom([]string{"t", "u"}).Draw(t, "token")
	choices := append(idempotency.Choices(row.State), idempotency.Approve)
	return rapid.SampledFrom([]idempotency.Command{
		idempotency.Acquire{Request: req, Attempt: token, Lease: lease, Dispatch: rapid.Bool().Draw(t, "dispatch")},
		idempotency.Acquire{Request: req, Attempt: "x", Lease: lease},
		idempotency.Hold{Request: req, Reason: "over the limit", Token: token, Within: lease},
		idempotency.Dispatch{Epoch: epoch},
		idempotency.Extend{Epoch: epoch, Lease: lease},
		idempotency.Release{Epoch: epoch, Trouble: idempotency.Trouble{Reason: fault.ReasonAuth, Text: "401"}},
		idempotency.Postpone{Epoch: epoch, Gate: rapid.SampledFrom([]string{"bank", "mail"}).Draw(t, "gate")},
		idempotency.Refuse{Epoch: epoch, Denied: rapid.Bool().Draw(t, "denied")},
		idempotency.Doubt{Epoch: epoch},
		idempotency.Complete{Epoch: epoch, Result: []byte(`{"receipt":"R-1"}`), Size: 17},
		idempotency.Verdict{Epoch: epoch, Finding: idempotency.Finding(rapid.IntRange(0, 2).Draw(t, "finding"))},
		idempotency.Escalate{Epoch: epoch, Token: token},
		idempotency.Announce{Epoch: epoch, Token: token, For: lease},
		idempotency.Told{Epoch: epoch, Token: token},
		idempotency.Expire{},
		idempotency.Erase{},
		idempotency.Repeat{Epoch: epoch},
		idempotency.Abandon{Attempt: token},
		idempotency.Decide{Decision: idempotency.Decision{
			ID: token, Actor: "ops", Epoch: epoch, Fingerprint: row.Fingerprint,
			Choice: rapid.SampledFrom(choices).Draw(t, "choice"),
			Args:   []byte(`{"a":3}`), Edited: "h", Result: []byte(`{"receipt":"R-2"}`),
		}},
	}).Draw(t, "command")
}

// query asks for one or two things at a time, so that it often finds something.
func query(t *rapid.T, tenant string) idempotency.Query {
	q := idempotency.Query{Tenant: tenant, Limit: rapid.IntRange(0, 3).Draw(t, "limit")}
	for range rapid.IntRange(0, 2).Draw(t, "filters") {
		rapid.SampledFrom([]func(){
			func() { q.Tool = rapid.SampledFrom([]string{"pay", "other"}).Draw(t, "tool") },
			func() { q.RunID, q.TaskKey = "run-1", "ticket-1" },
			func() { q.Identity = "0123" },
			func() { q.Gate = rapid.SampledFrom([]string{"bank", "mail"}).Draw(t, "gate") },
			func() { q.After = rapid.SampledFrom([]string{"0", "8", "f"}).Draw(t, "after") },
			func() { q.Due = true },
			func() { q.ToRun = true },
			func() { q.Unannounced = true },
			func() {
				q.States = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) idempotency.State {
					return idempotency.State(rapid.IntRange(1, 9).Draw(t, "state"))
				}), 1, 2).Draw(t, "states")
			},
		}).Draw(t, "filter")()
	}
	return q
}
