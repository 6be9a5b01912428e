// Package store opens the databases that keep what a process must not forget:
// the ledger, the cases, the deferred work, and the record of runs.
package store
