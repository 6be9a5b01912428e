//go:build !unix

package pgtest

import (
	"errors"
	"syscall"
)

func unprivileged(string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("a server is started on Unix only; name a running one in " + serverEnv)
}
