// Package sqlite keeps the ledger, the cases, the deferred work and the record of
// runs in one file: nothing to install, and durable all the same.
//
//	db, err := sqlite.Open(ctx, sqlite.Config{Path: "failloud.db"})
//	ledger, err := idempotency.New(idempotency.Config{Store: db})
//	kit := toolkit.New(toolkit.Config{Ledger: ledger})
//	defer db.Close()
//
// Several processes on one machine may open the same file. It must lie on a local
// disk.
//
// # What durable means
//
// Whatever the store has answered is on the disk: the file is in WAL mode with
// synchronous=FULL, which is read back from the connection and not taken on trust.
// With NORMAL, the default of many, a power cut takes back claims that were
// acknowledged, and a payment is made twice.
//
// One goroutine writes. What is asked for while a commit waits for the disk is
// committed together by the next, so that sixteen clients get about four times the
// rate of one. A context that ends does not interrupt the writer; its caller is let
// go, and the write may happen all the same.
//
// The clock is the machine's, but never behind the newest time that the database
// has written: a clock that is set back does not make a lease hold again.
//
// # Growing and forgetting
//
// Rows are kept for ever unless [Config.Retention] or [DB.Prune] says otherwise,
// because forgotten work may be done a second time. Payloads over 64 KiB, up to 16
// MiB, lie beside their row. Erased payloads are overwritten, in the write-ahead log
// too. [DB.Backup] copies a database that is in use; to copy its files by other means
// can miss what is in the log, or drop the locks of this process.
package sqlite
