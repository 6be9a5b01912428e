package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// till answers each path by the status it begins with ("/200/pay"), and counts
// the payments: what a path with "pay" was sent by another method than GET.
type till struct {
	url  string
	pays atomic.Int32
}

func newTill(t *testing.T) *till {
	t.Helper()
	b := &till{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		parts := strings.SplitN(strings.Trim(r.URL.Path, "/"), "/", 3)
		status, err := strconv.Atoi(parts[0])
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if strings.Contains(r.URL.Path, "pay") && r.Method != http.MethodGet && status < 400 {
			b.pays.Add(1)
		}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case status >= 300 && status < 400:
			w.Header().Set("Location", r.URL.Query().Get("to"))
		case status == 503:
			w.Header().Set("Retry-After", "0")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, r.URL.Query().Get("body"))
	}))
	t.Cleanup(s.Close)
	b.url = s.URL
	return b
}

// nobody is an address at which nobody listens.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return "http://" + l.Addr().String()
}

// wired is a client of a tool's function. Its sends return the error of the
// client or of the status, as most clients do.
type wired struct {
	*http.Client
	ctx  context.Context
	base string
}

func (c wired) ignore(method, path string) (*http.Response, error) {
	url := path
	if !strings.HasPrefix(url, "http") {
		url = c.base + path
	}
	req, err := http.NewRequestWithContext(c.ctx, method, url, strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp, resp.Body.Close()
}

func (c wired) send(method, path string) error {
	resp, err := c.ignore(method, path)
	if err != nil {
		return err
	}
	return toolkit.StatusError(resp)
}

func (c wired) sends(steps ...string) error {
	for _, step := range steps {
		method, path, _ := strings.Cut(step, " ")
		if err := c.send(method, path); err != nil {
			return err
		}
	}
	return nil
}

// attempt calls a write twice, as a model does that is told that nothing was
// done, and returns what the first call came to.
func (b *till) attempt(t *testing.T, effect fault.Effect, cfg toolkit.TransportConfig, call func(wired) error) fault.Outcome {
	t.Helper()
	if cfg.Base == nil {
		cfg.Base = &http.Transport{DisableKeepAlives: true}
	}
	client := &http.Client{Transport: toolkit.NewTransport(cfg)}
	kit := toolkit.New(toolkit.Config{Backoff: quick})
	up := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "bank", Refresh: func(context.Context) error { return nil }})
	tool := toolkit.Wrap(kit, toolkit.Tool[query, string]{
		Name: "pay", Effect: effect, Upstream: up, KeyOf: func(q query) string { return q.Customer },
		Call: func(ctx context.Context, _ query) (string, error) {
			return "paid", call(wired{client, ctx, b.url})
		},
	})
	ctx, _ := start(t, kit, runrecord.Task{Name: "pay", Key: "ticket-1"})
	first := tool.Invoke(ctx, acme)
	_ = tool.Invoke(ctx, acme)
	return first.Outcome
}

// Whatever comes after a payment that was sent, it does not make the call one
// that did nothing, and the payment is not made a second time.
func TestAPaymentIsMadeOnceWhateverComesAfterIt(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func(wired) error{
		"429":              func(c wired) error { return c.send("POST", "/429/notify") },
		"401":              func(c wired) error { return c.send("POST", "/401/notify") },
		"404":              func(c wired) error { return c.send("POST", "/404/notify") },
		"400":              func(c wired) error { return c.send("POST", "/400/notify") },
		"413":              func(c wired) error { return c.send("POST", "/413/notify") },
		"503, come back":   func(c wired) error { return c.send("POST", "/503/notify") },
		"a read, 401":      func(c wired) error { return c.send("GET", "/401/receipt") },
		"a read, 404":      func(c wired) error { return c.send("HEAD", "/404/receipt") },
		"dial refused":     func(c wired) error { return c.send("POST", nobody(t)) },
		"dial, quoted":     func(c wired) error { return fmt.Errorf("notify: %v", c.send("POST", nobody(t))) }, //nolint:errorlint // an error that only quotes another
		"a plain client":   func(wired) error { _, err := http.Get(nobody(t)); return err },
		"text 404":         func(wired) error { return errors.New("status 404 not found") },
		"status error 404": func(wired) error { return &toolkit.HTTPError{Status: 404} },
		"status error 429": func(wired) error { return &toolkit.HTTPError{Status: 429} },
		"deadlock":         func(wired) error { return errors.New("ERROR: deadlock detected (SQLSTATE 40P01)") },
		"grpc":             func(wired) error { return errors.New("rpc error: code = ResourceExhausted desc = slow down") },
		"denied, in words": func(wired) error { return errors.New("the user denied the request") },
		"two more":         func(c wired) error { return c.sends("GET /200/customer", "POST /200/log", "POST /429/notify") },
		"307, then 429":    func(c wired) error { return c.send("POST", "/307/notify?to=/429/notify") },
		"303, then 401":    func(c wired) error { return c.send("POST", "/303/notify?to=/401/notify") },
	} {
		for how, pay := range map[string]string{
			"answered":         "POST /200/pay",
			"answered nothing": "PUT /204/pay",
			"see other":        "POST /303/pay?to=/200/receipt",
			"moved":            "POST /301/pay?to=/200/receipt",
			"found":            "POST /302/pay?to=/200/receipt",
			"kept method":      "POST /307/to?to=/200/pay",
			"kept method, 308": "POST /308/to?to=/200/pay",
		} {
			t.Run(how+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := newTill(t)
				o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
					if err := c.sends(pay); err != nil {
						return err
					}
					return after(c)
				})
				require.EqualValues(t, 1, b.pays.Load())
				require.Equal(t, fault.KindUnknown, o.Kind, "%+v", o.Fault)
				require.NotEqual(t, fault.RanNo, o.Fault.Ran)
			})
		}
	}
}

