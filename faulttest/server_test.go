package faulttest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/faulttest"
)

// reply is what a client saw of one request.
type reply struct {
	status int
	header http.Header
	body   string
	err    error
}

func do(t *testing.T, s *faulttest.Server, method, path, body string, headers ...string) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return doCtx(t, ctx, s, method, path, body, headers...)
}

func doCtx(t *testing.T, ctx context.Context, s *faulttest.Server, method, path, body string, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, s.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.Client().Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(text), err}
}

// abandon sends a request that is never answered and gives up as soon as the
// server has it.
func abandon(t *testing.T, s *faulttest.Server, method, path, body string) reply {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	before := s.Requests("")
	var r reply
	var caller sync.WaitGroup
	caller.Go(func() { r = doCtx(t, ctx, s, method, path, body) })
	require.Eventually(t, func() bool { return s.Requests("") > before }, 10*time.Second, time.Millisecond)
	cancel()
	caller.Wait()
	return r
}

const payment = `{"id":"inv-1","amount":12}`

func TestAHealthyServiceCountsWhatReallyHappened(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})

	require.Equal(t, 404, do(t, s, "GET", "/payments?id=inv-1", "").status, "nothing happened yet")
	require.Equal(t, 201, do(t, s, "POST", "/payments", payment).status)
	found := do(t, s, "GET", "/payments?id=inv-1", "")
	require.Equal(t, 200, found.status)
	require.JSONEq(t, `{"id":"inv-1","status":"done","effects":1}`, found.body)

	do(t, s, "POST", "/payments", payment)
	do(t, s, "POST", "/payments", `{"id":9007199254740993}`)
	require.Equal(t, map[string]int{"inv-1": 2, "9007199254740993": 1}, s.AllEffects(), "a second payment is a second payment")
	require.Equal(t, 3, s.Requests("POST /payments"))
	require.Equal(t, 5, s.Requests("/payments"))
	require.Equal(t, 5, s.Requests(""))
}

func TestAPlanHealsOrLasts(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})
	s.Script("/a", faulttest.Times(2, faulttest.Status(503)))
	s.Script("/b", faulttest.Times(1, faulttest.Healthy()).Then(faulttest.Always(faulttest.Status(401))))
	s.Serve("/a", func(*http.Request, []byte) any { return "fine" })
	s.Serve("/b", func(*http.Request, []byte) any { return "fine" })

	statuses := func(path string, n int) (got []int) {
		for range n {
			got = append(got, do(t, s, "GET", path, "").status)
		}
		return got
	}
	require.Equal(t, []int{503, 503, 200, 200}, statuses("/a", 4))
	require.Equal(t, []int{200, 401, 401, 401}, statuses("/b", 4))

	s.Script("POST /a", faulttest.Always(faulttest.Status(500)))
	s.Script("", faulttest.Always(faulttest.Status(418)))
	require.Equal(t, 500, do(t, s, "POST", "/a", "{}").status, "method and path are the most specific")
	require.Equal(t, 200, do(t, s, "GET", "/a", "").status)
	require.Equal(t, 418, do(t, s, "GET", "/elsewhere", "").status)
	require.Zero(t, s.Effects("/a"), "a call refused before the effect has none")
}

func TestTheReplyIsLostAfterTheEffect(t *testing.T) {
	t.Parallel()
	for _, f := range []faulttest.Failure{
		faulttest.Reset(), faulttest.Cut(), faulttest.Status(500), faulttest.TruncatedBody(), faulttest.CutChunks(), faulttest.Garbage(),
	} {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			s := faulttest.NewServer(t, faulttest.Config{})
			s.Script("POST /payments", faulttest.Once(f, f.AfterEffect()))

			do(t, s, "POST", "/payments", payment)
			require.Zero(t, s.Effects("inv-1"), "failed before the effect")
			r := do(t, s, "POST", "/payments", payment)
			require.False(t, r.err == nil && r.status == 201, "the caller must not learn that it worked")
			require.Equal(t, 1, s.Effects("inv-1"))
			require.Equal(t, 200, do(t, s, "GET", "/payments?id=inv-1", "").status, "a check finds it")

			log := s.Log()
			require.Equal(t, faulttest.Request{Method: "POST", Path: "/payments", Key: "inv-1", Failure: f.Name() + "-after-effect", Effect: true}, log[1])
		})
	}
}

