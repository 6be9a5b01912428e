package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Backup writes a copy of the whole database to a file that must not exist, as it
// is at one moment, while others go on reading and writing. The copy is on the disk
// when Backup returns; it is readable for its owner only, and what was encrypted
// stays so. Where it fails, nothing is left.
func (db *DB) Backup(ctx context.Context, path string) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the path is the caller's to choose
	if err != nil {
		return &Error{Op: "backup", Path: path, Kind: ErrPath, Err: err}
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(path)
		}
	}()
	if err := db.copyTo(ctx, path); err != nil {
		return db.wrap("backup", err)
	}
	if err := file.Sync(); err != nil {
		return &Error{Op: "backup", Path: path, Kind: ErrIO, Err: err}
	}
	return syncFolder(filepath.Dir(path))
}

// copyTo copies through a connection that reads, so that writers are not held up. It
// must be allowed to write for that, though it writes elsewhere.
func (db *DB) copyTo(ctx context.Context, path string) error {
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if db.path != "" {
		if _, err := conn.ExecContext(ctx, `PRAGMA query_only = 0`); err != nil {
			return err
		}
		defer func() { _, _ = conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA query_only = 1`) }()
	}
	_, err = conn.ExecContext(ctx, `VACUUM INTO ?`, path)
	return err
}

// syncFolder makes the name of a new file durable, where the system can.
func syncFolder(folder string) error {
	at, err := os.Open(folder) //nolint:gosec // of the path that the caller has chosen
	if err != nil {
		return err
	}
	_ = at.Sync() // Windows has no such thing
	return at.Close()
}
