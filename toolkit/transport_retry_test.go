package toolkit_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// quick waits next to nothing, for servers that are real.
var quick = toolkit.Backoff{Base: time.Millisecond}

// answers is a server that gives these statuses in turn, the last one for ever.
// Each answer has its number as its body.
func answers(t *testing.T, statuses ...int) (url string, requests *atomic.Int32, bodies func() []string) {
	t.Helper()
	requests = new(atomic.Int32)
	got := make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(requests.Add(1))
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
		w.WriteHeader(statuses[min(n, len(statuses))-1])
		_, _ = io.WriteString(w, strings.Repeat("answer ", n))
	}))
	t.Cleanup(s.Close)
	return s.URL, requests, func() []string {
		var all []string
		for len(got) > 0 {
			all = append(all, <-got)
		}
		return all
	}
}

func request(t *testing.T, method, url, body string) *http.Request {
	t.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, r)
	require.NoError(t, err)
	return req
}

func readAll(t *testing.T, resp *http.Response) string {
	t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(b)
}

func TestTransportAloneRetriesWhatIsSafeAndUseful(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, method string
		key          bool
		statuses     []int
		requests     int32
		status       int
	}{
		{"a read that recovers", "GET", false, []int{503, 500, 200}, 3, 200},
		{"a read that does not: the last answer comes back", "GET", false, []int{502, 502, 503}, 3, 503},
		{"no credential gets better by asking again", "GET", false, []int{401}, 1, 401},
		{"nor does what is not there", "GET", false, []int{404}, 1, 404},
		{"an idempotent write", "PUT", false, []int{500, 201}, 2, 201},
		{"a write that may have happened", "POST", false, []int{500, 201}, 1, 500},
		{"a write that was refused at the door", "POST", false, []int{429, 201}, 2, 201},
		{"a write under a key", "POST", true, []int{500, 201}, 2, 201},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			url, requests, bodies := answers(t, tc.statuses...)
			client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Backoff: quick})}
			body := ""
			if tc.method != "GET" {
				body = `{"pay":1}`
			}
			req := request(t, tc.method, url, body)
			if tc.key {
				req.Header.Set("Idempotency-Key", "k1")
			}
			resp, err := client.Do(req)
			require.NoError(t, err)
			require.Equal(t, tc.status, resp.StatusCode)
			require.Equal(t, strings.Repeat("answer ", int(tc.requests)), readAll(t, resp), "the body of the last answer is whole")
			require.Equal(t, tc.requests, requests.Load())
			for _, got := range bodies() {
				require.Equal(t, body, got, "every attempt sends the whole body")
			}
		})
	}
}

// A body that can be read only once is sent once.
func TestTransportAloneSendsAStreamOnce(t *testing.T) {
	t.Parallel()
	url, requests, bodies := answers(t, 503, 200)
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Backoff: quick})}
	req := request(t, "PUT", url, "")
	req.Body = io.NopCloser(strings.NewReader("stream"))
	resp, err := client.Do(req)
	require.NoError(t, err)
	require.Equal(t, 503, resp.StatusCode)
	_ = readAll(t, resp)
	require.EqualValues(t, 1, requests.Load())
	require.Equal(t, []string{"stream"}, bodies())
}

func TestTransportAloneTellsAboutEachRetry(t *testing.T) {
	t.Parallel()
	url, _, _ := answers(t, 503, 429, 200)
	var told []toolkit.Retry
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{
		Backoff: quick, OnRetry: func(r toolkit.Retry) { told = append(told, r) },
	})}
	resp, err := client.Do(request(t, "GET", url, ""))
	require.NoError(t, err)
	_ = readAll(t, resp)
	require.Len(t, told, 2)
	require.Equal(t, fault.ReasonOverloaded, told[0].Fault.Reason)
	require.Equal(t, fault.ReasonRateLimit, told[1].Fault.Reason)
	require.Equal(t, 2, told[1].Attempt)
	require.Positive(t, told[1].Wait)
}

func TestTransportAloneKeepsTheTypeOfAConnectionError(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "http://" + l.Addr().String()
	require.NoError(t, l.Close())
	for _, method := range []string{"GET", "POST"} { // nothing was sent: a write may be repeated too
		var dials atomic.Int32
		base := http.DefaultTransport.(*http.Transport).Clone()
		base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			dials.Add(1)
			return new(net.Dialer).DialContext(ctx, network, address)
		}
		client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: base, Backoff: quick})}
		_, err = client.Do(request(t, method, url, "x"))
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
		var op *net.OpError
		require.ErrorAs(t, err, &op)
		require.EqualValues(t, 3, dials.Load(), method)
		require.Equal(t, 1, strings.Count(err.Error(), url), "said once: %v", err)
	}
}

// cutAfterRequest is a server that reads the request and resets the connection.
func cutAfterRequest(t *testing.T) (url string, requests *atomic.Int32) {
	t.Helper()
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		requests.Add(1)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

func TestTransportAloneDoesNotRepeatAWriteWhoseReplyWasLost(t *testing.T) {
	t.Parallel()
	url, requests := cutAfterRequest(t)
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Backoff: quick})}
	_, err := client.Do(request(t, "POST", url, "pay"))
	require.Error(t, err)
	require.EqualValues(t, 1, requests.Load())
}

