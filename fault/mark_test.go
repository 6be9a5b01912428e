package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

func TestMarkersAreTransparent(t *testing.T) {
	t.Parallel()
	cause := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	for name, err := range map[string]error{
		"NotRun":           fault.NotRun(cause),
		"Permanent":        fault.Permanent(cause),
		"one in the other": fault.Permanent(fault.NotRun(cause)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorIs(t, err, fs.ErrNotExist)
			var path *fs.PathError
			require.ErrorAs(t, err, &path)
			require.Equal(t, cause.Error(), err.Error(), "a marker adds no text")
		})
	}
	require.NoError(t, fault.NotRun(nil), "wrapping success stays success")
	require.NoError(t, fault.Permanent(nil))
}

func TestMarkersNeverLeak(t *testing.T) {
	t.Parallel()
	cause := errors.New("queue is full")
	o, ok := fault.Marked(fault.Permanent(fault.NotRun(cause)))
	require.True(t, ok)
	require.Same(t, cause, o.Fault.Unwrap(), "the record sees the cause, not the marker")

	o, ok = fault.Marked(fmt.Errorf("send: %w", fault.NotRun(cause)))
	require.True(t, ok, "a marker is found below a wrapping")
	require.ErrorIs(t, o.Fault, cause)
	require.Equal(t, fault.RanNo, o.Fault.Ran)
}

func TestWhatAMarkerSays(t *testing.T) {
	t.Parallel()
	plain := errors.New("no")
	rows := []struct {
		name   string
		err    error
		kind   fault.Kind
		reason fault.Reason
		action fault.Action
		ran    fault.Ran
	}{
		{"not run: may be repeated", fault.NotRun(plain), fault.KindFailed, fault.ReasonUnknown, fault.Retry, fault.RanNo},
		{"permanent: refused for good", fault.Permanent(plain), fault.KindFailed, fault.ReasonUnknown, fault.FailFast, fault.RanNo},
		{"permanent does not settle a timeout", fault.Permanent(context.DeadlineExceeded), fault.KindFailed, fault.ReasonUnknown, fault.FailFast, fault.RanUnknown},
		{"permanent does not settle a cut reply", fault.Permanent(fmt.Errorf("post: %w", io.ErrUnexpectedEOF)), fault.KindFailed, fault.ReasonUnknown, fault.FailFast, fault.RanUnknown},
		{"permanent does not settle a reset", fault.Permanent(&net.OpError{Op: "read", Err: errors.New("connection reset")}), fault.KindFailed, fault.ReasonUnknown, fault.FailFast, fault.RanUnknown},
		{"permanent settles a refused dial", fault.Permanent(&net.OpError{Op: "dial", Err: errors.New("refused")}), fault.KindFailed, fault.ReasonUnknown, fault.FailFast, fault.RanNo},
		{"denied", fault.Denied("manager said no"), fault.KindDenied, fault.ReasonPermission, fault.FailFast, fault.RanNo},
		{"a fault decides", &fault.Fault{Reason: fault.ReasonQuota, Action: fault.FailFast, Ran: fault.RanNo}, fault.KindFailed, fault.ReasonQuota, fault.FailFast, fault.RanNo},
		{"a fault without an action is not repeated", fmt.Errorf("x: %w", &fault.Fault{Reason: fault.ReasonAuth, Ran: fault.RanNo}), fault.KindFailed, fault.ReasonAuth, fault.FailFast, fault.RanNo},
		{"a marked fault", fault.NotRun(&fault.Fault{Reason: fault.ReasonNetwork, Action: fault.Retry}), fault.KindFailed, fault.ReasonNetwork, fault.Retry, fault.RanNo},
		{"permanent keeps what a fault knows ran", fault.Permanent(&fault.Fault{Reason: fault.ReasonPartial, Action: fault.Retry, Ran: fault.RanYes}), fault.KindFailed, fault.ReasonPartial, fault.FailFast, fault.RanYes},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			o, ok := fault.Marked(r.err)
			require.True(t, ok)
			require.Equal(t, r.kind, o.Kind)
			require.Equal(t,
				fmt.Sprint(r.reason, r.action, r.ran), fmt.Sprint(o.Fault.Reason, o.Fault.Action, o.Fault.Ran))
		})
	}

	_, ok := fault.Marked(plain)
	require.False(t, ok, "an unmarked error says nothing")
	_, ok = fault.Marked(nil)
	require.False(t, ok)
}

