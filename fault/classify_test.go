package fault_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

// classify is what becomes of a signal, before [fault.Conclude].
func classify(s fault.Signal) fault.Outcome {
	var c fault.Classifier
	return c.Classify(&s)
}

func TestStatusAloneDecidesByTheTable(t *testing.T) {
	t.Parallel()
	for want, statuses := range map[string][]int{
		"auth fail_fast no":              {401, 407},
		"payment_required fail_fast no":  {402},
		"permission fail_fast no":        {403},
		"not_found fail_fast no":         {404, 410},
		"timeout retry no":               {408, 425},
		"rate_limit retry no":            {429},
		"conflict fail_fast no":          {409, 412, 423, 428},
		"payload_too_large fail_fast no": {413},
		"invalid_args fail_fast no":      {400, 405, 406, 411, 414, 415, 417, 418, 422, 431},
		"server_error retry unknown":     {500, 502, 504, 507, 520},
		"server_error fail_fast no":      {501, 505, 511},
		"overloaded retry unknown":       {503, 529},
		"ok empty":                       {200, 201, 204, 205},
		"ok ":                            {304},
		"pending ":                       {202},
	} {
		for _, status := range statuses {
			t.Run(strconv.Itoa(status), func(t *testing.T) {
				t.Parallel()
				o := classify(answer(fault.Write, status, ""))
				require.Equal(t, want, short(o))
				if o.Fault != nil {
					require.Equal(t, status, o.Fault.Status)
					require.NotEmpty(t, o.Fault.Rule)
				}
			})
		}
	}
}

func TestWaitIsKept(t *testing.T) {
	t.Parallel()
	o := classify(headed(answer(fault.Read, 429, ""), "Retry-After", "3600"))
	require.Equal(t, "rate_limit retry no", short(o), "a long wait is still a throttle")
	require.Equal(t, time.Hour, o.Fault.Wait)
	o = classify(headed(answer(fault.Read, 429, `{"message":"Quota exceeded"}`), "Retry-After", "5"))
	require.Equal(t, "rate_limit retry no", short(o), "a quota that ends in seconds is a throttle")
}

func TestTransportErrorsByType(t *testing.T) {
	t.Parallel()
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	read := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	for name, tc := range map[string]struct {
		signal fault.Signal
		want   string
	}{
		"dial refused":       {fault.Signal{Err: dial}, "network retry no"},
		"dial timed out":     {fault.Signal{Err: &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}}, "network retry no"},
		"no such host":       {fault.Signal{Err: &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}}, "network fail_fast no"},
		"dns for now":        {fault.Signal{Err: &net.DNSError{Err: "server misbehaving", Name: "x", IsTemporary: true}}, "network retry no"},
		"reset":              {fault.Signal{Err: read}, "network retry unknown"},
		"reset, never sent":  {fault.Signal{Err: read, Sent: fault.SentNo}, "network retry no"},
		"eof":                {fault.Signal{Err: fmt.Errorf("post: %w", io.EOF)}, "network retry unknown"},
		"unknown authority":  {fault.Signal{Err: x509.UnknownAuthorityError{}}, "network fail_fast no"},
		"wrong host name":    {fault.Signal{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}}, "network fail_fast no"},
		"deadline":           {fault.Signal{Err: context.DeadlineExceeded}, "timeout retry unknown"},
		"own limit":          {fault.Signal{TimedOut: true, Err: context.Canceled}, "timeout retry unknown"},
		"limit, never sent":  {fault.Signal{TimedOut: true, Err: context.DeadlineExceeded, Sent: fault.SentNo}, "timeout retry no"},
		"caller gave up":     {fault.Signal{Err: fmt.Errorf("get: %w", context.Canceled)}, "cancelled none unknown"},
		"not found":          {fault.Signal{Err: &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}}, "not_found fail_fast no"},
		"not allowed":        {fault.Signal{Err: &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}}, "permission fail_fast no"},
		"exists":             {fault.Signal{Err: &fs.PathError{Op: "mkdir", Path: "x", Err: syscall.EEXIST}}, "conflict fail_fast no"},
		"a directory":        {fault.Signal{Err: &fs.PathError{Op: "read", Path: "x", Err: syscall.EISDIR}}, "invalid_args fail_fast no"},
		"disk full":          {fault.Signal{Err: &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}}, "server_error fail_fast unknown"},
		"unreadable answer":  {fault.Signal{Err: json.Unmarshal([]byte("<html>"), new(any))}, "malformed_response retry unknown"},
		"reply lost, 200":    {fault.Signal{Err: io.ErrUnexpectedEOF, HTTP: &fault.Response{Status: 200}}, "malformed_response retry yes"},
		"nobody knows":       {fault.Signal{Err: errors.New("boom")}, "unknown fail_fast unknown"},
		"nobody knows, text": {fault.Signal{Err: errors.New("")}, "unknown fail_fast unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.signal.Effect = fault.Write
			o := classify(tc.signal)
			require.Equal(t, tc.want, short(o))
			require.ErrorIs(t, o.Fault, tc.signal.Err, "the cause is kept")
		})
	}
}

