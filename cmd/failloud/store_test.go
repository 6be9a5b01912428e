package main_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
	"github.com/failloud/failloud/store/runs"
	"github.com/failloud/failloud/store/sqlite"
	"github.com/failloud/failloud/toolkit"
)

type payment struct {
	Invoice string `json:"invoice"`
	Cents   int    `json:"cents"`
}

type receipt struct {
	Number string `json:"number"`
}

// bank is an agent's program on a database: one tool that pays, of whose first
// payment nobody hears, and which asks before it pays much.
type bank struct {
	kit  *toolkit.Kit
	pay  *toolkit.Wrapped[payment, receipt]
	paid map[string]int
	lost bool

	record *runs.Store
}

func newBank(t *testing.T, rows idempotency.Store, record *runs.Store) *bank {
	ledger, err := idempotency.New(idempotency.Config{Store: rows, Settle: -1})
	require.NoError(t, err)
	t.Cleanup(func() { _ = ledger.Close(context.Background()) })
	b := &bank{paid: map[string]int{}, record: record, kit: toolkit.New(toolkit.Config{
		Ledger: ledger, Sinks: []runrecord.Sink{record}, Capture: runrecord.CaptureRedacted, MaxAttempts: 1,
	})}
	b.pay = toolkit.Wrap(b.kit, toolkit.Tool[payment, receipt]{
		Name: "pay_invoice", Effect: fault.Write,
		Call: func(_ context.Context, p payment) (receipt, error) {
			b.paid[p.Invoice]++
			if b.lost {
				return receipt{}, context.DeadlineExceeded
			}
			return receipt{"R-" + p.Invoice}, nil
		},
		KeyOf: func(p payment) string { return p.Invoice },
		Approve: func(p payment) string {
			if p.Cents > 10_000 {
				return "over 100.00 \x1b[31m"
			}
			return ""
		},
	})
	return b
}

func (b *bank) run(t *testing.T, p payment) toolkit.Result[receipt] {
	judge := guard.New()
	ctx, run, err := b.kit.Start(t.Context(), runrecord.Task{Name: "invoices", Key: "ticket-" + p.Invoice, Judge: judge})
	require.NoError(t, err)
	defer run.End()
	res := b.pay.Invoke(ctx, p)
	judge.Final(ctx, "Invoice "+p.Invoice+" is paid.")
	return res
}

// caseID is the open case that is the oldest.
func caseID(t *testing.T, env []string) string {
	listed := failloudIn(t, env, "cases", "list", "--format", "json")
	require.Zero(t, listed.code, listed.stderr)
	var c struct{ ID string }
	require.NoError(t, json.NewDecoder(strings.NewReader(listed.stdout)).Decode(&c))
	return c.ID
}

func TestAPersonDecidesInAnotherProcess(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var b *bank
			dsn := filepath.Join(t.TempDir(), "failloud.db")
			if kind == "sqlite" {
				db, err := sqlite.Open(t.Context(), sqlite.Config{Path: dsn})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, db.Close()) })
				b = newBank(t, db, db.Runs())
			} else {
				dsn = pgtest.URL(t)
				db, err := postgres.Open(t.Context(), postgres.Config{URL: dsn})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, db.Close()) })
				b = newBank(t, db, db.Runs())
			}
			env := []string{"FAILLOUD_STORE=" + dsn}
			require.Contains(t, failloudIn(t, env, "cases", "list").stdout, "no open cases")
			require.Contains(t, failloudIn(t, env, "cases", "list", "--schema", "other").stderr, "other")

			// It may have been paid, and nobody knows.
			b.lost = true
			require.Equal(t, fault.KindUnknown, b.run(t, payment{"4711", 900}).Outcome.Kind)
			b.lost = false
			table := failloudIn(t, env, "cases", "list").stdout
			require.Contains(t, table, "it may have happened")
			id := caseID(t, env)
			shown := failloudIn(t, env, "cases", "show", id[:12])
			require.Zero(t, shown.code, shown.stderr)
			for _, part := range []string{"pay_invoice (write)", "4711", "remote key", "attempt 1", "went_through", "run_again", "give_up", "abort"} {
				require.Contains(t, shown.stdout, part)
			}
			wrong := failloudIn(t, env, "cases", "resolve", id, "--choose", "approve", "--by", "maria", "--yes")
			require.Equal(t, 1, wrong.code)
			require.Contains(t, wrong.stderr, "went_through, run_again, give_up, abort")
			require.Equal(t, 1, failloudIn(t, env, "cases", "resolve", id, "--choose", "give_up", "--by", "maria").code, "nobody can be asked here")
			require.Contains(t, failloudIn(t, env, "cases", "show", id+"7").stderr, id, "it names the nearest")

			file := filepath.Join(t.TempDir(), "receipt.json")
			require.NoError(t, os.WriteFile(file, []byte(`{"number":"R-77"}`), 0o600))
			done := failloudIn(t, env, "cases", "resolve", id, "--choose", "went_through", "--by", "maria", "--result", file, "--yes")
			require.Zero(t, done.code, done.stderr)
			again := failloudIn(t, env, "cases", "resolve", id, "--choose", "give_up", "--by", "pedro", "--yes")
			require.Equal(t, 1, again.code)
			require.Contains(t, again.stderr, "went_through by maria")
			res := b.run(t, payment{"4711", 900})
			require.True(t, res.Outcome.OK())
			require.Equal(t, "R-77", res.Value.Number, "the agent has what the person said")
			require.Equal(t, 1, b.paid["4711"])

			// It must not be paid before somebody says so.
			require.Equal(t, fault.KindPending, b.run(t, payment{"4712", 20_000}).Outcome.Kind)
			require.Zero(t, b.paid["4712"])
			id = caseID(t, env)
			shown = failloudIn(t, env, "cases", "show", id)
			require.Contains(t, shown.stdout, "over 100.00")
			require.NotContains(t, shown.stdout, "\x1b[31m", "it does not reach the terminal")
			done = failloudIn(t, env, "cases", "resolve", id, "--choose", "approve", "--by", "maria", "--yes")
			require.Zero(t, done.code, done.stderr)
			require.Contains(t, done.stdout, "nothing was executed")
			require.Zero(t, b.paid["4712"], "the command executes nothing")
			require.True(t, b.run(t, payment{"4712", 20_000}).Outcome.OK())
			require.Equal(t, 1, b.paid["4712"])

			require.NoError(t, b.record.Flush(t.Context()))
			require.Equal(t, "ticket-4712 ticket-4712 ticket-4711 ticket-4711", listedKeys(t, env, "--task", "invoices"))
			require.Regexp(t, `pay_invoice +- +timeout +1 `, failloudIn(t, env, "runs", "stats").stdout)
			require.Contains(t, failloudIn(t, env, "runs", "export", "--key", "ticket-4711").stdout, "R-77")
			require.Zero(t, failloudIn(t, env, "runs", "prune", "--older-than", "1w", "--yes").code)
		})
	}
}

