package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/runs"
	"github.com/failloud/failloud/store/sqlite"
)

// openStore makes a database and says how the command is to find it.
func openStore(t *testing.T) (*sqlite.DB, []string) {
	path := filepath.Join(t.TempDir(), "failloud.db")
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db, []string{"FAILLOUD_STORE=" + path}
}

// hold asks for approval of a payment, and returns the case.
func hold(t *testing.T, db *sqlite.DB, invoice, args string, within time.Duration) string {
	ledger, err := idempotency.New(idempotency.Config{Store: db})
	require.NoError(t, err)
	defer func() { require.NoError(t, ledger.Close(context.Background())) }()
	key, err := idempotency.Derive(t.Context(), idempotency.Piece{Tool: "pay_invoice", Keyed: true, Business: invoice})
	require.NoError(t, err)
	in := idempotency.Intent{Key: key, Effect: fault.Write, Args: json.RawMessage(args), TaskName: "invoices"}
	c, _, err := ledger.Hold(t.Context(), in, "over 100.00", within)
	require.NoError(t, err)
	return c.CaseID
}

func show(t *testing.T, env []string, id string) (c escalation.Case) {
	shown := failloudIn(t, env, "cases", "show", id, "--format", "json")
	require.Zero(t, shown.code, shown.stderr)
	require.NoError(t, json.Unmarshal([]byte(shown.stdout), &c))
	return c
}

func TestADecisionIsAboutWhatWasShown(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	id := hold(t, db, "4711", `{"cents":20000}`, 0)
	shown := show(t, env, id)
	require.Equal(t, id, hold(t, db, "4711", `{"cents":90000}`, 0), "the agent asks for another amount meanwhile")
	stale := failloudIn(t, env, "cases", "resolve", id, "--choose", "approve", "--by", "maria", "--fingerprint", shown.Fingerprint)
	require.Equal(t, 1, stale.code)
	require.Contains(t, stale.stderr, "failloud cases show "+id)
	now := show(t, env, id)
	require.Equal(t, escalation.Open, now.Status)
	require.JSONEq(t, `{"cents":90000}`, now.Args)
	done := failloudIn(t, env, "cases", "resolve", id, "--choose", "approve", "--by", "maria", "--note", "called them", "--fingerprint", now.Fingerprint)
	require.Zero(t, done.code, done.stderr)
	decided := show(t, env, id)
	require.Equal(t, escalation.Decided, decided.Status)
	require.Equal(t, "maria", decided.Decision.Actor)
	require.Equal(t, "called them", decided.Decision.Note)
}

func TestOfManyPersonsOneDecides(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	id := hold(t, db, "4711", `{"cents":20000}`, 0)
	const persons = 6
	ended := make([]result, persons)
	var wg sync.WaitGroup
	for i := range persons {
		wg.Go(func() {
			ended[i] = failloudIn(t, env, "cases", "resolve", id, "--choose", "approve", "--by", fmt.Sprintf("person-%d", i), "--yes")
		})
	}
	wg.Wait()
	who := show(t, env, id).Decision.Actor
	for i, r := range ended {
		if who == fmt.Sprintf("person-%d", i) {
			require.Zero(t, r.code, r.stderr)
			continue
		}
		require.Equal(t, 1, r.code)
		require.Contains(t, r.stderr, "approve by "+who, "who was slower learns who was faster")
	}
}

func TestAnEditedApprovalTakesTheNewArguments(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	id := hold(t, db, "4711", `{"cents":20000}`, 0)
	resolve := func(stdin string, more ...string) result {
		args := append([]string{"cases", "resolve", id, "--by", "maria", "--yes", "--store", strings.TrimPrefix(env[0], "FAILLOUD_STORE=")}, more...)
		return failloud(t, strings.NewReader(stdin), args...)
	}
	require.Contains(t, resolve("", "--choose", "approve_edited").stderr, "--args")
	require.Contains(t, resolve("{", "--choose", "approve_edited", "--args", "-").stderr, "not JSON")
	require.Contains(t, resolve("{}", "--choose", "approve", "--result", "-").stderr, "--result")
	unknown := resolve("", "--choose", "perhaps")
	require.Equal(t, 1, unknown.code)
	require.Contains(t, unknown.stderr, "run_again", "it says what there is to choose")
	require.Equal(t, escalation.Open, show(t, env, id).Status)
	done := resolve(`{"cents": 150}`, "--choose", "approve_edited", "--args", "-")
	require.Zero(t, done.code, done.stderr)
	require.JSONEq(t, `{"cents":150}`, show(t, env, id).Args)
}