// TestRealTransportErrors takes the errors from the standard library itself.
func TestRealTransportErrors(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	refusing := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	tlsServer := httptest.NewTLSServer(http.NotFoundHandler())
	defer tlsServer.Close()
	cutting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := http.NewResponseController(w).Hijack()
		_ = conn.Close()
	}))
	defer cutting.Close()
	looping := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/again", http.StatusFound)
	}))
	defer looping.Close()
	for name, tc := range map[string]struct{ address, want string }{
		"refused":     {refusing, "network retry no"},
		"certificate": {tlsServer.URL, "network fail_fast no"},
		"cut":         {cutting.URL, "network retry unknown"},
		"redirects":   {looping.URL, "network fail_fast no"},
		"scheme":      {"gopher://127.0.0.1", "invalid_args fail_fast no"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := http.Post(tc.address, "text/plain", nil)
			require.Error(t, err)
			_, isURL := errors.AsType[*url.Error](err)
			require.True(t, isURL)
			require.Equal(t, tc.want, short(classify(fault.Signal{Effect: fault.Write, Err: err})))
		})
	}
	_, err = os.Open(filepath.Join(t.TempDir(), "missing"))
	require.Equal(t, "not_found fail_fast no", short(classify(fault.Signal{Err: err})))
}

func TestExitOfACommand(t *testing.T) {
	t.Parallel()
	_, err := exec.Command("go", "no-such-verb").Output()
	require.Error(t, err)
	o := classify(fault.Signal{Effect: fault.Write, Err: err})
	require.Equal(t, "command_failed fail_fast yes", short(o))
	require.True(t, o.Fault.Correctable)
	require.Equal(t, fault.KindFailed, fault.Conclude(fault.Write, o, false, false).Kind, "an exit code is an answer: nobody is asked")
	_, err = exec.LookPath("no-such-program-anywhere")
	require.Equal(t, "not_found fail_fast no", short(classify(fault.Signal{Err: err})))
}

// Errors of clients and drivers are recognised by what they can be asked.

type grpcStatus struct{ code uint32 }

func (s *grpcStatus) Code() grpcCode { return grpcCode(s.code) }

type grpcCode uint32

type grpcError struct{ code uint32 }

func (e *grpcError) Error() string           { return "some client's words" }
func (e *grpcError) GRPCStatus() *grpcStatus { return &grpcStatus{e.code} }

type connectError struct{ code uint32 }

func (e *connectError) Error() string  { return "some client's words" }
func (e *connectError) Code() grpcCode { return grpcCode(e.code) }

type pgError struct{ state string }

func (e *pgError) Error() string    { return "some driver's words" }
func (e *pgError) SQLState() string { return e.state }

type mysqlError struct{ Number uint16 }

func (e *mysqlError) Error() string { return "some driver's words" }

type awsError struct{ code string }

func (e *awsError) Error() string     { return "some client's words" }
func (e *awsError) ErrorCode() string { return e.code }

type statusError struct{ status int }

func (e *statusError) Error() string       { return "some client's words" }
func (e *statusError) HTTPStatusCode() int { return e.status }

type googleError struct {
	Code   int
	Header http.Header
}

func (e *googleError) Error() string { return "some client's words" }

type githubError struct{ Response *http.Response }

func (e *githubError) Error() string { return "some client's words" }

type waitingError struct{ status int }

func (e *waitingError) Error() string             { return "some client's words" }
func (e *waitingError) StatusCode() int           { return e.status }
func (e *waitingError) RetryAfter() time.Duration { return 7 * time.Second }

