package toolkit_test

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// net/http sends a request with an Idempotency-Key again by itself when a kept
// connection breaks. A service that does not honour the key then pays twice.
func TestAWriteOnAKeptConnectionIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"", "Idempotency-Key", "X-Idempotency-Key"} {
		var effects atomic.Int32
		var keyed atomic.Bool
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if r.Method == http.MethodGet {
				return
			}
			effects.Add(1)
			keyed.Store(r.Header.Get(cmp.Or(own, "Idempotency-Key")) != "")
			panic(http.ErrAbortHandler) // after the effect, before the reply
		}))
		t.Cleanup(service.Close)
		base := &http.Transport{}
		t.Cleanup(base.CloseIdleConnections)
		client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: base})}
		pay := func(ctx context.Context, _ query) (invoice, error) {
			for _, method := range []string{http.MethodGet, http.MethodPost} { // the first leaves a kept connection
				req, err := http.NewRequestWithContext(ctx, method, service.URL, strings.NewReader("{}"))
				if err != nil {
					return invoice{}, err
				}
				if own != "" {
					req.Header.Set(own, toolkit.IdempotencyKey(ctx))
				}
				resp, err := client.Do(req)
				if err != nil {
					return invoice{}, err
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			return invoice{}, nil
		}
		kit := toolkit.New(toolkit.Config{})
		tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write, Call: pay})
		ctx, _ := start(t, kit, runrecord.Task{Key: "ticket-1"})
		res := tool.Invoke(ctx, acme)
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		require.Equal(t, fault.ReasonNetwork, res.Outcome.Reason(), "of the request that failed, not of the one before it")
		require.Equal(t, fault.RanUnknown, res.Outcome.Fault.Ran)
		require.EqualValues(t, 1, effects.Load())
		require.True(t, keyed.Load(), "the service is still handed the key")
	}
}
