package crash_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/vfs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/sqlite"
)

// acknowledged is a change that somebody was told is durable.
type acknowledged struct {
	row idempotency.Row
	at  int // what the disk had done by then
}

// written lets many clients claim and complete work in a file on a disk, and returns
// what each was told, and when the first could be.
func written(t *testing.T, d *disk, synchronous string) (all []acknowledged, opened int) {
	t.Helper()
	const clients, each = 8, 25
	name := strings.ReplaceAll(t.Name(), "/", "-")
	vfs.Register(name, d)
	t.Cleanup(func() { vfs.Unregister(name) })
	// The log is moved into the file so often that it begins anew many times.
	pool, err := sql.Open("sqlite3", fmt.Sprintf("file:%s?vfs=%s&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(%s)&_pragma=wal_autocheckpoint(100)", filepath.Join(t.TempDir(), "failloud.db"), name, synchronous))
	require.NoError(t, err)
	defer pool.Close()
	db, err := sqlite.Open(t.Context(), sqlite.Config{DB: pool})
	require.NoError(t, err)
	defer db.Close()
	opened = d.now()
	var mu sync.Mutex
	var running sync.WaitGroup
	for c := range clients {
		running.Go(func() {
			for i := range each {
				key := idempotency.Key{Tool: "pay", Intent: fmt.Sprintf("key:%d-%d", c, i)}
				size := 1000
				if i%10 == 9 {
					size = 70 << 10 // lies beside its row
				}
				for _, cmd := range []idempotency.Command{
					idempotency.Acquire{
						Request: idempotency.Request{Key: key, Effect: fault.Write, Args: json.RawMessage(`{}`), Fingerprint: "f"},
						Attempt: "mine", Lease: time.Hour, Dispatch: true,
					},
					idempotency.Complete{Epoch: 1, Result: json.RawMessage(`{"id":"` + strings.Repeat("R", size) + `"}`)},
				} {
					row, err := db.Apply(t.Context(), key.ID(), cmd)
					if !assert.NoError(t, err) {
						return
					}
					at := d.now()
					mu.Lock()
					all = append(all, acknowledged{row, at})
					mu.Unlock()
				}
			}
		})
	}
	running.Wait()
	return all, opened
}

// lost counts what somebody was told is durable and is not there after a power cut.
func lost(t *testing.T, d *disk, told []acknowledged, at int, luck func() bool) (n int) {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, d.cut(at, folder, luck))
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(folder, "failloud.db")})
	require.NoError(t, err, "after operation %d", at)
	defer db.Close()
	require.Equal(t, "ok", intact(t, db), "after operation %d", at)
	for _, a := range told {
		if a.at > at {
			continue
		}
		row, err := db.Load(context.Background(), a.row.ID)
		if err != nil || row.Version < a.row.Version || row.Version == a.row.Version && (row.State != a.row.State || string(row.Result) != string(a.row.Result)) {
			n++
		}
	}
	return n
}

// A power cut takes what was not synced. Nothing that anybody was told is durable may
// be among that.
func TestAPowerCutTakesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	d := &disk{VFS: vfs.Find("os")}
	told, opened := written(t, d, "FULL")
	for _, luck := range []func() bool{nothing, anything} {
		for _, at := range moments(opened, d.now(), 25) {
			require.Zero(t, lost(t, d, told, at, luck), "lost after operation %d of %d", at, d.now())
		}
	}
}

// The same with a connection that says it syncs every commit and does not: this is what
// the store refuses to work with, and what the test above would find.
func TestAPowerCutTakesMuchWithoutSync(t *testing.T) {
	t.Parallel()
	d := &disk{VFS: vfs.Find("os"), lies: true}
	told, opened := written(t, d, "NORMAL")
	n := 0
	for _, at := range moments(opened, d.now(), 10) {
		n += lost(t, d, told, at, nothing)
	}
	require.Positive(t, n, "NORMAL has lost nothing: the disk does not lose what it should")
}

func intact(t *testing.T, db *sqlite.DB) (found string) {
	t.Helper()
	require.NoError(t, db.Engine().Read.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&found))
	return found
}