func TestConnectionsFailAsNamed(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})
	s.Script("/reset", faulttest.Always(faulttest.Reset()))
	s.Script("/cut", faulttest.Always(faulttest.Cut()))
	s.Script("/truncated", faulttest.Always(faulttest.TruncatedBody()))
	s.Script("/chunks", faulttest.Always(faulttest.CutChunks()))
	s.Script("/loop", faulttest.Always(faulttest.RedirectLoop()))

	require.ErrorIs(t, do(t, s, "POST", "/reset", payment).err, syscall.ECONNRESET)
	require.ErrorIs(t, do(t, s, "POST", "/cut", payment).err, io.EOF)
	for _, path := range []string{"/truncated", "/chunks"} {
		r := do(t, s, "GET", path, "")
		require.Equal(t, 200, r.status, path)
		require.ErrorIs(t, r.err, io.ErrUnexpectedEOF, path)
		require.NotEmpty(t, r.body)
		require.False(t, json.Valid([]byte(r.body)))
	}
	require.ErrorContains(t, do(t, s, "POST", "/loop", payment).err, "10 redirects")
	require.Equal(t, 1, s.Requests("/loop"), "the loop itself is not counted")
	require.Equal(t, 5, s.Requests(""))

	url, err := faulttest.Refused(t.Context())
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	require.NoError(t, err)
	res, err := s.Client().Do(req)
	if err == nil {
		res.Body.Close()
	}
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

// TestCutsAreNotRepeatedBehindTheBack: net/http repeats a GET whose reused
// connection was cut, which would make counted attempts wrong.
func TestCutsAreNotRepeatedBehindTheBack(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})
	s.Serve("/a", func(*http.Request, []byte) any { return 1 })
	require.Equal(t, 200, do(t, s, "GET", "/a", "").status) // leaves an idle connection
	s.Script("/a", faulttest.Once(faulttest.Healthy(), faulttest.Reset(), faulttest.Cut()))
	require.Equal(t, 200, do(t, s, "GET", "/a", "").status)
	require.Error(t, do(t, s, "GET", "/a", "").err)
	require.Error(t, do(t, s, "GET", "/a", "").err)
	require.Equal(t, 4, s.Requests("/a"))
}

func TestSilenceEndsWithTheClientOrTheServer(t *testing.T) {
	t.Parallel()
	for _, f := range []faulttest.Failure{faulttest.Hang(), faulttest.SlowBody(0), faulttest.SlowBody(time.Hour)} {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			s := faulttest.NewServer(t, faulttest.Config{})
			s.Script("", faulttest.Always(f.AfterEffect()))

			require.ErrorIs(t, abandon(t, s, "POST", "/pay", payment).err, context.Canceled)
			require.Equal(t, 1, s.Effects("inv-1"))

			var waiting sync.WaitGroup
			for range 3 {
				waiting.Go(func() { doCtx(t, context.Background(), s, "GET", "/pay", "") })
			}
			require.Eventually(t, func() bool { return s.Requests("GET /pay") == 3 }, 5*time.Second, time.Millisecond)
			s.Close() // must not wait for clients that never give up
			waiting.Wait()
			s.Close()
		})
	}
}

func TestImplicitFailuresArriveAsSuccess(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})
	for _, cell := range faulttest.Grid() {
		if cell.Implicit {
			s.Script("/x", faulttest.Once(cell.Failure))
			require.Equal(t, 200, do(t, s, "GET", "/x", "").status, cell.Name)
		}
	}
}

func TestAnAnswerOfOnesOwn(t *testing.T) {
	t.Parallel()
	teapot := faulttest.Answer(418, "text/plain", "short and stout").WithHeader("X-Tea", "green")
	s := faulttest.NewServer(t, faulttest.Config{})
	s.Script("", faulttest.Once(teapot, teapot.WithHeader("X-Tea", "black"), faulttest.Reset().WithHeader("X-Tea", "no effect")))
	r := do(t, s, "GET", "/", "")
	require.Equal(t, 418, r.status)
	require.Equal(t, "short and stout", r.body)
	require.Equal(t, []string{"green"}, r.header["X-Tea"], "a changed copy leaves its original alone")
	require.Equal(t, []string{"green", "black"}, do(t, s, "GET", "/", "").header["X-Tea"])
	require.Error(t, do(t, s, "POST", "/", "").err)
	require.False(t, teapot.Implicit())
	require.True(t, faulttest.Answer(202, "text/plain", "").Implicit())
}

func TestAHostileBodyIsBigAndHostile(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})
	s.Script("", faulttest.Always(faulttest.Hostile(0)))
	r := do(t, s, "GET", "/", "")
	require.Equal(t, 500, r.status)
	require.GreaterOrEqual(t, len(r.body), 10<<20)
	for _, end := range []string{r.body[:400], r.body[len(r.body)-400:]} {
		for _, part := range []string{"Ignore previous instructions", faulttest.HostileToken, "\x00", "\x1b[2J", "\r\n"} {
			require.Contains(t, end, part)
		}
	}
}