// A redirect by GET answers a payment; what the GET then says is not about it.
func TestAPaymentAnsweredByARedirectIsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"301", "302", "303"} {
		for _, to := range []string{"/429/receipt", "/503/receipt", "/401/receipt", "/404/receipt", nobody(t), "/" + status + "/login?to=/404/login"} {
			b := newTill(t)
			o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
				return c.send("POST", "/"+status+"/pay?to="+to)
			})
			require.EqualValues(t, 1, b.pays.Load(), "%s to %s", status, to)
			require.Equal(t, fault.KindUnknown, o.Kind, "%s to %s", status, to)
		}
		for name, check := range map[string]func(*http.Request, []*http.Request) error{
			"not followed": func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			"refused":      func(*http.Request, []*http.Request) error { return errors.New("host not found in the list") },
		} {
			b := newTill(t)
			o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
				c.CheckRedirect = check
				return c.send("POST", "/"+status+"/pay?to=/200/login")
			})
			require.EqualValues(t, 1, b.pays.Load(), "%s, %s", status, name)
			require.Equal(t, fault.KindUnknown, o.Kind, "%s, %s", status, name)
		}
	}
}

// What did nothing may be tried again: the doubt is about writes that were sent.
func TestWhatDidNothingIsStillKnownToHaveDoneNothing(t *testing.T) {
	t.Parallel()
	search := toolkit.TransportConfig{EffectOf: func(r *http.Request) fault.Effect {
		if strings.Contains(r.URL.Path, "search") {
			return fault.Read
		}
		return fault.Undeclared
	}}
	down := func(c wired) error {
		base := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("the tunnel is not up")
		}}
		c.Client = &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: base})}
		return c.send("POST", "http://x/pay")
	}
	for name, call := range map[string]func(wired) error{
		"look-up refused":               func(c wired) error { return c.sends("GET /401/customer", "POST /200/pay") },
		"look-up, then never sent":      func(c wired) error { _ = c.send("GET", "/200/customer"); return down(c) },
		"lost look-up, then never sent": func(c wired) error { _ = c.send("GET", "/lost/customer"); return down(c) },
		"options, head, then refused":   func(c wired) error { return c.sends("OPTIONS /204/x", "HEAD /200/x", "POST /429/pay") },
		"refused, then refused":         func(c wired) error { _ = c.send("POST", "/401/pay"); return c.send("POST", "/429/pay") },
		"refused by its body":           func(c wired) error { return c.refused("/200/pay") },
		"refused by its body, then 429": func(c wired) error { _ = c.refused("/200/other"); return c.send("POST", "/429/pay") },
		"search by post, then refused":  func(c wired) error { return c.sends("POST /200/search", "POST /404/pay") },
		"search by post, then dial":     func(c wired) error { _ = c.send("POST", "/200/search"); return c.send("POST", nobody(t)) },
		"sent elsewhere, there refused": func(c wired) error { return c.send("POST", "/307/to?to=/404/pay") },
		"told so by the function": func(c wired) error {
			_ = c.send("POST", "/200/draft")
			return fault.NotRun(errors.New("stopped before"))
		},
		"denied by the function":         func(c wired) error { _ = c.send("POST", "/200/draft"); return fault.Denied("limit") },
		"refused for good, its own word": func(c wired) error { _ = c.send("POST", "/200/draft"); return fault.Permanent(errors.New("no")) },
		"a fault of the function":        func(c wired) error { _ = c.send("POST", "/200/draft"); return refusedBy(fault.ReasonNotFound, 404) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTill(t)
			o := b.attempt(t, fault.Write, search, call)
			require.NotEqual(t, fault.KindUnknown, o.Kind, "%+v", o.Fault)
			require.Equal(t, fault.RanNo, o.Fault.Ran, "%+v", o.Fault)
		})
	}
}