func TestTheRecordOfRunsInADatabase(t *testing.T) {
	t.Parallel()
	dsn := filepath.Join(t.TempDir(), "failloud.db")
	key := make([]byte, 32)
	key[5] = 9
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: dsn, Keys: [][]byte{key}})
	require.NoError(t, err)
	b := newBank(t, db, db.Runs())
	b.run(t, payment{"4711", 900})
	b.lost = true
	b.run(t, payment{"4712", 900})
	require.NoError(t, db.Close())
	env := []string{"FAILLOUD_STORE=sqlite:" + dsn, "FAILLOUD_KEYS=" + base64.StdEncoding.EncodeToString(key)}

	policy := filepath.Join(t.TempDir(), "failloud.yaml")
	require.NoError(t, os.WriteFile(policy, []byte("store: sqlite:"+dsn), 0o600))
	listed := failloudIn(t, env[1:], "runs", "list", "--policy", policy)
	require.Zero(t, listed.code, listed.stderr)
	require.Contains(t, listed.stdout, "ticket-4711")
	one := failloudIn(t, env, "runs", "list", "--key", "ticket-4712", "--format", "json", "--since", "1h")
	var r runs.Summary
	require.NoError(t, json.Unmarshal([]byte(one.stdout), &r), one.stdout+one.stderr)
	require.Equal(t, "ticket-4712", r.Key)
	shown := failloudIn(t, env, "runs", "show", r.ID)
	require.Zero(t, shown.code, shown.stderr)
	require.Contains(t, shown.stdout, "pay_invoice")
	require.Contains(t, shown.stdout, "is paid.")
	explained := failloudIn(t, env, "explain", r.ID[:len(r.ID)-2], "--store", dsn)
	require.Zero(t, explained.code, explained.stderr)
	require.Equal(t, shown.stdout, explained.stdout)
	require.Equal(t, 1, failloudIn(t, env, "explain", r.ID, "runs.jsonl", "--store", dsn).code, "either files or a database")
	require.Contains(t, failloudIn(t, env, "runs", "stats", "--task", "invoices").stdout, "without")
	require.Equal(t, 1, failloudIn(t, env, "runs", "show", "zzzz").code)
	require.Contains(t, failloudIn(t, env, "runs", "list", "--state", "happy").stderr, `no state "happy"`)
	require.Contains(t, failloudIn(t, env, "runs", "list", "--since", "soon").stderr, `--since: "soon"`)

	exported := failloudIn(t, env, "runs", "export")
	judged := failloud(t, strings.NewReader(exported.stdout), "audit", "--format", "json", "-")
	require.Zero(t, judged.code, judged.stderr)
	require.Contains(t, judged.stdout, r.ID)

	require.Equal(t, 1, failloudIn(t, env, "runs", "erase", r.ID).code, "not without being asked")
	erased := failloudIn(t, env, "runs", "erase", r.ID, "--yes")
	require.Zero(t, erased.code, erased.stderr)
	shown = failloudIn(t, env, "runs", "show", r.ID)
	require.Zero(t, shown.code, shown.stderr)
	require.NotContains(t, shown.stdout, "is paid.")
	require.Equal(t, 1, failloudIn(t, env, "runs", "prune", "--older-than", "1d").code, "not without being asked")
	require.Contains(t, failloudIn(t, env, "runs", "prune", "--older-than", "soon", "--yes").stderr, `--older-than: "soon"`)
	require.Contains(t, failloudIn(t, env, "runs", "prune", "--older-than", "1d", "--yes").stdout, "removed 0 runs")
	require.Contains(t, failloudIn(t, env, "runs", "prune", "--older-than", "1ns", "--yes").stdout, "removed 2 runs")
}
