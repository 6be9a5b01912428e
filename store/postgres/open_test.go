package postgres_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
	"github.com/failloud/failloud/store/runs"
)

// do runs statements as the superuser of the test's database.
func do(t *testing.T, at string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), at)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	for _, s := range statements {
		_, err := conn.Exec(t.Context(), s)
		require.NoError(t, err, s)
	}
}

// as is the same database for another user.
func as(t *testing.T, at, user string) string {
	t.Helper()
	u, err := url.Parse(at)
	require.NoError(t, err)
	u.User = url.User(user)
	return u.String()
}

func TestManyProcessesStartAtOnce(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			db, err := postgres.Open(t.Context(), postgres.Config{URL: at})
			if err != nil {
				t.Errorf("process %d: %v", i, err)
				return
			}
			defer db.Close()
			id, claim := acquire("4711", fmt.Sprint(i), time.Hour)
			if _, err := db.Apply(t.Context(), id, claim); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	all.Wait()
	id, _ := acquire("4711", "", 0)
	row, err := open(t, postgres.Config{URL: at}).Load(t.Context(), id)
	require.NoError(t, err)
	require.EqualValues(t, 1, row.Epoch)
}

func TestWhatDoesNotOpenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	for _, c := range []struct {
		name    string
		prepare []string
		cfg     postgres.Config
		want    error
		says    string
	}{
		{"nothing named", nil, postgres.Config{}, postgres.ErrConfig, "set one of URL and Pool"},
		{"no URL", nil, postgres.Config{URL: "postgres://u:hunter2@:x/"}, postgres.ErrConfig, ""},
		{"a schema that is code", nil, postgres.Config{URL: at, Schema: "a; DROP SCHEMA public"}, postgres.ErrConfig, "lower-case"},
		{"a short key", nil, postgres.Config{URL: at, Keys: [][]byte{{1}}}, postgres.ErrConfig, "number 1"},
		{"nobody listens", nil, postgres.Config{URL: "postgres://u@127.0.0.1:1/x?sslmode=disable"}, postgres.ErrUnreachable, "see that it runs"},
		{"no such database", nil, postgres.Config{URL: at + "&dbname=nothing"}, postgres.ErrLogin, "check the URL"},
		{"no such user", nil, postgres.Config{URL: as(t, at, "nobody_at_all")}, postgres.ErrLogin, "check the URL"},
		{
			"newer", []string{`CREATE SCHEMA newer`, `CREATE TABLE newer.failloud_schema (part text PRIMARY KEY, version integer)`,
				`INSERT INTO newer.failloud_schema VALUES ('calls', 99)`},
			postgres.Config{URL: at, Schema: "newer"}, postgres.ErrNewer, "version 99",
		},
		{
			"half there", []string{`CREATE SCHEMA half`, `CREATE TABLE half.failloud_schema (part text PRIMARY KEY, version integer)`,
				`INSERT INTO half.failloud_schema VALUES ('calls', 1)`, `CREATE TABLE half.failloud_calls (id text)`},
			postgres.Config{URL: at, Schema: "half"}, postgres.ErrIncomplete, "failloud_events",
		},
		{"not flushed", nil, postgres.Config{URL: at + "&synchronous_commit=off"}, postgres.ErrNotDurable, "synchronous_commit=off"},
		{"read only", nil, postgres.Config{URL: at + "&default_transaction_read_only=on"}, postgres.ErrReadOnly, "primary"},
	} {
		t.Run(c.name, func(t *testing.T) {
			do(t, at, c.prepare...)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			db, err := postgres.Open(ctx, c.cfg)
			require.ErrorIs(t, err, c.want)
			require.Nil(t, db)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

// The role of an agent need not be able to create anything, once another has done it.
func TestARoleWithoutRights(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	role := "agent_" + random(6)
	do(t, at, `CREATE ROLE `+role+` LOGIN`)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), at)
		require.NoError(t, err)
		defer conn.Close(context.Background())
		_, err = conn.Exec(context.Background(), `DROP OWNED BY `+role)
		require.NoError(t, err)
		_, err = conn.Exec(context.Background(), `DROP ROLE `+role)
		require.NoError(t, err)
	})
	poor := postgres.Config{URL: as(t, at, role)}
	_, err := postgres.Open(t.Context(), poor)
	require.ErrorIs(t, err, postgres.ErrRights, "it may not create the schema")
	require.ErrorContains(t, err, "GRANT")

	open(t, postgres.Config{URL: at})
	_, err = postgres.Open(t.Context(), poor)
	require.ErrorIs(t, err, postgres.ErrRights, "it may not use the schema")

	do(t, at, `GRANT USAGE ON SCHEMA failloud TO `+role,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA failloud TO `+role,
		`GRANT USAGE ON ALL SEQUENCES IN SCHEMA failloud TO `+role)
	db := open(t, poor)
	id, claim := acquire("4711", "mine", time.Hour)
	_, err = db.Apply(t.Context(), id, claim)
	require.NoError(t, err, "what the error says to grant is enough")
	_, err = db.Apply(t.Context(), id, complete(1))
	require.NoError(t, err)
	require.NoError(t, db.Changed(t.Context(), id, 1))
	_, err = db.Prune(t.Context(), 0)
	require.NoError(t, err)
	record(t, db)

	do(t, at, `REVOKE INSERT ON failloud.failloud_events FROM `+role)
	id, claim = acquire("4712", "mine", time.Hour)
	_, err = db.Apply(t.Context(), id, claim)
	require.ErrorIs(t, err, postgres.ErrRights)
	_, err = db.Load(t.Context(), id)
	require.ErrorIs(t, err, idempotency.ErrNotFound, "a row without its event was written")
}

// record keeps one run, and finds it.
func record(t *testing.T, db *postgres.DB) {
	t.Helper()
	rec, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{db.Runs()}})
	require.NoError(t, err)
	_, run, err := rec.Start(t.Context(), runrecord.Task{Name: "invoices", Key: "ticket-4711"}, nil)
	require.NoError(t, err)
	run.End()
	require.NoError(t, db.Runs().Flush(t.Context()))
	list, err := db.Runs().List(t.Context(), runs.Query{})
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestRunsLieBesideTheLedger(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	record(t, open(t, postgres.Config{URL: at, Schema: "a"}))
	list, err := open(t, postgres.Config{URL: at, Schema: "b"}).Runs().List(t.Context(), runs.Query{})
	require.NoError(t, err)
	require.Empty(t, list)
}

// Two agents with a schema each share a database and nothing else.
func TestSchemasAreApart(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	a, b := open(t, postgres.Config{URL: at, Schema: "a"}), open(t, postgres.Config{URL: at, Schema: "b"})
	id, claim := acquire("4711", "mine", time.Hour)
	_, err := a.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	_, err = b.Load(t.Context(), id)
	require.ErrorIs(t, err, idempotency.ErrNotFound)
	for _, schema := range []string{"a", "b"} {
		engine := map[string]*postgres.DB{"a": a, "b": b}[schema].Engine()
		var current string
		require.NoError(t, engine.Read.QueryRowContext(t.Context(), `SELECT current_schema()`).Scan(&current))
		require.Equal(t, schema, current, "other tables would lie elsewhere")
		require.NoError(t, engine.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), `CREATE TABLE other (n int)`)
			return err
		}))
	}
	failed := fmt.Errorf("stop")
	require.ErrorIs(t, a.Engine().Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO other VALUES (1)`)
		require.NoError(t, err)
		return failed
	}), failed)
	var n int
	require.NoError(t, a.Engine().Read.QueryRowContext(t.Context(), `SELECT count(*) FROM other`).Scan(&n))
	require.Zero(t, n, "a failed transaction leaves nothing")
	now, err := a.Engine().Now(t.Context())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), now, time.Minute)
}

