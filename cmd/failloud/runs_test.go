package main_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/runs"
)

// listedKeys are the tasks' keys of the runs that are listed.
func listedKeys(t *testing.T, env []string, flags ...string) string {
	got := failloudIn(t, env, append([]string{"runs", "list", "--format", "json"}, flags...)...)
	require.Zero(t, got.code, got.stderr)
	var keys []string
	for line := range strings.Lines(got.stdout) {
		var r runs.Summary
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		keys = append(keys, r.Key)
	}
	return strings.Join(keys, " ")
}

func TestRunsAreFiltered(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	b := newBank(t, db, db.Runs())
	b.run(t, payment{"1", 900})
	b.run(t, payment{"2", 20_000}) // a person is asked
	judge := guard.New(guard.Require("pay_invoice"))
	ctx, run, err := b.kit.Start(t.Context(), runrecord.Task{Name: "balance", Key: "3", Tenant: "acme", Judge: judge})
	require.NoError(t, err)
	_, child, err := b.kit.Start(ctx, runrecord.Task{Name: "part", Key: "4", Tenant: "acme"})
	require.NoError(t, err)
	child.End()
	judge.Final(ctx, "Your balance is 12.00.")
	run.End()
	require.NoError(t, db.Runs().Flush(t.Context()))

	later := time.Now().Add(time.Hour).Format(time.RFC3339)
	for _, tt := range []struct{ flags, want string }{
		{"", "3 ticket-2 ticket-1"},
		{"--children", "4 3 ticket-2 ticket-1"},
		{"--limit=2", "3 ticket-2"},
		{"--task=invoices", "ticket-2 ticket-1"},
		{"--tenant=acme", "3"},
		{"--key=ticket-1", "ticket-1"},
		{"--text=icket", "ticket-2 ticket-1"},
		{"--state=waiting", "ticket-2"},
		{"--state=waiting --state=refused", "3 ticket-2"},
		{"--decision=refuse", "3"},
		{"--refused", "3"},
		{"--tool=pay_invoice", "ticket-2 ticket-1"},
		{"--since=1h --until=" + later, "3 ticket-2 ticket-1"},
		{"--since=" + later, ""},
		{"--until=1h", ""},
	} {
		require.Equal(t, tt.want, listedKeys(t, env, strings.Fields(tt.flags)...), tt.flags)
	}

	cut := failloudIn(t, env, "runs", "list", "--limit", "2")
	require.Contains(t, cut.stderr, "there are more")
	require.Empty(t, failloudIn(t, env, "runs", "list", "--limit", "3").stderr, "these are all")
	for flags, want := range map[string]string{
		"--limit=0": "--limit", "--decision=perhaps": "--decision", "--state=happy": `no state "happy"`, "--since=soon": `--since: "soon"`,
	} {
		got := failloudIn(t, env, "runs", "list", flags)
		require.Equal(t, 1, got.code, flags)
		require.Contains(t, got.stderr, want)
	}

	stats := failloudIn(t, env, "runs", "stats").stdout
	require.Regexp(t, `refused +1 \(50\.0 %\)`, stats, "one waits, and has not ended")
	require.NotContains(t, stats, "warning", "a sub-agent's answer is not for the guard")
	require.Regexp(t, `(?m)^runs ended +0$`, failloudIn(t, env, "runs", "stats", "--tenant", "nobody").stdout)
	b.run(t, payment{"5", 900})
	_, unjudged, err := b.kit.Start(t.Context(), runrecord.Task{Name: "careless"})
	require.NoError(t, err)
	unjudged.End()
	require.NoError(t, db.Runs().Flush(t.Context()))
	require.Equal(t, 1, strings.Count(failloudIn(t, env, "runs", "stats").stdout, "without asking the guard"))
}

// The events of a run and of those that it has started go together.
func TestTheWholeFamilyOfARunIsExported(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	b := newBank(t, db, db.Runs())
	ctx, run, err := b.kit.Start(t.Context(), runrecord.Task{Name: "balance", Key: "3"})
	require.NoError(t, err)
	_, child, err := b.kit.Start(ctx, runrecord.Task{Name: "part", Key: "4"})
	require.NoError(t, err)
	child.End()
	run.End()
	b.run(t, payment{"1", 900})
	require.NoError(t, db.Runs().Flush(t.Context()))
	got := failloudIn(t, env, "runs", "export", "--task", "balance")
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, run.ID())
	require.Contains(t, got.stdout, child.ID())
	require.NotContains(t, got.stdout, "ticket-1")
	shown := failloudIn(t, env, "runs", "show", child.ID())
	require.Zero(t, shown.code, shown.stderr)
	require.Contains(t, shown.stdout, "Task part")
}
