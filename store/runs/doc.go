// Package runs keeps the record of runs in the database of the ledger: it is a
// [runrecord.Sink], and the answers to what is asked of a record later.
//
//	db, err := sqlite.Open(ctx, sqlite.Config{Path: "failloud.db"})
//	kit := toolkit.New(toolkit.Config{Sinks: []runrecord.Sink{db.Runs()}})
//	...
//	views, err := db.Runs().Views(ctx, runrecord.Filter{Since: yesterday})
//
// # What can be lost
//
// Events are written in batches: [Store.Write] takes an event into memory, and a
// batch is durable 100 ms later, or as soon as 256 events wait. Flush and Close
// write everything that was taken. A process that is killed (kill -9, a crash of
// the machine) loses the events that it took since the last batch was durable and
// nothing else: those of the last 100 ms and of the commit that was under way, or
// more, up to the bound of the buffer, where the database could not be written just
// then. A batch is whole or not there, so what is lost of a run is its end, never a
// part in the middle. A run whose end was lost stays "running", with the time of its
// last event; it is counted as open by the views, and as ended by none.
//
// The ledger loses nothing then: it is durable before each effect.
//
// # How it is kept
//
// One row an event, with the payloads in columns of their own, which are encrypted
// where the database has keys and can be erased. One row a run, which says how it
// stands. And, for the views, a stream of facts: some ten bytes for each call and
// each end of a run, in blocks of a few thousand, which are read through in one go
// and counted by the rules of [runrecord.Views], whatever the filter asks for.
package runs