func TestAFaultOfATool(t *testing.T) {
	t.Parallel()
	given := &fault.Fault{Reason: fault.ReasonSoftError, Code: "evil code\n" + strings.Repeat("x", 100)}
	o, _ := fault.Marked(given)
	require.LessOrEqual(t, len(o.Fault.Code), 64)
	require.NotContains(t, o.Fault.Code, "\n")
	require.NotEqual(t, given.Code, o.Fault.Code, "the tool's own value is left alone")

	f, ok := fault.As(fmt.Errorf("wrapped: %w", given))
	require.True(t, ok)
	require.Same(t, given, f)
	_, ok = fault.As(io.EOF)
	require.False(t, ok)
	_, ok = fault.As((*fault.Fault)(nil))
	require.False(t, ok, "a nil fault in an error says nothing")
}

func TestRefineTakesTheCauseAndKeepsTheClaim(t *testing.T) {
	t.Parallel()
	cause := fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{
		Reason: fault.ReasonTimeout, Action: fault.Retry, Ran: fault.RanUnknown, Status: 504, Rule: "http.status"}}

	said, _ := fault.Marked(fault.NotRun(context.DeadlineExceeded))
	got := fault.Refine(said, cause).Fault
	require.Equal(t, fault.ReasonTimeout, got.Reason)
	require.Equal(t, 504, got.Status)
	require.Equal(t, fault.RanNo, got.Ran)
	require.Equal(t, fault.Retry, got.Action)
	require.Equal(t, fault.RanUnknown, cause.Fault.Ran, "the cause is not changed")

	said, _ = fault.Marked(fault.Permanent(context.DeadlineExceeded))
	got = fault.Refine(said, cause).Fault
	require.Equal(t, fault.FailFast, got.Action)
	require.Equal(t, fault.RanUnknown, got.Ran)

	dead := fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo}}
	said, _ = fault.Marked(fault.NotRun(errors.New("401")))
	require.Equal(t, fault.FailFast, fault.Refine(said, dead).Fault.Action, "nothing ran, and repeating is still of no use")

	said, _ = fault.Marked(fault.Denied("no"))
	require.Equal(t, said, fault.Refine(said, cause), "denied says it all")
}

// TestTheClassifierHearsTheTool: what a tool says about its own error counts
// more than what the error looks like.
func TestTheClassifierHearsTheTool(t *testing.T) {
	t.Parallel()
	var c fault.Classifier
	cut := fmt.Errorf("post: %w", context.DeadlineExceeded)
	for _, r := range []struct {
		name   string
		err    error
		reason fault.Reason
		step   fault.Step
	}{
		{"in doubt", cut, fault.ReasonTimeout, fault.Ask},
		{"it did not run", fault.NotRun(cut), fault.ReasonTimeout, fault.Again},
		{"no use, and still in doubt", fault.Permanent(cut), fault.ReasonTimeout, fault.Ask},
		{"no use, nothing ran", fault.Permanent(errors.New("closed account")), fault.ReasonUnknown, fault.Stop},
		{"an action without a reason", &fault.Fault{Action: fault.FailFast, Ran: fault.RanNo}, fault.ReasonUnknown, fault.Stop},
	} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			o := c.Classify(&fault.Signal{Effect: fault.Write, Err: r.err})
			require.Equal(t, r.reason.String(), o.Fault.Reason.String())
			require.Equal(t, r.step.String(), fault.Next(fault.Write, o.Fault, false, false).String())
		})
	}
	require.Equal(t, fault.KindDenied, c.Classify(&fault.Signal{Err: fault.Denied("no")}).Kind)
}
