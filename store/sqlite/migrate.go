package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// useWAL puts the file into WAL mode, which it then stays in. Many processes may
// try at once on a fresh file; SQLite does not wait for its lock then, so it is
// tried again.
func useWAL(ctx context.Context, conn *sql.Conn) error {
	end := time.Now().Add(busyTimeout)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		var mode string
		err := conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode)
		if err == nil && mode != "wal" {
			err = conn.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		}
		switch {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return fmt.Errorf("%w: the journal mode stays %s", ErrNotDurable, mode)
		case !strings.Contains(err.Error(), "locked") || time.Now().After(end):
			return err
		}
		if err := pauseFor(ctx, pause); err != nil {
			return err
		}
	}
}

func pauseFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// durable reads back whether a connection keeps what it acknowledges. A wrong
// spelling of a setting is silently another one.
func durable(ctx context.Context, conn *sql.Conn) error {
	var mode string
	var synchronous, wait int
	if err := conn.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&mode); err != nil {
		return err
	}
	if err := conn.QueryRowContext(ctx, `PRAGMA synchronous`).Scan(&synchronous); err != nil {
		return err
	}
	const full = 2 // 3 is EXTRA
	if mode != "wal" || synchronous < full {
		levels := []string{"OFF", "NORMAL", "FULL", "EXTRA"}
		return fmt.Errorf("%w: they have journal_mode=%s, synchronous=%s", ErrNotDurable, mode, levels[min(max(synchronous, 0), 3)])
	}
	if err := conn.QueryRowContext(ctx, `PRAGMA busy_timeout`).Scan(&wait); err != nil {
		return err
	}
	if wait < int(busyTimeout.Milliseconds()) {
		return conn.QueryRowContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, busyTimeout.Milliseconds())).Scan(&wait)
	}
	return nil
}

// migrate brings the tables of a part to the version that its steps lead to. It
// holds the write lock from the first look, so that of many processes one does it,
// and each step is one transaction, so that none is ever half done.
func migrate(ctx context.Context, conn *sql.Conn, part string, steps [][]string) error {
	for {
		more, err := migrateOnce(ctx, conn, part, steps)
		if err != nil || !more {
			return err
		}
	}
}

func migrateOnce(ctx context.Context, conn *sql.Conn, part string, steps [][]string) (more bool, err error) {
	if _, err := conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return false, err
	}
	defer func() {
		end := `COMMIT`
		if err != nil {
			end = `ROLLBACK`
		}
		if _, cerr := conn.ExecContext(context.WithoutCancel(ctx), end); err == nil {
			err = cerr
		}
	}()
	if _, err := conn.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS failloud_schema (
		part TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT`); err != nil {
		return false, err
	}
	version := 0
	err = conn.QueryRowContext(ctx, `SELECT version FROM failloud_schema WHERE part = ?`, part).Scan(&version)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	switch {
	case version > len(steps):
		return false, fmt.Errorf("%w: its %s are of version %d, this program knows %d", ErrNewer, part, version, len(steps))
	case version == len(steps):
		return false, nil
	}
	for _, statement := range steps[version] {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return false, err
		}
	}
	_, err = conn.ExecContext(ctx, `INSERT INTO failloud_schema (part, version) VALUES (?, ?)
		ON CONFLICT (part) DO UPDATE SET version = excluded.version`, part, version+1)
	return true, err
}

// complete reports as an error which tables are missing although the version says
// that they are there.
func complete(ctx context.Context, conn *sql.Conn) error {
	rows, err := conn.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
	if err != nil {
		return err
	}
	defer rows.Close()
	missing := slices.Clone(tables)
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		missing = slices.DeleteFunc(missing, func(t string) bool { return t == name })
	}
	if err := rows.Err(); err != nil || len(missing) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", ErrIncomplete, strings.Join(missing, ", "))
}
