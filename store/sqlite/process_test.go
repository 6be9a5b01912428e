package sqlite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/sqlite"
)

// The test binary plays another process when it is told a role.
const (
	roleVar = "FAILLOUD_TEST_ROLE"
	pathVar = "FAILLOUD_TEST_PATH"
)

var roles = map[string]func(ctx context.Context, db *sqlite.DB) error{
	"open": func(context.Context, *sqlite.DB) error { return nil },
	"pay":  payOnce,
	"complete": func(ctx context.Context, db *sqlite.DB) error {
		row, err := db.Load(ctx, payment("4711").Key.ID())
		if err != nil {
			return err
		}
		_, err = db.Apply(ctx, row.ID, idempotency.Complete{Epoch: row.Epoch, Result: json.RawMessage(`{"receipt":"R-1"}`), Size: 17})
		return err
	},
}

func playRole(name string) int {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Config{Path: os.Getenv(pathVar)})
	if err == nil {
		err = roles[name](ctx, db)
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name, err)
		return 1
	}
	return 0
}

// play starts a process in a role and returns what waits for its end.
func play(t *testing.T, role, path string) func() error {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), roleVar+"="+role, pathVar+"="+path)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(t, cmd.Start())
	return func() error {
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("%w: %s", err, said.String())
		}
		return nil
	}
}

func payment(invoice string) idempotency.Intent {
	return idempotency.Intent{
		Key:    idempotency.Key{Tool: "pay_invoice", Intent: "key:" + invoice},
		Effect: fault.Write, Args: json.RawMessage(`{"invoice":"` + invoice + `","amount":10}`), Dispatch: true,
	}
}

func ledger(t testing.TB, store idempotency.Store) *idempotency.Ledger {
	l, err := idempotency.New(idempotency.Config{Store: store, Cache: -1})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_ = l.Close(ctx) // what cannot be saved in a test about that is given up
	})
	return l
}

// payOnce pays where it may, which leaves a line in a file, and waits for the
// receipt where another does.
func payOnce(ctx context.Context, db *sqlite.DB) error {
	l, err := idempotency.New(idempotency.Config{Store: db})
	if err != nil {
		return err
	}
	c, err := l.Claim(ctx, payment("4711"))
	if err != nil {
		return err
	}
	row := c.Row
	if c.Answer == idempotency.Execute {
		effects, err := os.OpenFile(filepath.Join(filepath.Dir(os.Getenv(pathVar)), "effects"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(effects, "paid"); err != nil {
			return err
		}
		if err := effects.Close(); err != nil {
			return err
		}
		if err := c.Succeed(ctx, json.RawMessage(`{"receipt":"R-1"}`), 0); err != nil {
			return err
		}
	}
	if row, err = l.Wait(ctx, row.ID); err != nil {
		return err
	}
	if string(row.Result) != `{"receipt":"R-1"}` {
		return fmt.Errorf("%s with %s", row.State, row.Result)
	}
	return nil
}

func TestSixtyFourProcessesOnOneKeyPayOnce(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	var wait []func() error
	for range 64 {
		wait = append(wait, play(t, "pay", path))
	}
	for _, w := range wait {
		require.NoError(t, w())
	}
	effects, err := os.ReadFile(filepath.Join(filepath.Dir(path), "effects"))
	require.NoError(t, err)
	require.Equal(t, "paid\n", string(effects))
}

// WAL set by every connection of a fresh file is busy for some of them.
func TestThirtyProcessesMayOpenAFreshPathAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "failloud.db")
	var wait []func() error
	for range 30 {
		wait = append(wait, play(t, "open", path))
	}
	for _, w := range wait {
		require.NoError(t, w())
	}
}

func TestThirtyHandlesOfOneProcessMayOpenAFreshPathAtOnce(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
			if err != nil {
				t.Errorf("handle %d: %v", i, err)
				return
			}
			if _, err := ledger(t, db).Claim(t.Context(), payment(fmt.Sprint(i))); err != nil {
				t.Errorf("claim %d: %v", i, err)
			}
			if err := db.Close(); err != nil {
				t.Errorf("closing %d: %v", i, err)
			}
		})
	}
	all.Wait()
	rows, err := open(t, path).List(t.Context(), idempotency.Query{})
	require.NoError(t, err)
	require.Len(t, rows, 30)
}

func TestAChangeByAnotherProcessWakes(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	l := ledger(t, open(t, path))
	c, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.Equal(t, idempotency.Execute, c.Answer)
	waited := make(chan idempotency.Row, 1)
	go func() {
		row, err := l.Wait(t.Context(), c.Row.ID)
		if err != nil {
			t.Errorf("waiting: %v", err)
		}
		waited <- row
	}()
	require.NoError(t, play(t, "complete", path)())
	select {
	case row := <-waited:
		require.Equal(t, idempotency.Succeeded, row.State)
	case <-time.After(5 * time.Second):
		require.Fail(t, "nobody was told")
	}
}