func TestTokensExpireAndAreRefreshed(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{TokenUses: 2})
	s.Serve("GET /invoices", func(*http.Request, []byte) any { return []int{1} })
	get := func(token string) reply { return do(t, s, "GET", "/invoices", "", "Authorization", "Bearer "+token) }

	require.Equal(t, 401, do(t, s, "GET", "/invoices", "").status, "no token")
	token := s.Token()
	require.Equal(t, 200, get(token).status)
	require.Equal(t, 200, get(token).status)
	r := get(token)
	require.Equal(t, 401, r.status, "used up")
	require.Contains(t, r.header.Get("WWW-Authenticate"), "invalid_token")
	require.Equal(t, "no-token", s.Log()[3].Failure)

	s.Script("POST "+faulttest.RefreshPath, faulttest.Once(faulttest.Status(403)))
	require.Equal(t, 403, do(t, s, "POST", faulttest.RefreshPath, "").status, "a refresh can fail too")
	var fresh struct {
		Token string `json:"access_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(do(t, s, "POST", faulttest.RefreshPath, "").body), &fresh))
	require.NotEqual(t, token, fresh.Token)
	require.Equal(t, 200, get(fresh.Token).status)
	require.Empty(t, s.AllEffects(), "a refresh is no effect")
}

func TestKeysAreHonouredWhenToldSo(t *testing.T) {
	t.Parallel()
	key := []string{"Idempotency-Key", "k1"}
	s := faulttest.NewServer(t, faulttest.Config{HonourKeys: true})
	s.Script("POST /payments", faulttest.Once(faulttest.Status(500).AfterEffect()))

	require.Equal(t, 500, do(t, s, "POST", "/payments", payment, key...).status)
	again := do(t, s, "POST", "/payments", payment, key...)
	require.Equal(t, 200, again.status)
	require.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
	require.Equal(t, 1, s.Effects("inv-1"))
	require.Empty(t, do(t, s, "GET", "/payments?id=inv-1", "").header.Get("Idempotent-Replayed"), "a look-up is no replay")
	require.Equal(t, 422, do(t, s, "POST", "/payments", `{"id":"inv-1","amount":13}`, key...).status, "same key, other payment")
	require.Equal(t, 201, do(t, s, "POST", "/payments", payment, "Idempotency-Key", "k2").status)
	require.Equal(t, 2, s.Effects("inv-1"))

	s.ForgetKeys()
	do(t, s, "POST", "/payments", payment, key...)
	require.Equal(t, 3, s.Effects("inv-1"), "an expired key protects nobody")

	deaf := faulttest.NewServer(t, faulttest.Config{})
	do(t, deaf, "POST", "/payments", payment, key...)
	do(t, deaf, "POST", "/payments", payment, key...)
	require.Equal(t, 2, deaf.Effects("inv-1"), "by default keys are not looked at")
}

func TestAReplayHasTheShapeOfTheReply(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{HonourKeys: true})
	s.Serve("POST /payments", func(_ *http.Request, body []byte) any { return json.RawMessage(body) })
	first := do(t, s, "POST", "/payments", payment, "Idempotency-Key", "k")
	second := do(t, s, "POST", "/payments", payment, "Idempotency-Key", "k")
	require.JSONEq(t, payment, first.body)
	require.JSONEq(t, payment, second.body)
	require.Equal(t, "true", second.header.Get("Idempotent-Replayed"))
	require.Empty(t, first.header.Get("Idempotent-Replayed"))
	require.Equal(t, 422, do(t, s, "POST", "/payments", "{}", "Idempotency-Key", "k").status)
}

func TestOneEffectPerKeyUnderARace(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{HonourKeys: true})
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			do(t, s, "POST", "/payments", payment, "Idempotency-Key", fmt.Sprint("k", i%4))
		})
	}
	all.Wait()
	require.Equal(t, 4, s.Effects("inv-1"))
	require.Equal(t, 32, s.Requests(""))
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	_, err := faulttest.Start(faulttest.Config{TokenUses: -1})
	require.ErrorContains(t, err, "TokenUses")

	s := faulttest.NewServer(t, faulttest.Config{})
	s.Serve("/nan", func(*http.Request, []byte) any { return make(chan int) })
	require.Equal(t, 500, do(t, s, "GET", "/nan", "").status)
	require.Equal(t, 413, do(t, s, "POST", "/", strings.Repeat("x", 17<<20)).status)
	s.Close()
	require.Error(t, do(t, s, "GET", "/", "").err, "closed")
	require.False(t, errors.Is(do(t, s, "GET", "/", "").err, context.DeadlineExceeded))
}
