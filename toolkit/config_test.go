package toolkit_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestTheKitsDetectorsAreAskedAboutEveryTool(t *testing.T) {
	t.Parallel()
	house := errors.New("E_HOUSE")
	saying := func(reason fault.Reason) fault.Detector {
		return fault.DetectorFunc(func(s *fault.Signal) (fault.Outcome, bool) {
			if !errors.Is(s.Err, house) {
				return fault.Outcome{}, false
			}
			return fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: reason, Action: fault.FailFast}}, true
		})
	}
	kit := toolkit.New(toolkit.Config{Classify: []fault.Detector{saying(fault.ReasonQuota)}})
	one, two := read(kit, "one", ending(house).call), read(kit, "two", ending(house).call)
	own := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "own", Effect: fault.Read, Call: ending(house).call,
		Classify: []fault.Detector{saying(fault.ReasonBilling)}})
	require.Equal(t, fault.ReasonQuota, one.Invoke(t.Context(), acme).Outcome.Reason())
	require.Equal(t, fault.ReasonQuota, two.Invoke(t.Context(), acme).Outcome.Reason())
	require.Equal(t, fault.ReasonBilling, own.Invoke(t.Context(), acme).Outcome.Reason(), "the tool's own come first")

	_, _, err := toolkit.New(toolkit.Config{Classify: []fault.Detector{nil}}).Start(t.Context(), runrecord.Task{})
	require.ErrorContains(t, err, "Classify[0]")
}

func TestASinkThatFailsIsReported(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	var told []error
	kit := toolkit.New(toolkit.Config{
		Sinks:       []runrecord.Sink{runrecord.SinkFunc(func(runrecord.Event) error { return full })},
		OnSinkError: func(err error) { told = append(told, err) },
	})
	get := read(kit, "get", lookUp)
	ctx, run := start(t, kit, runrecord.Task{})
	get.Invoke(ctx, acme)
	run.End()
	require.Len(t, told, 1, "once")
	require.ErrorIs(t, told[0], full)
	require.EqualValues(t, 3, kit.SinkErrors(), "started, called, ended")
}
