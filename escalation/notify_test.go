package escalation_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/escalation"
)

func TestTheLogNamesTheCaseWithoutItsPayload(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.DebugLevel)
	o := newOffice(t, escalation.Config{Redact: func(s string) string { return s }, Notify: escalation.NewLog(zap.New(core))})
	held, _, err := o.ledger.Hold(t.Context(), payment("4711"), "more than the limit, with hunter2", 0)
	require.NoError(t, err)
	row := held.Row
	require.NoError(t, o.Opened(t.Context(), row))
	require.Equal(t, 1, logs.Len())
	entry := logs.All()[0]
	require.Equal(t, zapcore.WarnLevel, entry.Level)
	require.Equal(t, "case opened", entry.Message)
	fields := entry.ContextMap()
	require.Equal(t, row.CaseID(), fields["case"])
	require.Equal(t, "pay_invoice", fields["tool"])
	require.Equal(t, "run-1", fields["run_id"])
	require.NotContains(t, fields, "deadline", "it has none")
	for _, v := range fields {
		require.NotContains(t, fmt.Sprint(v), "hunter2")
	}
}

func TestALogWithoutALoggerIsSilent(t *testing.T) {
	t.Parallel()
	require.NoError(t, escalation.NewLog(nil).Notify(t.Context(), escalation.Case{}))
}

func TestAllNotifiersAreToldWhateverOneDoes(t *testing.T) {
	t.Parallel()
	errSlack := errors.New("500")
	var told []string
	ok := func(name string) escalation.Notifier {
		return escalation.NotifierFunc(func(_ context.Context, c escalation.Case) error {
			told = append(told, name+" "+c.ID)
			return nil
		})
	}
	all := escalation.Notifiers(
		ok("a"), nil,
		escalation.NotifierFunc(func(context.Context, escalation.Case) error { return errBusy }),
		escalation.NotifierFunc(func(context.Context, escalation.Case) error { panic("oops") }),
		escalation.NotifierFunc(func(context.Context, escalation.Case) error { return errSlack }),
		ok("b"),
	)
	err := all.Notify(t.Context(), escalation.Case{ID: "1-1"})
	require.ErrorIs(t, err, errBusy)
	require.ErrorIs(t, err, errSlack)
	require.ErrorContains(t, err, "panicked")
	require.Equal(t, []string{"a 1-1", "b 1-1"}, told)
	require.NoError(t, escalation.Notifiers().Notify(t.Context(), escalation.Case{}))
}