func TestAnExpiredCaseIsNeitherAYesNorANo(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	id := hold(t, db, "4711", `{"cents":20000}`, time.Nanosecond)
	require.Regexp(t, `(?m) over$`, failloudIn(t, env, "cases", "list").stdout)
	for range 2 { // also once it is known to be
		late := failloudIn(t, env, "cases", "resolve", id, "--choose", "approve", "--by", "maria", "--yes")
		require.Equal(t, 1, late.code)
		require.Contains(t, late.stderr, "expired: nobody had decided by")
	}
	require.Equal(t, escalation.Expired, show(t, env, id).Status)
}

func TestACaseWhoseWorkWasStartedAgain(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	b := newBank(t, db, db.Runs())
	b.lost = true
	b.run(t, payment{"4711", 900})
	id := caseID(t, env)
	b.lost = false
	done := failloudIn(t, env, "cases", "resolve", id, "--choose", "run_again", "--by", "maria", "--yes")
	require.Zero(t, done.code, done.stderr)
	require.Equal(t, 1, b.paid["4711"])
	_, err := b.kit.Recover(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, b.paid["4711"], "the agent's own loop makes the call")
	again := failloudIn(t, env, "cases", "resolve", id, "--choose", "give_up", "--by", "pedro", "--yes")
	require.Equal(t, 1, again.code)
	require.Contains(t, again.stderr, "run_again by maria")
	require.Contains(t, again.stderr, "succeeded")
}

// More cases than a page of the store holds.
func TestEveryOpenCaseIsListed(t *testing.T) {
	t.Parallel()
	db, env := openStore(t)
	const many = 2*idempotency.DefaultLimit + 17
	for i := range many {
		hold(t, db, fmt.Sprint(i), `{"cents":20000}`, 48*time.Hour)
	}
	seen := map[string]bool{}
	var before time.Time
	for line := range strings.Lines(failloudIn(t, env, "cases", "list", "--format", "json").stdout) {
		var c escalation.Case
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		require.False(t, c.Opened.Before(before), "the oldest come first")
		before, seen[c.ID] = c.Opened, true
	}
	require.Len(t, seen, many)
	require.Contains(t, failloudIn(t, env, "cases", "list", "--tool", "other").stdout, "no open cases")
	ambiguous := failloudIn(t, env, "cases", "show", "a")
	require.Equal(t, 1, ambiguous.code)
	require.Regexp(t, `and \d+ more begin so`, ambiguous.stderr)
}

func TestHostileContentsDoNotReachTheTerminal(t *testing.T) {
	t.Parallel()
	const evil = "4711\x1b]0;owned\a\u009b2J\u202e\r\nfake line\u2028"
	db, env := openStore(t)
	b := newBank(t, db, db.Runs())
	b.lost = true
	b.run(t, payment{evil, 900})
	b.run(t, payment{evil + "2", 20_000})
	require.NoError(t, db.Runs().Flush(t.Context()))
	id := caseID(t, env)
	runID := ""
	for line := range strings.Lines(failloudIn(t, env, "runs", "list", "--format", "json").stdout) {
		var r runs.Summary
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		runID = r.ID
	}
	require.NotEmpty(t, runID)
	require.Equal(t, evil, show(t, env, id).BusinessKey, "a program gets what was written")
	for _, args := range [][]string{
		{"cases", "list"},
		{"cases", "list", "--format", "json"},
		{"cases", "show", id},
		{"cases", "show", id, "--format", "json"},
		{"cases", "show", evil},
		{"cases", "resolve", id, "--choose", "abort", "--by", evil},
		{"cases", "resolve", id, "--choose", "abort", "--by", evil, "--note", evil, "--yes"},
		{"cases", "resolve", id, "--choose", "abort", "--by", evil, "--yes"},
		{"runs", "list"},
		{"runs", "list", "--format", "json"},
		{"runs", "list", "--state", evil},
		{"runs", "stats"},
		{"runs", "show", runID},
		{"runs", "show", evil},
		{"runs", "export"},
		{"runs", "erase", runID, "--yes"},
		{"explain", evil, "--store", strings.TrimPrefix(env[0], "FAILLOUD_STORE=")},
		{"cases", "list", "--store", evil},
	} {
		got := failloudIn(t, env, args...)
		for _, r := range strings.ReplaceAll(got.stdout+got.stderr, "\n", "") {
			require.True(t, unicode.IsPrint(r), "%q holds %q", args, r)
		}
		require.NotContains(t, got.stdout+got.stderr, "\nfake", args)
	}
}
