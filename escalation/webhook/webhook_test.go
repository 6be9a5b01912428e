package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/escalation/webhook"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

var (
	secret = []byte("sixteen bytes or more")
	other  = []byte("another one of that length")
)

var aCase = escalation.Case{
	ID: "4f1c-1", Tool: "pay_invoice", State: idempotency.Escalated, Reason: "it may have happened <!channel> *now*",
	BusinessKey: "4711", Args: `{"iban":"DE02"}`, Task: "invoices",
}

// receiver answers with the statuses in turn, the last one for ever.
func receiver(t *testing.T, seen func(*http.Request, []byte), answers ...int) (url string, calls *atomic.Int32) {
	calls = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(calls.Add(1))
		body, _ := io.ReadAll(r.Body)
		if seen != nil {
			seen(r, body)
		}
		w.WriteHeader(answers[min(n, len(answers))-1])
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

func hook(t *testing.T, cfg webhook.Config) *webhook.Hook {
	h, err := webhook.New(cfg)
	require.NoError(t, err)
	return h
}

func TestACaseArrivesSignedAndReadable(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	url, _ := receiver(t, func(r *http.Request, b []byte) { got, body = r, b }, 200)
	require.NoError(t, hook(t, webhook.Config{URL: url, Secrets: [][]byte{other, secret}}).Notify(t.Context(), aCase))
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, "4f1c-1", got.Header.Get(webhook.HeaderDelivery))
	for _, s := range [][]byte{secret, other} {
		require.NoError(t, webhook.Verify(got.Header, body, s, 0), "whichever of the two the receiver has")
	}
	var said struct {
		Text string
		Case escalation.Case
	}
	require.NoError(t, json.Unmarshal(body, &said))
	require.Contains(t, said.Text, "Did it happen?")
	require.NotContains(t, said.Text, "<!channel>", "what the agent writes calls nobody")
	require.NotContains(t, string(body), "DE02", "arguments are sent only on demand")
	require.Equal(t, "4711", said.Case.BusinessKey)

	require.NoError(t, hook(t, webhook.Config{URL: url, Arguments: true}).Notify(t.Context(), aCase))
	require.Contains(t, string(body), "DE02")
	require.Empty(t, got.Header.Get(webhook.HeaderSignature))
	require.ErrorIs(t, webhook.Verify(got.Header, body, secret, 0), webhook.ErrSignature)
}

func TestAForgeryIsNotBelieved(t *testing.T) {
	t.Parallel()
	var header http.Header
	var body []byte
	url, _ := receiver(t, func(r *http.Request, b []byte) { header, body = r.Header.Clone(), b }, 200)
	require.NoError(t, hook(t, webhook.Config{URL: url, Secrets: [][]byte{secret}}).Notify(t.Context(), aCase))
	require.NoError(t, webhook.Verify(header, body, secret, 0))

	at, err := strconv.ParseInt(header.Get(webhook.HeaderTimestamp), 10, 64)
	require.NoError(t, err)
	for name, change := range map[string]func(h http.Header, b []byte) []byte{
		"another body":     func(_ http.Header, b []byte) []byte { return append(b, ' ') },
		"another delivery": func(h http.Header, b []byte) []byte { h.Set(webhook.HeaderDelivery, "other"); return b },
		"a later time": func(h http.Header, b []byte) []byte {
			h.Set(webhook.HeaderTimestamp, strconv.FormatInt(at+1, 10))
			return b
		},
		"no time":      func(h http.Header, b []byte) []byte { h.Del(webhook.HeaderTimestamp); return b },
		"no signature": func(h http.Header, b []byte) []byte { h.Del(webhook.HeaderSignature); return b },
		"another version": func(h http.Header, b []byte) []byte {
			h.Set(webhook.HeaderSignature, strings.Replace(h.Get(webhook.HeaderSignature), "v1=", "v0=", 1))
			return b
		},
	} {
		h := header.Clone()
		b := change(h, append([]byte(nil), body...))
		require.ErrorIs(t, webhook.Verify(h, b, secret, 0), webhook.ErrSignature, name)
	}
	require.ErrorIs(t, webhook.Verify(header, body, other, 0), webhook.ErrSignature)
	require.ErrorIs(t, webhook.Verify(header, body, nil, 0), webhook.ErrSignature)
	require.ErrorIs(t, webhook.Verify(header, body, secret, time.Nanosecond), webhook.ErrSignature, "too old")
}

func TestWhatIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answers []int
		calls   int32
		status  int // of the error; 0: delivered
	}{
		"a server that heals":     {[]int{503, 429, 204}, 3, 0},
		"a server that is broken": {[]int{500}, 3, 500},
		"a hook that is gone":     {[]int{404}, 1, 404},
		"a redirect":              {[]int{302}, 1, 302},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, calls := receiver(t, nil, tt.answers...)
			err := hook(t, webhook.Config{URL: url + "/services/T0/B0/token", Attempts: 3}).Notify(t.Context(), aCase)
			require.Equal(t, tt.calls, calls.Load())
			if tt.status == 0 {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, webhook.ErrNotDelivered)
			failed, ok := errors.AsType[*webhook.DeliveryError](err)
			require.True(t, ok)
			require.Equal(t, tt.status, failed.Status)
			require.NotContains(t, err.Error(), "token", "the path is a secret")
		})
	}
}

