package postgres

import "strings"

// statements are all that the ledger says to the server, with the names of the
// tables written out, so that the search path of a caller's connection is no matter.
type statements struct {
	insert, update                      string
	load, list, take, events, await, at string
	prune                               string
}

// Each statement is a transaction of its own, and one round trip. What writes does
// so only where the version is the expected one and the server's clock is near the
// time that the row was made for; the event is written by the same statement, and
// the answer is the server's time, or nothing where nothing was written.
//
// Somebody may wait for a row: the version awaited is in the row, and the lock of
// the row orders the two. The server orders the commits of all transactions that
// notify one after the other, each with its own flush to the disk, so only those
// notify that somebody waits for.
const (
	writeEvent = ` INSERT INTO {calls_events} (n, seq, at, command, before, after, epoch, actor, note)
		SELECT n, $15, $17, $18, $19, $20, $21, $22, $23 FROM written RETURNING clock_timestamp(){notify}`

	insertCall = `WITH written AS (INSERT INTO {calls} (id, tenant, tool, state, run_id, task_key, identity, gate,
			to_run, announce, due, closed, args, result, version, created, updated, body)
		SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::boolean,
			$10::timestamptz, $11::timestamptz, $12::timestamptz, $13::bytea, $14::bytea, $15::bigint,
			$16::timestamptz, $17::timestamptz, $24::bytea
		WHERE clock_timestamp() BETWEEN $25::timestamptz AND $26::timestamptz
		ON CONFLICT (id) DO NOTHING RETURNING n)` + writeEvent

	// A payload that stays as it is is not sent, and the server does not copy it.
	updateCall = `WITH written AS (UPDATE {calls} SET tenant = $2, tool = $3, state = $4, run_id = $5, task_key = $6,
			identity = $7, gate = $8, to_run = $9, announce = $10, due = $11, closed = $12, hold = NULL,
			args = CASE WHEN $28::boolean THEN $13 ELSE args END, result = CASE WHEN $29::boolean THEN $14 ELSE result END,
			version = $15, created = $16, updated = $17, body = $24
		WHERE id = $1 AND version = $27 AND clock_timestamp() BETWEEN $25::timestamptz AND $26::timestamptz
		RETURNING n, awaited)` + writeEvent

	notifyWaiters = `(SELECT pg_notify('{channel}', $1) FROM written WHERE awaited >= $27)`

	selectCall = `SELECT statement_timestamp(), id, version, state, body, args, result FROM {calls}`
	// selectOne tells the time also where there is no row.
	selectOne = `SELECT statement_timestamp(), c.id, c.version, c.state, c.body, c.args, c.result
		FROM (SELECT) AS one LEFT JOIN {calls} AS c ON c.id = $1`
	takeCalls = `WITH found AS (SELECT id FROM {calls} {where} FOR UPDATE SKIP LOCKED)
		UPDATE {calls} AS c SET hold = statement_timestamp() + {hold} FROM found WHERE c.id = found.id
		RETURNING statement_timestamp(), c.id, c.version, c.state, c.body, c.args, c.result`

	selectEvents = `SELECT e.seq, e.at, e.command, e.before, e.after, e.epoch, e.actor, e.note
		FROM {calls} AS c JOIN {calls_events} AS e ON e.n = c.n WHERE c.id = $1 ORDER BY e.seq`

	awaitCall = `UPDATE {calls} SET awaited = version WHERE id = $1 AND version <= $2 AND awaited IS DISTINCT FROM version`

	// The events go with their rows. Rows that another process removes, or writes to
	// just now, are left to it.
	pruneCalls = `WITH old AS (SELECT id, n FROM {calls} WHERE closed < statement_timestamp() - $1::interval
			ORDER BY closed LIMIT $2 FOR UPDATE SKIP LOCKED),
		gone AS (DELETE FROM {calls} AS c USING old WHERE c.id = old.id RETURNING c.n),
		events AS (DELETE FROM {calls_events} AS e USING gone WHERE e.n = gone.n)
		SELECT count(*) FROM gone`
)

// newStatements writes the names of a schema into the statements. The name has been
// checked: it needs no quotes.
func newStatements(schema string) statements {
	names := strings.NewReplacer(
		"{calls}", schema+".failloud_calls", "{calls_events}", schema+".failloud_events", "{channel}", channel(schema))
	of := func(query string) string { return names.Replace(query) }
	return statements{
		insert: of(strings.ReplaceAll(insertCall, "{notify}", "")),
		update: of(strings.ReplaceAll(updateCall, "{notify}", ", "+notifyWaiters)),
		load:   of(selectOne),
		list:   of(selectCall), take: of(takeCalls), events: of(selectEvents),
		await: of(awaitCall), at: of(`SELECT version FROM {calls} WHERE id = $1`),
		prune: of(pruneCalls),
	}
}

// channel is the name under which the changes of a schema are told.
func channel(schema string) string { return "failloud_calls_" + schema }
