//go:build !linux

package durable_test

import "os"

func datasync(f *os.File) error { return f.Sync() }