func TestTransportAloneLeavesRedirectsToTheClient(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/new", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/new", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	transport := toolkit.NewTransport(toolkit.TransportConfig{})
	resp, err := (&http.Client{Transport: transport}).Do(request(t, "POST", s.URL+"/old", "moved"))
	require.NoError(t, err)
	require.Equal(t, "moved", readAll(t, resp))

	resp, err = transport.RoundTrip(request(t, "GET", s.URL+"/old", ""))
	require.NoError(t, err)
	require.Equal(t, http.StatusTemporaryRedirect, resp.StatusCode, "the transport itself follows nothing")
	_ = readAll(t, resp)
}

// A request that gives up must not take the pooled connections of the others.
func TestTransportAloneLeavesIdleConnectionsAlone(t *testing.T) {
	t.Parallel()
	url, _ := cutAfterRequest(t)
	base := &closeCounter{RoundTripper: http.DefaultTransport}
	transport := toolkit.NewTransport(toolkit.TransportConfig{Base: base, Backoff: quick})
	client := &http.Client{Transport: transport}
	_, err := client.Do(request(t, "GET", url, ""))
	require.Error(t, err)
	require.Zero(t, base.closed.Load())
	client.CloseIdleConnections()
	require.EqualValues(t, 1, base.closed.Load(), "unless the owner says so")
}

type closeCounter struct {
	http.RoundTripper
	closed atomic.Int32
}

func (c *closeCounter) CloseIdleConnections() { c.closed.Add(1) }

// roundTrip is a base transport without a network, for tests of time.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func reply(r *http.Request, status int, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Request: r, Body: io.NopCloser(strings.NewReader("")), ContentLength: 0}
}

func TestTransportAloneWaitsAsTheServerAsks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		after    string
		cfg      toolkit.TransportConfig
		deadline time.Duration
		requests int
		atLeast  time.Duration
		below    time.Duration
	}{
		{name: "as long as it says", after: "7", requests: 3, atLeast: 14 * time.Second, below: 15 * time.Second},
		{name: "by itself: 1 s, 2 s, and up to 1 s more each", requests: 3, atLeast: 3 * time.Second, below: 5 * time.Second},
		{name: "not longer than it may", after: "31", requests: 1, below: 1},
		{name: "unless it may", after: "31", cfg: toolkit.TransportConfig{MaxWait: time.Minute}, requests: 3, atLeast: 62 * time.Second, below: 63 * time.Second},
		{name: "not beyond the deadline", after: "10", deadline: 15 * time.Second, requests: 2, atLeast: 10 * time.Second, below: 11 * time.Second},
		{name: "not more often than it may", cfg: toolkit.TransportConfig{MaxAttempts: 2}, requests: 2, atLeast: time.Second, below: 2 * time.Second},
		{name: "never", cfg: toolkit.TransportConfig{MaxAttempts: 1}, requests: 1, below: 1},
		{name: "while the budget lasts", cfg: toolkit.TransportConfig{Retries: toolkit.NewRetryBudget(5)}, requests: 2, atLeast: time.Second, below: 2 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				tc.cfg.Base = roundTrip(func(r *http.Request) (*http.Response, error) {
					requests++
					return reply(r, 503, "Retry-After", tc.after), nil
				})
				ctx := t.Context()
				if tc.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tc.deadline)
					defer cancel()
				}
				began := time.Now()
				resp, err := toolkit.NewTransport(tc.cfg).RoundTrip(request(t, "GET", "http://x", "").WithContext(ctx))
				require.NoError(t, err)
				require.Equal(t, 503, resp.StatusCode, "the answer is not hidden")
				require.Equal(t, tc.requests, requests)
				require.GreaterOrEqual(t, time.Since(began), tc.atLeast)
				require.Less(t, time.Since(began), tc.below)
			})
		})
	}
}

func TestTransportAloneStopsWaitingWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		base := roundTrip(func(r *http.Request) (*http.Response, error) { return reply(r, 503, "Retry-After", "20"), nil })
		time.AfterFunc(3*time.Second, cancel)
		began := time.Now()
		_, err := toolkit.NewTransport(toolkit.TransportConfig{Base: base}).RoundTrip(request(t, "GET", "http://x", "").WithContext(ctx))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 3*time.Second, time.Since(began))
	})
}

func TestTransportAloneKnowsASearchThatIsAPost(t *testing.T) {
	t.Parallel()
	url, requests, _ := answers(t, 500, 200)
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{
		Backoff: quick, EffectOf: func(r *http.Request) fault.Effect {
			if r.URL.Path == "/search" {
				return fault.Read
			}
			return fault.Undeclared
		},
	})}
	resp, err := client.Do(request(t, "POST", url+"/search", "q"))
	require.NoError(t, err)
	_ = readAll(t, resp)
	require.EqualValues(t, 2, requests.Load())

	url, requests, _ = answers(t, 500, 200)
	resp, err = client.Do(request(t, "POST", url+"/pay", "q"))
	require.NoError(t, err)
	_ = readAll(t, resp)
	require.EqualValues(t, 1, requests.Load(), "the rest goes by its method")
}

// A base that does not trace leaves open whether a request was sent, and a
// write is then not repeated.
func TestTransportAloneWithABaseThatDoesNotTrace(t *testing.T) {
	t.Parallel()
	requests := 0
	base := roundTrip(func(*http.Request) (*http.Response, error) { requests++; return nil, errors.New("broken") })
	_, err := toolkit.NewTransport(toolkit.TransportConfig{Base: base, Backoff: quick}).RoundTrip(request(t, "POST", "http://x", "pay"))
	require.ErrorContains(t, err, "broken")
	require.Equal(t, 1, requests)
}
