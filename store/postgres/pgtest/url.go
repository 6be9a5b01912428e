package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	serverEnv = "FAILLOUD_TEST_POSTGRES"
	skipEnv   = "FAILLOUD_TEST_SKIP_POSTGRES"
)

// patience bounds making and dropping a database, on a machine that does much else.
const patience = time.Minute

// shared is the server of this test program, started by the first test that asks.
var shared = sync.OnceValues(func() (string, error) {
	if given := os.Getenv(serverEnv); given != "" {
		return given, nil
	}
	return start()
})

var made atomic.Int64

// URL returns the URL of an empty database for this test, which is dropped when the
// test ends. Safe for concurrent use. Outside of synctest bubbles only.
func URL(t testing.TB) string {
	t.Helper()
	if os.Getenv(skipEnv) != "" {
		t.Skip(skipEnv + " is set")
	}
	server, err := shared()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	at, err := url.Parse(server)
	if err != nil {
		t.Fatalf("pgtest: %s is no URL: %v", serverEnv, err)
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), made.Add(1))
	if err := run(server, "CREATE DATABASE "+name); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if err := run(server, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	at.Path = "/" + name
	return at.String()
}

// run executes one statement on the server.
func run(server, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
