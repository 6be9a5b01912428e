package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var invoice = Payment{Invoice: "INV-7", Cents: 4200}

func play(t *testing.T, s story, fates ...fate) (told, *provider) {
	t.Helper()
	service, err := startProvider(fates...)
	require.NoError(t, err)
	t.Cleanup(service.Close)
	out, err := s(t.Context(), service, invoice, zap.NewNop())
	require.NoError(t, err)
	return out, service
}

func TestALostReplyIsFoundByTheCheck(t *testing.T) {
	t.Parallel()
	out, service := play(t, checked, replyLost)
	last := out.legs[0]
	require.Equal(t, service.paid(invoice.Invoice)[0], last.result.Value, "the result of the payment that was made is kept")
	require.Equal(t, 1, last.result.Attempts)
	require.Equal(t, 1, service.asked())
	require.Equal(t, runrecord.Answered, last.state)
}

func TestALostRequestIsPaidAgain(t *testing.T) {
	t.Parallel()
	out, service := play(t, checked, requestLost)
	require.Len(t, service.paid(invoice.Invoice), 1)
	require.Equal(t, 2, service.asked())
	require.Equal(t, runrecord.Answered, out.legs[0].state)
}

func TestWithoutACheckAPersonIsAskedAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	out, service := play(t, asked, replyLost)
	require.Len(t, out.legs, 2)

	first := out.legs[0]
	require.Equal(t, fault.KindUnknown, first.result.Outcome.Kind)
	require.Equal(t, guard.Escalate, first.verdict.Decision)
	require.NotContains(t, first.verdict.Text, "is paid", "nothing is promised while nobody knows")
	require.Equal(t, runrecord.Waiting, first.state)

	require.Equal(t, "pay_invoice", out.asked.Tool)
	require.Contains(t, out.asked.Args, invoice.Invoice)
	require.Len(t, out.asked.Attempts, 1)
	require.NotEmpty(t, out.asked.RemoteKey, "what to search for at the provider")
	require.Equal(t, idempotency.WentThrough, out.choice)

	second := out.legs[1]
	require.Equal(t, 2, second.number, "the run goes on as a new leg")
	require.Equal(t, service.paid(invoice.Invoice)[0], second.result.Value)
	require.Equal(t, guard.Answer, second.verdict.Decision)
	require.Contains(t, second.verdict.Text, "is paid, the receipt is R-1")
	require.Equal(t, runrecord.Answered, second.state)
	require.Equal(t, 1, service.asked(), "the second leg does not pay")
}

func TestWhatAPersonDidNotFindIsPaidOnce(t *testing.T) {
	t.Parallel()
	out, service := play(t, asked, requestLost)
	require.Equal(t, idempotency.RunAgain, out.choice)
	require.Len(t, service.paid(invoice.Invoice), 1)
	require.Equal(t, runrecord.Answered, out.legs[1].state)
}

func TestARestartedAgentFindsWhatHappened(t *testing.T) {
	t.Parallel()
	out, service := play(t, restarted, noReply)
	require.Len(t, out.legs, 2)
	require.NotContains(t, out.legs[0].verdict.Text, "is paid")
	require.Equal(t, 1, out.recovered.Done)

	second := out.legs[1]
	require.Equal(t, fault.Replayed, second.result.Outcome.Qualifiers&fault.Replayed)
	require.Equal(t, service.paid(invoice.Invoice)[0], second.result.Value)
	require.Equal(t, runrecord.Answered, second.state)
	require.Equal(t, 1, service.asked(), "one request to pay in the life of both processes")
}

// Whatever is lost, and however often: at most one payment, and none is claimed
// that was not made.
func TestNeverPaidTwice(t *testing.T) {
	t.Parallel()
	stories := map[string]story{"checked": checked, "asked": asked}
	lost := []fate{answered, replyLost, requestLost}
	for name, s := range stories {
		for _, first := range lost {
			for _, second := range lost {
				if first == answered && name == "asked" {
					continue // nobody is asked
				}
				t.Run(fmt.Sprintf("%s/%d%d", name, first, second), func(t *testing.T) {
					t.Parallel()
					out, service := play(t, s, first, second)
					paid := len(service.paid(invoice.Invoice))
					require.LessOrEqual(t, paid, 1)
					for _, l := range out.legs {
						if strings.Contains(l.verdict.Text, "is paid") {
							require.Equal(t, 1, paid, l.verdict.Text)
						}
					}
				})
			}
		}
	}
}

func TestThePageEndsWithWhoWasPaidHowOften(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, demo(t.Context(), &out))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 101, line)
	}
	_, summary, found := strings.Cut(out.String(), "Who was paid, how often")
	require.True(t, found)
	for _, c := range chapters {
		_, row, found := strings.Cut(summary, c.payment.Invoice)
		require.True(t, found)
		row, _, _ = strings.Cut(row, "\n")
		fields := strings.Fields(row)
		require.Equal(t, "1", fields[len(fields)-1], "payments of %s", c.payment.Invoice)
	}
}
