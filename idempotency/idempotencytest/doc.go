// Package idempotencytest is the suite that every [idempotency.Store] must
// pass. A store's own test is three lines:
//
//	func TestStore(t *testing.T) {
//		idempotencytest.Run(t, func(t *testing.T) idempotency.Store { return open(t) })
//	}
//
// The suite works through the ledger, the way a caller does, and holds the
// store to what the ledger promises: one execution in a race, fences, a lost
// reply of the store, late successes, states without exit, an event with each
// write. A last test sends random commands and checks the invariants of every
// step. It needs no clock of its own: where time has to pass it asks the store
// for leases of a few milliseconds, or runs in a bubble of testing/synctest if
// the caller does.
package idempotencytest
