package fault

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"syscall"
)

// detectCancel finds a caller who gave up. The end of the tool's own time limit
// is not that.
func detectCancel(s *Signal) (Outcome, bool) {
	if s.TimedOut || s.Err == nil || !errors.Is(s.Err, context.Canceled) {
		return Outcome{}, false
	}
	o := callerGone.fail("context.canceled")
	if s.Sent == SentNo {
		o.Fault.Ran = RanNo
	}
	return o, true
}

// detectTimeout judges an attempt that the caller's own limit ended.
func detectTimeout(s *Signal) (Outcome, bool) {
	if !s.TimedOut || s.HTTP != nil && s.Err == nil {
		return Outcome{}, false
	}
	return transport(s, noAnswer, "timeout"), true
}

// detectNetwork judges the errors of net, net/http, crypto/tls and io.
func detectNetwork(s *Signal) (Outcome, bool) {
	if s.Err == nil {
		return Outcome{}, false
	}
	c, rule := transportCause(s.Err)
	if c == noCause {
		return Outcome{}, false
	}
	return transport(s, c, rule), true
}

// transport makes the outcome of a transport cause: a request that was never
// written did nothing.
func transport(s *Signal, c cause, rule string) Outcome {
	if s.Sent == SentNo {
		c = c.unsent()
	}
	return c.fail(rule)
}

// transportCause finds the cause of a transport error by its type.
func transportCause(err error) (cause, string) {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound && !dns.IsTemporary {
			return unreachable, "net.dns"
		}
		return neverSent, "net.dns"
	}
	if untrusted(err) {
		return unreachable, "net.certificate"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return neverSent, "net.dial"
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		if c := errnoCause(errno); c != noCause {
			return c, "errno"
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return noAnswer, "context.deadline"
	case errors.Is(err, net.ErrClosed), errors.Is(err, http.ErrServerClosed), errors.Is(err, io.ErrClosedPipe):
		return connectionLost, "net.closed"
	case isDecodeError(err):
		return brokenReply, "decode"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return connectionLost, "net.eof"
	}
	if t, ok := errors.AsType[net.Error](err); ok && t.Timeout() {
		if handshake(err) {
			return handshakeSlow, "net.handshake"
		}
		return noAnswer, "net.timeout"
	}
	return noCause, ""
}

func handshake(err error) bool {
	var c clues
	c.text(err.Error())
	return c.has(handshakeSlow)
}

// untrusted reports whether the other side could not prove who it is.
func untrusted(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		return true
	}
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}

// isDecodeError reports whether an answer came and could not be decoded.
func isDecodeError(err error) bool {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return true
	}
	_, ok := errors.AsType[*json.UnmarshalTypeError](err)
	return ok
}

// detectFile judges the errors of os and io/fs.
func detectFile(s *Signal) (Outcome, bool) {
	if s.Err == nil {
		return Outcome{}, false
	}
	switch {
	case errors.Is(s.Err, fs.ErrNotExist):
		return absent.fail("os.not_exist"), true
	case errors.Is(s.Err, fs.ErrPermission):
		return notAllowed.fail("os.permission"), true
	case errors.Is(s.Err, fs.ErrExist):
		return exists.fail("os.exist"), true
	case errors.Is(s.Err, fs.ErrInvalid):
		return badArguments.fail("os.invalid"), true
	}
	return Outcome{}, false
}

// errnoCause is what an error number of the operating system means. Numbers
// that differ between systems are compared by name.
func errnoCause(errno syscall.Errno) cause {
	switch errno {
	case syscall.ECONNREFUSED, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.EADDRNOTAVAIL:
		return neverSent
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENOTCONN:
		return connectionLost
	case syscall.ETIMEDOUT:
		return noAnswer
	case syscall.ENOSPC, syscall.EIO:
		return diskFull
	case syscall.EROFS:
		return notAllowed
	case syscall.EBUSY, syscall.ETXTBSY:
		return lockLost
	case syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM:
		return tooBusy
	case syscall.ENOTDIR, syscall.EISDIR, syscall.EINVAL, syscall.ENAMETOOLONG:
		return badArguments
	case syscall.ENOTEMPTY:
		return exists
	case syscall.EFBIG, syscall.E2BIG:
		return tooLarge
	}
	return noCause
}