// refused posts to an API whose status is always 200, and reports what it says.
func (c wired) refused(path string) error {
	if _, err := c.ignore("POST", path+`?body={"ok":false,"error":"ratelimited"}`); err != nil {
		return err
	}
	return errors.New("bank: ratelimited")
}

// A base transport speaks of its request only.
func TestTheWordOfABaseTransportIsAboutItsRequest(t *testing.T) {
	t.Parallel()
	for name, word := range map[string]error{
		"marked": fault.NotRun(errors.New("circuit open")),
		"fault":  refusedBy(fault.ReasonAuth, 401),
	} {
		b := newTill(t)
		cfg := toolkit.TransportConfig{Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.Contains(r.URL.Path, "notify") {
				return nil, word
			}
			return http.DefaultTransport.RoundTrip(r)
		})}
		o := b.attempt(t, fault.Write, cfg, func(c wired) error { return c.sends("POST /200/pay", "POST /200/notify") })
		require.EqualValues(t, 1, b.pays.Load(), name)
		require.Equal(t, fault.KindUnknown, o.Kind, name)
		o = b.attempt(t, fault.Write, cfg, func(c wired) error { return c.send("POST", "/200/notify") })
		require.Equal(t, fault.RanNo, o.Fault.Ran, name)
	}
}

// A request that was not sent because its context had ended did nothing.
func TestARequestIsNotSentUnderAContextThatHasEnded(t *testing.T) {
	t.Parallel()
	b := newTill(t)
	o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
		err := c.send("POST", "/404/pay")
		ended, cancel := context.WithCancel(c.ctx)
		cancel()
		c.ctx = ended
		_ = c.send("POST", "/200/pay")
		return err
	})
	require.Equal(t, fault.RanNo, o.Fault.Ran)
	require.Zero(t, b.pays.Load())
}

// Having handled an answer does not undo what its request may have done.
func TestHandledDoesNotTakeBackThatItMayHaveRun(t *testing.T) {
	t.Parallel()
	b := newTill(t)
	o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
		_, _ = c.ignore("POST", "/500/pay")
		toolkit.Handled(c.ctx)
		return errors.New("status 404 not found")
	})
	require.Equal(t, fault.KindUnknown, o.Kind)
}

// A request that failed and did not leave says nothing about what the function
// did by other means.
func TestARequestThatNeverLeftSpeaksForItselfOnly(t *testing.T) {
	t.Parallel()
	o := newTill(t).attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
		_ = c.send("GET", nobody(t))
		return errors.New("the ledger of the bank is not in balance") // after an INSERT
	})
	require.Equal(t, fault.KindUnknown, o.Kind)
}

// A credential is renewed for an idempotent tool also in the middle of its work.
func TestAnIdempotentToolIsRefreshedAfterAFirstWrite(t *testing.T) {
	t.Parallel()
	b := newTill(t)
	calls := 0
	o := b.attempt(t, fault.Idempotent, toolkit.TransportConfig{}, func(c wired) error {
		if calls++; calls == 1 {
			return c.sends("PUT /200/a", "PUT /401/b")
		}
		return c.sends("PUT /200/a", "PUT /200/b")
	})
	require.True(t, o.OK(), "%+v", o.Fault)
}

// The question how far accepted work is was refused; the work was not.
func TestAnOverlookedFailureOfAPollDoesNotRepeatTheWork(t *testing.T) {
	t.Parallel()
	b := newTill(t)
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{})}
	led, err := idempotency.New(idempotency.Config{})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Backoff: quick, Ledger: led})
	tool := toolkit.Wrap(kit, toolkit.Tool[query, string]{
		Name: "pay", Effect: fault.Write, KeyOf: func(q query) string { return q.Customer },
		Upstream: toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "bank", Refresh: func(context.Context) error { return nil }}),
		Call: func(ctx context.Context, _ query) (string, error) {
			return "", errors.Join(wired{client, ctx, b.url}.send("POST", "/200/pay"), toolkit.Pending("job-1"))
		},
		Await: func(ctx context.Context, _ query, _ string) (string, error) {
			_, err := wired{client, ctx, b.url}.ignore("GET", "/401/job")
			return "", err
		},
	})
	ctx, _ := start(t, kit, runrecord.Task{Name: "pay", Key: "ticket-1"})
	res := tool.Invoke(ctx, acme)
	require.EqualValues(t, 1, b.pays.Load())
	require.NotEqual(t, fault.RanNo, res.Outcome.Fault.Ran)
}
