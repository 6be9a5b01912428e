// Package postgres keeps the ledger, the cases, the deferred work and the record of
// runs in a PostgreSQL database, for agents that run on more than one machine.
//
//	db, err := postgres.Open(ctx, postgres.Config{URL: "postgres://agent@db/agents"})
//	ledger, err := idempotency.New(idempotency.Config{Store: db})
//	kit := toolkit.New(toolkit.Config{Ledger: ledger})
//	defer db.Close()
//
// The tables are made in a schema of their own ([Config.Schema]), by whichever
// process comes first, and brought up to date by the first that is newer. A role
// that may not create them can use what another role has prepared. PostgreSQL 14 or
// later.
//
// # What durable means
//
// Whatever the store has answered was flushed to the server's disk. A server, or a
// role, that is set to acknowledge earlier (fsync or synchronous_commit off) is
// refused when the store is opened: it would take back claims, and a payment would
// be made twice.
//
// # One statement
//
// A command is applied in this process, and one statement writes what came of it,
// with its event, only where the row still has the version that it was made from. A
// claim and the end of a call are one round trip each. Where another was faster, the
// row is read, and the command applied to that. A lost
// connection is an error that matches [ErrLost], after the command has been sent
// again: the rules know one that comes twice.
//
// # The clock is the server's
//
// Times are the server's, whatever the clocks of the workers show. A worker guesses
// the server's time from its last answer, and the server writes nothing that was made
// for a time more than a quarter of a second from its own.
//
// # Waiting
//
// Who waits for a row says so in the row, and the next change of it is told by
// NOTIFY on a connection that listens, one for each process. Nothing else notifies,
// because the server orders all commits that do. Poolers that hand out connections
// by the transaction do not pass notifications on; there, those who wait look every
// five seconds.
package postgres
