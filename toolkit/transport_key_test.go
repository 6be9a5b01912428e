package toolkit_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// echo is a server that answers with the keys of the requests it got so far.
func echo(t *testing.T, failFirst bool) (url string, keys func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/b", http.StatusTemporaryRedirect)
		}
		mu.Lock()
		got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("Idempotency-Key"))
		first := len(got) == 1
		mu.Unlock()
		if first && failFirst {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), got...)
	}
}

func send(ctx context.Context, c *http.Client, method, url string) error {
	_, err := fetch(method, url, "x")(ctx, c)
	return err
}

func TestTransportInsideHandsTheKeyToTheService(t *testing.T) {
	t.Parallel()
	url, keys := echo(t, true)
	var key string
	res := tool(t, fault.Write, 3, func(ctx context.Context, c *http.Client) (string, error) {
		key = toolkit.IdempotencyKey(ctx)
		if err := send(ctx, c, "POST", url+"/pay"); err != nil {
			return "", err
		}
		return "paid", send(ctx, c, "GET", url+"/pay")
	})()
	require.True(t, res.Outcome.OK(), "%+v", res.Outcome)
	require.NotEmpty(t, key)
	require.Equal(t, []string{"POST /pay " + key, "POST /pay " + key, "GET /pay "}, keys(), "the second attempt has the key of the first; a read has none")
}

// One key on two different requests is refused by the service, or answered with
// the result of the other.
func TestTransportInsideGivesEachRequestItsOwnKey(t *testing.T) {
	t.Parallel()
	url, keys := echo(t, false)
	steps := func(ctx context.Context, c *http.Client) (string, error) {
		for _, path := range []string{"/a", "/b", "/b", "/a"} {
			if err := send(ctx, c, "POST", url+path); err != nil {
				return "", err
			}
		}
		return toolkit.IdempotencyKey(ctx), nil
	}
	res := tool(t, fault.Write, 1, steps)()
	require.True(t, res.Outcome.OK(), "%+v", res.Outcome)
	got := keys()
	require.Len(t, got, 4)
	require.Equal(t, "POST /a "+res.Value, got[0])
	seen := map[string]bool{}
	for _, k := range got {
		seen[k[strings.LastIndex(k, " "):]] = true
	}
	require.Len(t, seen, 4, "%q", got)
}

func TestTransportInsideKeepsAKeyThatIsThereAndFollowsRedirects(t *testing.T) {
	t.Parallel()
	url, keys := echo(t, false)
	var key string
	res := tool(t, fault.Write, 1, func(ctx context.Context, c *http.Client) (string, error) {
		key = toolkit.IdempotencyKey(ctx)
		if err := send(ctx, c, "POST", url+"/moved"); err != nil {
			return "", err
		}
		req, err := http.NewRequestWithContext(ctx, "POST", url+"/own", nil)
		if err != nil {
			return "", err
		}
		req.Header.Set("Idempotency-Key", "mine")
		resp, err := c.Do(req)
		if err != nil {
			return "", err
		}
		return "", resp.Body.Close()
	})()
	require.True(t, res.Outcome.OK(), "%+v", res.Outcome)
	require.Equal(t, []string{"POST /moved " + key, "POST /b " + key, "POST /own mine"}, keys())
}

// The key of the call is for what writes: not for a search that is a POST, and
// for a GET that does something.
func TestTheKeyGoesWithWhatWrites(t *testing.T) {
	t.Parallel()
	keys := map[string]string{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { keys[r.URL.Path] = r.Header.Get("Idempotency-Key") }))
	t.Cleanup(s.Close)
	cfg := toolkit.TransportConfig{EffectOf: func(r *http.Request) fault.Effect {
		switch r.URL.Path {
		case "/search":
			return fault.Read
		case "/trigger":
			return fault.Write
		}
		return fault.Undeclared
	}}
	(&till{url: s.URL}).attempt(t, fault.Write, cfg, func(c wired) error {
		return c.sends("GET /look", "POST /search", "GET /trigger", "POST /pay")
	})
	require.Empty(t, keys["/look"])
	require.Empty(t, keys["/search"])
	require.NotEmpty(t, keys["/trigger"])
	require.NotEmpty(t, keys["/pay"])
}
