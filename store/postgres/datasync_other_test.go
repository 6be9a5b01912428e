//go:build !linux

package postgres_test

import "os"

func datasync(f *os.File) error { return f.Sync() }
