package fault

import (
	"errors"
	"reflect"
	"strings"
)

// grpcCodes are the canonical codes in their numeric order, with what each
// means. Aborted is transient by definition: the same call may work.
var grpcCodes = []struct {
	name  string
	cause cause
}{
	{"OK", noCause}, {"Canceled", callerGone}, {"Unknown", serverBroke}, {"InvalidArgument", badArguments},
	{"DeadlineExceeded", noAnswer}, {"NotFound", absent}, {"AlreadyExists", exists}, {"PermissionDenied", notAllowed},
	{"ResourceExhausted", throttled}, {"FailedPrecondition", exists}, {"Aborted", lockLost}, {"OutOfRange", badArguments},
	{"Unimplemented", badArguments}, {"Internal", serverBroke}, {"Unavailable", unavailable}, {"DataLoss", serverBroke},
	{"Unauthenticated", badCredential},
}

// detectGRPC judges a gRPC status, found by its method (no import needed) or in
// the text of the error.
func detectGRPC(s *Signal) (Outcome, bool) {
	if s.Err == nil {
		return Outcome{}, false
	}
	text := s.Err.Error()
	code, ok := grpcByMethod(s.Err)
	if !ok {
		code, text, ok = grpcByText(text)
	}
	if !ok || code <= 0 || code >= len(grpcCodes) {
		return Outcome{}, false
	}
	return grpcOutcome(s, code, text), true
}

// grpcOutcome refines a code by its description: a closed connection under
// Unavailable, a message that is too large under ResourceExhausted.
func grpcOutcome(s *Signal, code int, text string) Outcome {
	k := grpcCodes[code].cause
	var c clues
	c.text(text)
	switch k {
	case unavailable, throttled:
		k = c.settle(c.sharpen(k))
	case serverBroke:
		switch p := c.first(known); p {
		case lockLost, tooLarge, connectionLost, neverSent, badCredential, throttled:
			k = p
		}
	}
	o := k.fail("grpc.code")
	if s.Sent == SentNo {
		o = k.unsent().fail("grpc.code")
	}
	o.Fault.Code = grpcCodes[code].name
	return o
}

// grpcByMethod asks an error for its status: GRPCStatus().Code() of grpc-go,
// or Code() of connect, which uses the same numbers.
func grpcByMethod(err error) (int, bool) {
	code, found := 0, false
	eachError(err, func(e error) bool {
		v := reflect.ValueOf(e)
		if m := v.MethodByName("GRPCStatus"); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
			st := m.Call(nil)[0]
			if st.Kind() == reflect.Pointer && st.IsNil() {
				return true
			}
			code, found = uintMethod(st, "Code")
		} else {
			code, found = uintMethod(v, "Code")
		}
		return !found
	})
	return code, found
}

// uintMethod calls a method that takes nothing and gives an unsigned number.
func uintMethod(v reflect.Value, name string) (int, bool) {
	m := v.MethodByName(name)
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.Uint32 {
		return 0, false
	}
	return int(m.Call(nil)[0].Uint()), true
}

// grpcByText reads "rpc error: code = Unavailable desc = …".
func grpcByText(text string) (code int, desc string, ok bool) {
	_, after, found := strings.Cut(text, "code = ")
	if !found || !strings.Contains(text, "rpc error") {
		return 0, "", false
	}
	name, desc, _ := strings.Cut(after, " desc = ")
	key := squash(name)
	for i, g := range grpcCodes {
		if squash(g.name) == key {
			return i, desc, true
		}
	}
	return 0, "", false
}

// eachError visits err and everything it wraps until visit returns false. At
// most 32 errors are visited.
func eachError(err error, visit func(error) bool) {
	queue := []error{err}
	for n := 0; len(queue) > 0 && n < 32; n++ {
		e := queue[0]
		queue = queue[1:]
		if e == nil {
			continue
		}
		if !visit(e) {
			return
		}
		switch w := e.(type) { //nolint:errorlint // this is the walk itself
		case interface{ Unwrap() []error }:
			queue = append(queue, w.Unwrap()...)
		default:
			queue = append(queue, errors.Unwrap(e))
		}
	}
}