func TestAHookThatHangsIsLeft(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then nobody notices that the client has gone
		<-r.Context().Done()
		close(left)
	}))
	t.Cleanup(s.Close)
	err := hook(t, webhook.Config{URL: s.URL + "/token", Within: 100 * time.Millisecond}).Notify(t.Context(), aCase)
	require.ErrorIs(t, err, webhook.ErrNotDelivered)
	require.NotContains(t, err.Error(), "token")
	<-left
}

// A signed case is for the host that was named.
func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere, strangers := receiver(t, nil, 200)
	s := httptest.NewServer(http.RedirectHandler(elsewhere, http.StatusTemporaryRedirect))
	t.Cleanup(s.Close)
	err := hook(t, webhook.Config{URL: s.URL, Secrets: [][]byte{secret}}).Notify(t.Context(), aCase)
	require.ErrorIs(t, err, webhook.ErrNotDelivered)
	require.Zero(t, strangers.Load())
}

func TestARetryAfterIsRespectedWhereItFits(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]struct {
		calls int
		after time.Duration
	}{
		"20":         {2, 20 * time.Second},
		"31":         {1, 0}, // beyond the 30 s of a notification: another pass tells
		"9999999999": {1, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			busy := &bubble{answers: []int{429, 200}, retryAfter: asked}
			start := time.Now()
			err := hook(t, webhook.Config{URL: "https://hooks.example.com/token", Transport: busy}).Notify(t.Context(), aCase)
			require.Equal(t, want.calls, busy.calls, asked)
			require.Equal(t, want.after, time.Since(start), asked)
			if want.calls > 1 {
				require.NoError(t, err, asked)
				return
			}
			failed, ok := errors.AsType[*webhook.DeliveryError](err)
			require.True(t, ok, asked)
			require.Equal(t, 429, failed.Status, "the answer is told, not that time was up")
		})
	}
}

// bubble answers without a network, so that time can be a bubble's.
type bubble struct {
	answers    []int
	retryAfter string
	calls      int
}

func (b *bubble) RoundTrip(r *http.Request) (*http.Response, error) {
	b.calls++
	resp := &http.Response{StatusCode: b.answers[min(b.calls, len(b.answers))-1], Header: http.Header{}, Body: http.NoBody, Request: r}
	if b.retryAfter != "" {
		resp.Header.Set("Retry-After", b.retryAfter)
	}
	return resp, nil
}

// What was not delivered is told by a later pass.
func TestACaseIsToldOnceTheHookIsBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		back := &bubble{answers: []int{500, 500, 200}}
		ledger, err := idempotency.New(idempotency.Config{Settle: -1})
		require.NoError(t, err)
		t.Cleanup(func() { _ = ledger.Close(context.Background()) })
		desk, err := escalation.New(escalation.Config{
			Ledger: ledger, Notify: hook(t, webhook.Config{URL: "https://hooks.example.com/token", Attempts: 2, Transport: back}),
		})
		require.NoError(t, err)
		claim, err := ledger.Claim(t.Context(), idempotency.Intent{Key: idempotency.Key{Tool: "pay", Intent: "key:1"}, Effect: fault.Write, Dispatch: true})
		require.NoError(t, err)
		require.NoError(t, claim.Doubt(t.Context(), idempotency.Trouble{}))
		row, err := ledger.Row(t.Context(), claim.Row.ID)
		require.NoError(t, err)
		row, opened, err := ledger.Escalate(t.Context(), row, "nobody knows", 0)
		require.NoError(t, err)
		require.True(t, opened)
		require.ErrorIs(t, desk.Opened(t.Context(), row), webhook.ErrNotDelivered)
		require.Equal(t, 2, back.calls)
		time.Sleep(2 * time.Minute)
		told, err := desk.Announce(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, told)
		require.Equal(t, 3, back.calls)
		time.Sleep(2 * time.Minute)
		told, err = desk.Announce(t.Context())
		require.NoError(t, err)
		require.Zero(t, told, "nobody is told twice")
	})
}

func TestWhatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]webhook.Config{
		"no URL":          {},
		"no host":         {URL: "https:///token"},
		"another scheme":  {URL: "ftp://example.com/token"},
		"in the clear":    {URL: "http://example.com/token"},
		"a short secret":  {URL: "https://example.com/token", Secrets: [][]byte{[]byte("short")}},
		"a negative time": {URL: "https://example.com/token", Timeout: -1},
		"too long":        {URL: "https://example.com/token", Within: time.Hour},
	} {
		_, err := webhook.New(cfg)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "token", name)
	}
	_, err := webhook.New(webhook.Config{URL: "http://example.com/x", Insecure: true})
	require.NoError(t, err)
}

func FuzzVerify(f *testing.F) {
	f.Add("1", "v1=00", "d", []byte("{}"))
	f.Add(strconv.FormatInt(time.Now().Unix(), 10), "v1=,v1=zz,,", "", []byte(""))
	f.Fuzz(func(t *testing.T, stamp, signature, delivery string, body []byte) {
		h := http.Header{}
		h.Set(webhook.HeaderTimestamp, stamp)
		h.Set(webhook.HeaderSignature, signature)
		h.Set(webhook.HeaderDelivery, delivery)
		require.ErrorIs(t, webhook.Verify(h, body, secret, 0), webhook.ErrSignature)
	})
}
