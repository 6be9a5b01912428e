package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestAPendingCallIsPolledToItsEnd(t *testing.T) {
	t.Parallel()
	pending := toolkit.Pending("job-7")
	for _, tt := range []struct {
		name     string
		effect   fault.Effect
		polls    []error // the last one stays
		deadline time.Duration
		kind     fault.Kind
		polled   int
	}{
		{"done at once", fault.Read, []error{nil}, time.Minute, fault.KindOK, 1},
		{"done the third time", fault.Read, []error{pending, pending, nil}, time.Minute, fault.KindOK, 3},
		{"a poll that fails is asked again", fault.Read, []error{overloaded(), nil}, time.Minute, fault.KindOK, 2},
		{"a part of it", fault.Read, []error{toolkit.Partial(nil)}, time.Minute, fault.KindOK, 1},
		{"not done in time", fault.Read, []error{pending}, 10 * time.Second, fault.KindPending, 4},
		{"it failed", fault.Write, []error{refusedBy(fault.ReasonSoftError, 0)}, time.Minute, fault.KindFailed, 1},
		{"the question failed: the work may go on", fault.Write, []error{errors.New("boom")}, time.Minute, fault.KindUnknown, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				polls := ending(tt.polls...)
				kit := single()
				pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
					Name: "pay", Effect: tt.effect, Timeout: time.Second,
					Call: func(context.Context, query) (invoice, error) { return invoice{ID: "job-7"}, pending },
					Await: func(ctx context.Context, q query, last invoice) (invoice, error) {
						require.NotEmpty(t, last.ID, "it is given what was returned last")
						got, err := polls.call(ctx, q)
						if err != nil {
							return last, err
						}
						return got, nil
					},
				})
				ctx, _ := start(t, kit, runrecord.Task{Key: "ticket-1"})
				ctx, cancel := context.WithTimeout(ctx, tt.deadline)
				defer cancel()
				res := pay.Invoke(ctx, acme)
				require.Equal(t, tt.kind, res.Outcome.Kind)
				require.InDelta(t, tt.polled, polls.entered.Load(), 1)
				require.Equal(t, 1, res.Attempts, "polling is not another attempt")
				if tt.kind == fault.KindPending {
					require.Equal(t, "job-7", res.Value.ID)
					require.ErrorIs(t, res.Err(), toolkit.ErrPending)
					require.Contains(t, res.String(), "TOOL_PENDING")
				}
			})
		})
	}
}

func TestAPendingCallWithoutAwaitStaysSo(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write,
		Call: func(context.Context, query) (invoice, error) { return invoice{ID: "job-7"}, toolkit.Pending("job-7") }})
	ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
	res := pay.Invoke(ctx, acme)
	require.Equal(t, fault.KindPending, res.Outcome.Kind)
	require.NotContains(t, res.String(), "job-7")
	require.Equal(t, "job-7", run.Calls()[0].Detail.Code)
	require.True(t, run.Settle(res.Seq(), fault.Outcome{Kind: fault.KindOK}), "the number finds the call again")
	require.Equal(t, fault.KindOK, run.Calls()[0].Kind)
}

func TestWorkThatAServiceAcceptedIsAwaited(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
		}
		asked.Add(1)
		_, _ = io.WriteString(w, `{"id":"job-7","amount":12}`)
	}))
	t.Cleanup(service.Close)
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{})}
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	ask := func(ctx context.Context, method string) (got invoice, err error) {
		req, err := http.NewRequestWithContext(ctx, method, service.URL, nil)
		if err != nil {
			return got, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return got, err
		}
		defer resp.Body.Close()
		return got, json.NewDecoder(resp.Body).Decode(&got)
	}
	kit := single()
	pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
		Name: "pay", Effect: fault.Write, Timeout: time.Second,
		Call:  func(ctx context.Context, _ query) (invoice, error) { return ask(ctx, http.MethodPost) },
		Await: func(ctx context.Context, _ query, _ invoice) (invoice, error) { return ask(ctx, http.MethodGet) },
	})
	ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
	res := pay.Invoke(ctx, acme)
	require.True(t, res.Outcome.OK(), "%v", res.Outcome)
	require.EqualValues(t, 2, asked.Load())
	require.EqualValues(t, 200, run.Calls()[0].Status, "of the answer that counts")
}