func TestErrorsOfClientsByWhatTheyCanBeAsked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"grpc unauthenticated": {&grpcError{16}, "auth fail_fast no"},
		"grpc unavailable":     {&grpcError{14}, "overloaded retry unknown"},
		"grpc deadline":        {&grpcError{4}, "timeout retry unknown"},
		"grpc aborted":         {&grpcError{10}, "conflict retry no"},
		"grpc canceled":        {&grpcError{1}, "cancelled none unknown"},
		"grpc internal":        {&grpcError{13}, "server_error retry unknown"},
		"connect not found":    {&connectError{5}, "not_found fail_fast no"},
		"deadlock":             {&pgError{"40P01"}, "conflict retry no"},
		"unique":               {&pgError{"23505"}, "conflict fail_fast no"},
		"class only":           {&pgError{"22P99"}, "invalid_args fail_fast no"},
		"mysql lock wait":      {&mysqlError{1205}, "conflict retry no"},
		"mysql duplicate":      {&mysqlError{1062}, "conflict fail_fast no"},
		"aws throttle":         {&awsError{"ThrottlingException"}, "rate_limit retry no"},
		"aws denied":           {&awsError{"AccessDeniedException"}, "permission fail_fast no"},
		"status 401":           {&statusError{401}, "auth fail_fast no"},
		"google 403":           {&googleError{Code: 403}, "permission fail_fast no"},
		"github 404":           {&githubError{&http.Response{StatusCode: 404}}, "not_found fail_fast no"},
		"with its own wait":    {&waitingError{503}, "overloaded retry no"},
		"nil inside":           {&githubError{}, "unknown fail_fast unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := classify(fault.Signal{Effect: fault.Write, Err: fmt.Errorf("call: %w", tc.err)})
			require.Equal(t, tc.want, short(o))
		})
	}
	o := classify(fault.Signal{Err: &waitingError{429}})
	require.Equal(t, 7*time.Second, o.Fault.Wait)
}

func TestToolsOwnWordIsHeardFirst(t *testing.T) {
	t.Parallel()
	require.Equal(t, fault.KindDenied, classify(fault.Signal{Err: fault.Denied("not today")}).Kind)
	o := classify(fault.Signal{Effect: fault.Write, Err: fault.NotRun(context.DeadlineExceeded)})
	require.Equal(t, "timeout retry no", short(o), "the reason is the cause's, ran is the tool's word")
	own := &fault.Fault{Reason: fault.ReasonQuota, Action: fault.FailFast, Ran: fault.RanNo}
	require.Equal(t, "quota fail_fast no", short(classify(fault.Signal{Err: own})))
}

func TestOwnDetectorsComeFirst(t *testing.T) {
	t.Parallel()
	teapot := fault.DetectorFunc(func(s *fault.Signal) (fault.Outcome, bool) {
		body, ok := s.JSON()
		m, isObject := body.(map[string]any)
		if !ok || !isObject || m["brew"] != "tea" {
			return fault.Outcome{}, false
		}
		return fault.Outcome{Kind: fault.KindOK, Qualifiers: fault.Partial}, true
	})
	c := fault.Classifier{Detectors: []fault.Detector{nil, teapot}}
	s := answer(fault.Read, 418, `{"brew":"tea"}`)
	require.Equal(t, "ok partial", short(c.Classify(&s)))
	s = answer(fault.Read, 418, `{"brew":"coffee"}`)
	require.Equal(t, "invalid_args fail_fast no", short(c.Classify(&s)), "what it does not know is left to the others")
	require.NotEmpty(t, fault.Defaults())
}

func TestNilAndZeroAreUsable(t *testing.T) {
	t.Parallel()
	var none *fault.Classifier
	require.Equal(t, "ok empty", short(none.Classify(&fault.Signal{})))
	require.Equal(t, "ok empty", short(none.Classify(&fault.Signal{HasValue: true})))
}

func TestSignalIsLeftAsItWas(t *testing.T) {
	t.Parallel()
	s := answer(fault.Read, 500, `{"error":"x"}`)
	before := s
	var c fault.Classifier
	c.Classify(&s)
	require.Equal(t, before, s)
	s.HTTP = &fault.Response{Status: 200, Body: []byte(`{"a":1}`)}
	require.Equal(t, "ok ", short(c.Classify(&s)), "nothing of the first answer was kept")
}
