package cases_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/tests/internal/traces"
	"github.com/failloud/failloud/toolkit"
)

// One layer retries, under one deadline, and the record shows every attempt:
// also where the tool hangs until its own time is up, and where its requests go
// through a transport that can retry by itself.
func deadlineBoundsAllAttempts(t *testing.T, r report) {
	const deadline = 30 * time.Second
	for _, takes := range []time.Duration{0, 9 * time.Second, 14 * time.Second, time.Hour} {
		tr := traces.New()
		var starts []time.Duration
		s := newStage(t, r, staging{config: tr.Config()})
		began := time.Now()
		service := func(request *http.Request) (*http.Response, error) {
			starts = append(starts, time.Since(began))
			select {
			case <-time.After(takes):
				_, err := s.answer(request.Context(), r.Input.Tool)
				return nil, err
			case <-request.Context().Done():
				return nil, request.Context().Err()
			}
		}
		client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: roundTripper(service)})}
		model := toolkit.Wrap(s.kit, toolkit.Tool[struct{}, string]{
			Name: "through_transport", Effect: r.Declares.Effect, Timeout: 14 * time.Second,
			Call: func(ctx context.Context, _ struct{}) (string, error) {
				request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://service.test/", nil)
				if err != nil {
					return "", err
				}
				_, err = client.Do(request)
				return "", err
			},
		})
		ctx, run, _ := s.start(t)
		ctx, cancel := context.WithTimeout(ctx, deadline)
		s.stageFor(r.Input.Calls[0])
		result := model.Invoke(ctx, struct{}{})
		cancel()
		run.End()

		require.Equal(t, fault.KindFailed, result.Outcome.Kind)
		require.Equal(t, fault.ReasonTimeout, result.Outcome.Reason())
		require.LessOrEqual(t, time.Since(began), deadline)
		require.NotEmpty(t, starts)
		require.LessOrEqual(t, len(starts), toolkit.DefaultMaxAttempts, "the function's requests are the attempts")
		for _, at := range starts {
			require.Less(t, at, deadline)
		}
		require.Equal(t, len(starts), result.Attempts)
		require.Equal(t, len(starts), int(run.Calls()[0].Attempts))
		require.Len(t, tr.Events(runrecord.EventRetry), len(starts)-1, "every attempt but the last is an event of its own")
		require.Equal(t, len(starts), tr.Events(runrecord.EventCall)[0].Attempts)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A date is as good as a number of seconds, in each form that HTTP allows.
func retryAfterDates(t *testing.T, r report) {
	limited := r.Input.Calls[0].Attempts[0]
	require.Equal(t, http.StatusTooManyRequests, limited.Status)
	asked := func(header string) attempt {
		a := limited
		a.Headers = map[string]string{"Retry-After": header}
		return a
	}
	healthy := attempt{Type: "value", Value: []byte(`"posted"`)}
	try := func(attempts ...attempt) (toolkit.Response, *stage, *runrecord.Run, time.Duration) {
		s := newStage(t, r, staging{})
		ctx, run, _ := s.start(t)
		began := time.Now()
		response := s.call(ctx, call{Attempts: attempts})
		return response, s, run, time.Since(began)
	}

	for _, form := range []string{http.TimeFormat, "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		date := func(d time.Duration) string { return time.Now().UTC().Add(d).Format(form) }

		response, s, _, waited := try(asked(date(12*time.Second)), healthy)
		require.Equal(t, fault.KindOK, response.Outcome.Kind, form)
		require.Equal(t, 2, s.entries())
		require.GreaterOrEqual(t, waited, 11*time.Second, "a date has whole seconds")
		require.LessOrEqual(t, waited, 12*time.Second)

		response, _, _, waited = try(asked(date(-time.Hour)), healthy)
		require.Equal(t, fault.KindOK, response.Outcome.Kind, form)
		require.GreaterOrEqual(t, waited, time.Second, "the own backoff")
		require.LessOrEqual(t, waited, 2*time.Second)

		response, s, run, waited := try(asked(date(48*time.Hour)), healthy)
		require.Equal(t, fault.KindFailed, response.Outcome.Kind, form)
		require.Zero(t, waited, "not slept")
		require.Equal(t, 1, s.entries())
		require.Greater(t, response.Outcome.Fault.Wait, 47*time.Hour)
		require.Equal(t, http.StatusTooManyRequests, response.Outcome.Fault.Status)
		require.EqualValues(t, http.StatusTooManyRequests, run.Calls()[0].Status)

		// Used up: the 429 is what the record keeps.
		response, s, run, _ = try(asked(date(2 * time.Second)))
		require.Equal(t, fault.KindFailed, response.Outcome.Kind)
		require.Equal(t, toolkit.DefaultMaxAttempts, s.entries())
		require.Equal(t, fault.ReasonRateLimit, run.Calls()[0].Reason)
		require.EqualValues(t, http.StatusTooManyRequests, run.Calls()[0].Status)
		require.Contains(t, response.String(), "429 (rate_limit)")
	}

	response, _, run, _ := try(limited) // the report's own date
	require.Equal(t, fault.KindFailed, response.Outcome.Kind)
	require.Equal(t, fault.Retry, response.Outcome.Fault.Action)
	require.EqualValues(t, http.StatusTooManyRequests, run.Calls()[0].Status)
}

// A wait that does not fit is not slept, and whoever asks is told when to come back.
func waitThatDoesNotFit(t *testing.T, r report) {
	s := newStage(t, r, staging{})
	ctx, run, judge := s.start(t)
	began := time.Now()
	response := s.call(ctx, r.Input.Calls[0])
	require.Zero(t, time.Since(began))
	require.Equal(t, 1, s.entries())
	require.Equal(t, fault.KindFailed, response.Outcome.Kind)
	require.Equal(t, fault.Retry, response.Outcome.Fault.Action)
	require.Equal(t, time.Hour, response.Outcome.Fault.Wait)
	require.Equal(t, time.Hour, run.Calls()[0].Detail.Wait)
	require.Contains(t, response.String(), "60 min")

	for _, draft := range []string{"All done.", "", "I could not do it: the service has a limit."} {
		verdict := judge.Final(ctx, draft)
		require.Equal(t, guard.Refuse, verdict.Decision, draft)
		require.Equal(t, guard.StepEvidence, verdict.Step)
		require.True(t, strings.Contains(verdict.Text, "1 hour") || strings.Contains(verdict.Text, "60 minutes"), verdict.Text)
	}
}
