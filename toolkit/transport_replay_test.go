package toolkit_test

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

// net/http sends a GET again by itself when a kept connection breaks. One that
// does something is then done twice.
func TestAWriteThatIsAGetIsSentOnce(t *testing.T) {
	t.Parallel()
	writes := func(*http.Request) fault.Effect { return fault.Write }
	for name, effectOf := range map[string]func(*http.Request) fault.Effect{"by the tool": nil, "declared": writes} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS"} {
			url, requests := breaksWhenReused(t)
			client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: pooled(t), Backoff: quick, EffectOf: effectOf})}
			kit := toolkit.New(toolkit.Config{Backoff: quick})
			tool := toolkit.Wrap(kit, toolkit.Tool[query, string]{
				Name: "trigger", Effect: fault.Write, KeyOf: func(q query) string { return q.Customer },
				Call: func(ctx context.Context, _ query) (string, error) {
					return "done", wired{client, ctx, url}.send(method, "/trigger")
				},
			})
			require.True(t, tool.Invoke(t.Context(), query{"ACME", 1}).Outcome.OK(), "%s %s", name, method)
			res := tool.Invoke(t.Context(), query{"Globex", 1})
			require.Equal(t, fault.KindUnknown, res.Outcome.Kind, "%s %s", name, method)
			require.EqualValues(t, 2, requests.Load(), "%s %s", name, method)
		}
	}
	for body, want := range map[string]int32{"": 2, "q": 2} {
		url, requests := breaksWhenReused(t)
		client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: pooled(t), Backoff: quick, EffectOf: writes})}
		for range 2 {
			resp, err := client.Do(request(t, "GET", url, body))
			if err == nil {
				_ = readAll(t, resp)
			}
		}
		require.Equal(t, want, requests.Load(), "outside a wrapped call")
	}
	// A read may be: by its tool, or because it was declared one.
	for effect, effectOf := range map[fault.Effect]func(*http.Request) fault.Effect{
		fault.Read: nil, fault.Write: func(*http.Request) fault.Effect { return fault.Read },
	} {
		url, requests := breaksWhenReused(t)
		b := &till{url: url}
		o := b.attempt(t, effect, toolkit.TransportConfig{Base: pooled(t), EffectOf: effectOf}, func(c wired) error { return c.sends("GET /a", "GET /b") })
		require.True(t, o.OK(), "%+v", o.Fault)
		require.GreaterOrEqual(t, requests.Load(), int32(3))
	}
}

func pooled(t *testing.T) *http.Transport {
	t.Helper()
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	return base
}

// breaksWhenReused serves the first request of each connection, and reads the
// second and closes without a reply.
func breaksWhenReused(t *testing.T) (url string, requests *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	requests = &atomic.Int32{}
	var wg sync.WaitGroup
	serve := func(c net.Conn) {
		defer c.Close()
		buf := make([]byte, 4096)
		if n, _ := c.Read(buf); n == 0 {
			return
		}
		requests.Add(1)
		answer := "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
		_, _ = io.WriteString(c, answer)
		if n, _ := c.Read(buf); n > 0 {
			requests.Add(1)
		}
	}
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { serve(c) })
		}
	})
	t.Cleanup(func() { _ = l.Close() })
	return "http://" + l.Addr().String(), requests
}
