// Package pgtest gives tests a PostgreSQL server of their own: a fresh cluster in a
// temporary folder, on a free port of this machine, which is gone when the test
// program is.
//
//	func TestLedger(t *testing.T) {
//		db, err := postgres.Open(t.Context(), postgres.Config{URL: pgtest.URL(t)})
//		…
//	}
//
// The programs initdb and postgres must be installed; where they are not, the test
// fails and says so, because tests that skip themselves are not missed. Set
// FAILLOUD_TEST_SKIP_POSTGRES to skip them on purpose. Set FAILLOUD_TEST_POSTGRES to
// the URL of a running server to use that one; its role must be a superuser.
//
// The server flushes to the disk as a real one does: what a test measures or loses
// is what a user would.
package pgtest
