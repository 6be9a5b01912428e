package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/failloud/failloud/fault"
)

// refuse says that nothing was done because of one argument, and that a changed
// call can work. The model is shown the argument's name and the code; the text
// is for the record.
func refuse(reason fault.Reason, field, code, format string, args ...any) error {
	return &fault.Fault{
		Reason: reason, Action: fault.FailFast, Ran: fault.RanNo,
		Correctable: true, Code: code, Rule: "tools",
		Fields: []fault.FieldError{{Field: field, Rule: code}},
		Err:    fmt.Errorf(format, args...),
	}
}

// invalid refuses an argument that cannot be used as it is.
func invalid(field, code, format string, args ...any) error {
	return refuse(fault.ReasonInvalidArgs, field, code, format, args...)
}

// fileError gives the errors of a confined directory that carry no error
// number a reason; every other one is left to the classifier.
func fileError(err error) error {
	var errno syscall.Errno
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return err
	case errors.Is(err, fs.ErrPermission): // correctable: of one file, which says nothing about the others
		return refuse(fault.ReasonPermission, "path", "permission_denied", "%w", err)
	case errors.As(err, &errno):
		switch errno {
		case syscall.ENOTDIR:
			return invalid("path", "not_a_directory", "%w", err)
		case syscall.EISDIR:
			return invalid("path", "is_a_directory", "%w", err)
		case syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL:
			return invalid("path", "bad_path", "%w", err)
		}
		return err
	case strings.Contains(err.Error(), "escapes"): // the standard library keeps this error to itself
		return invalid("path", "outside_root", "%w", err)
	}
	return err
}
