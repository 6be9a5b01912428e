package toolkit_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// cutBody is a server whose answers end before they should.
func cutBody(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"id": 1, "sta`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTransportInsideSeesABodyThatWasCut(t *testing.T) {
	t.Parallel()
	res := tool(t, fault.Read, 1, fetch("GET", cutBody(t), ""))()
	require.Equal(t, fault.KindFailed, res.Outcome.Kind)
	require.Equal(t, fault.ReasonMalformedResponse, res.Outcome.Fault.Reason)
	require.Equal(t, 200, res.Outcome.Fault.Status)

	res = tool(t, fault.Write, 3, fetch("POST", cutBody(t), "pay"))()
	require.Equal(t, fault.RanYes, res.Outcome.Fault.Ran, "it was answered with 200: it happened")
	require.Equal(t, 1, res.Attempts)
}

func TestTransportInsideHandsOverTheWholeBody(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("0123456789", 10_000) // more than is kept
	for _, status := range []int{200, 500} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, large)
		}))
		t.Cleanup(s.Close)
		var got string
		tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) (string, error) {
			req, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
			if err != nil {
				return "", err
			}
			resp, err := c.Do(req)
			if err != nil {
				return "", err
			}
			defer resp.Body.Close()
			b, err := io.ReadAll(resp.Body)
			got = string(b)
			return "", err
		})()
		require.Equal(t, large, got, "status %d", status)
	}
}

// The server sends the second line only after the client has read the first.
func TestTransportInsideDoesNotHoldBackAStream(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first\n")
		w.(http.Flusher).Flush()
		select {
		case <-read:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "second\n")
	}))
	t.Cleanup(s.Close)
	res := tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) ([]string, error) {
		req, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
		if err != nil {
			return nil, err
		}
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		var got []string
		for lines.Scan() {
			if got = append(got, lines.Text()); len(got) == 1 {
				close(read)
			}
		}
		return got, lines.Err()
	})()
	require.Equal(t, []string{"first", "second"}, res.Value, "%+v", res.Outcome)
}

// A decoder stops at the end of the value and never sees the end of the body.
func TestTransportInsideTakesADecodedBodyForWhole(t *testing.T) {
	t.Parallel()
	for _, chunked := range []bool{false, true} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"total": 3}`)
			if chunked {
				w.(http.Flusher).Flush()
			}
		}))
		t.Cleanup(s.Close)
		res := tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) (map[string]int, error) {
			req, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
			if err != nil {
				return nil, err
			}
			resp, err := c.Do(req)
			if err != nil {
				return nil, err
			}
			defer resp.Body.Close()
			var v map[string]int
			return v, json.NewDecoder(resp.Body).Decode(&v)
		})()
		require.True(t, res.Outcome.OK(), "chunked %v: %+v", chunked, res.Outcome)
	}
}

// An upgraded connection is written to through the body.
func TestTransportInsideLeavesAnUpgradedConnectionWritable(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		_ = rw.Flush()
		line, _ := rw.ReadString('\n')
		_, _ = rw.WriteString(line)
		_ = rw.Flush()
	}))
	t.Cleanup(s.Close)
	res := tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) (string, error) {
		req, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
		if err != nil {
			return "", err
		}
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := c.Do(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		if _, err := io.WriteString(resp.Body.(io.Writer), "hello\n"); err != nil {
			return "", err
		}
		return bufio.NewReader(resp.Body).ReadString('\n')
	})()
	require.Equal(t, "hello\n", res.Value, "%+v", res.Outcome)
}

// A function that has what it needs stops reading; the rest of the line it was in
// is not a broken answer. And what it has handled stays handled when it closes.
func TestTransportInsideLeavesItToTheFunctionWhenToStop(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ok":false,"error":"not_yet","rest":"`)
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
	}))
	t.Cleanup(s.Close)
	for _, handled := range []bool{false, true} {
		res := tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) (int, error) {
			req, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
			if err != nil {
				return 0, err
			}
			resp, err := c.Do(req)
			if err != nil {
				return 0, err
			}
			n, err := io.ReadFull(resp.Body, make([]byte, 20))
			if err != nil {
				return 0, err
			}
			if handled {
				toolkit.Handled(ctx)
			}
			return n, resp.Body.Close()
		})()
		require.True(t, res.Outcome.OK(), "handled %v: %+v", handled, res.Outcome)
		require.Zero(t, res.Outcome.Qualifiers)
	}

	whole := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ok":false,"error":"not_yet"}`)
		w.(http.Flusher).Flush()
	}))
	t.Cleanup(whole.Close)
	for _, handled := range []bool{false, true} {
		res := tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) (int, error) {
			req, err := http.NewRequestWithContext(ctx, "GET", whole.URL, nil)
			if err != nil {
				return 0, err
			}
			resp, err := c.Do(req)
			if err != nil {
				return 0, err
			}
			var v map[string]any
			if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
				return 0, err
			}
			if handled {
				toolkit.Handled(ctx)
			}
			return len(v), resp.Body.Close()
		})()
		require.Equal(t, handled, res.Outcome.OK(), "%+v", res.Outcome)
	}
}

// What a transport keeps is less than what the function has read; the result is
// whole all the same.
func TestTransportInsideDoesNotCallALongBodyTruncated(t *testing.T) {
	t.Parallel()
	for _, chunked := range []bool{false, true} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `["`+strings.Repeat("x", 10_000)+`",`)
			if chunked {
				w.(http.Flusher).Flush()
			}
			_, _ = io.WriteString(w, `"end"]`)
		}))
		t.Cleanup(s.Close)
		res := tool(t, fault.Read, 1, fetch("GET", s.URL, ""))()
		require.True(t, res.Outcome.OK(), "%+v", res.Outcome)
		require.Zero(t, res.Outcome.Qualifiers, "chunked %v", chunked)
	}
}

// The body of an earlier response, closed late, does not become that of a later one.
func TestTransportInsideKeepsResponsesApart(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "some page") })
	mux.HandleFunc("/refused", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":{"code":"insufficient_quota"}}`)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	res := tool(t, fault.Read, 1, func(ctx context.Context, c *http.Client) (string, error) {
		var opened []io.Closer
		for _, path := range []string{"/page", "/refused"} {
			req, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
			if err != nil {
				return "", err
			}
			resp, err := c.Do(req)
			if err != nil {
				return "", err
			}
			opened = append(opened, resp.Body)
		}
		return "", errors.Join(opened[1].Close(), opened[0].Close(), errors.New("refused"))
	})()
	require.Equal(t, "insufficient_quota", res.Outcome.Fault.Code, "%+v", res.Outcome)
}
