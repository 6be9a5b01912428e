package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/failloud/failloud/fault"
)

// refuse says that nothing was done because of what was asked for, and that a
// changed call can work. The code is shown to the model, the text is not.
func refuse(reason fault.Reason, code, format string, args ...any) error {
	return &fault.Fault{
		Reason: reason, Action: fault.FailFast, Ran: fault.RanNo,
		Correctable: true, Code: code, Rule: "tools",
		Err: fmt.Errorf(format, args...),
	}
}

// fileError gives the errors of a confined directory that carry no error
// number a reason; every other one is left to the classifier.
func fileError(err error) error {
	var errno syscall.Errno
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return err
	case errors.As(err, &errno):
		switch errno {
		case syscall.ENOTDIR:
			return refuse(fault.ReasonInvalidArgs, "not_a_directory", "%w", err)
		case syscall.EISDIR:
			return refuse(fault.ReasonInvalidArgs, "is_a_directory", "%w", err)
		case syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL:
			return refuse(fault.ReasonInvalidArgs, "bad_path", "%w", err)
		}
		return err
	case strings.Contains(err.Error(), "escapes"): // the standard library keeps this error to itself
		return refuse(fault.ReasonPermission, "outside_root", "%w", err)
	}
	return err
}