func TestAPoolOfTheCaller(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), pgtest.URL(t))
	require.NoError(t, err)
	defer pool.Close()
	db, err := postgres.Open(t.Context(), postgres.Config{Pool: pool})
	require.NoError(t, err)
	id, claim := acquire("4711", "mine", time.Hour)
	_, err = db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, pool.Ping(t.Context()), "it is the caller's to close")
}

// Poolers in front of a server often allow no prepared statements.
func TestAPoolWithoutPreparedStatements(t *testing.T) {
	t.Parallel()
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeDescribeExec} {
		conf, err := pgxpool.ParseConfig(pgtest.URL(t))
		require.NoError(t, err)
		conf.ConnConfig.DefaultQueryExecMode = mode
		pool, err := pgxpool.NewWithConfig(t.Context(), conf)
		require.NoError(t, err)
		db, err := postgres.Open(t.Context(), postgres.Config{Pool: pool})
		require.NoError(t, err, mode)
		id, claim := acquire("4711", "mine", time.Hour)
		_, err = db.Apply(t.Context(), id, claim)
		require.NoError(t, err, mode)
		_, err = db.Apply(t.Context(), id, complete(1))
		require.NoError(t, err, mode)
		rows, err := db.Take(t.Context(), idempotency.Query{States: []idempotency.State{idempotency.Succeeded}}, time.Hour)
		require.NoError(t, err, mode)
		require.Len(t, rows, 1)
		require.JSONEq(t, string(receipt), string(rows[0].Result))
		_, err = db.Prune(t.Context(), 0)
		require.NoError(t, err, mode)
		require.NoError(t, db.Close())
		pool.Close()
	}
}

// A payload is readable with the key only, whoever reads the server's files.
func TestPayloadsAreSealed(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	key := bytes.Repeat([]byte{7}, 32)
	db := open(t, postgres.Config{URL: at, Keys: [][]byte{key}})
	id, claim := acquire("4711", "mine", time.Hour)
	claim.Request.Args = json.RawMessage(`{"iban":"DE02"}`)
	_, err := db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	_, err = db.Apply(t.Context(), id, complete(1))
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), at)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var dump []byte
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT body || args || result FROM failloud.failloud_calls`).Scan(&dump))
	require.NotContains(t, string(dump), "DE02")
	require.NotContains(t, string(dump), "R-1")

	plain := open(t, postgres.Config{URL: at})
	_, err = plain.Load(t.Context(), id)
	require.ErrorIs(t, err, postgres.ErrCorrupt)
	row, err := open(t, postgres.Config{URL: at, Keys: [][]byte{bytes.Repeat([]byte{8}, 32), key}}).Load(t.Context(), id)
	require.NoError(t, err)
	require.JSONEq(t, `{"iban":"DE02"}`, string(row.Args))
}

// A damaged row is told as such, and claims nothing.
func TestADamagedRow(t *testing.T) {
	t.Parallel()
	at := pgtest.URL(t)
	db := open(t, postgres.Config{URL: at})
	id, claim := acquire("4711", "mine", time.Hour)
	_, err := db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	do(t, at, `UPDATE failloud.failloud_calls SET body = substr(body, 1, 40)`)
	_, err = open(t, postgres.Config{URL: at}).Apply(t.Context(), id, claim)
	require.ErrorIs(t, err, postgres.ErrCorrupt)
}
