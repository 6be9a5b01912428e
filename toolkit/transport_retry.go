package toolkit

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/failloud/failloud/fault"
)

// retry sends a request that no wrapped call stands behind, several times if
// that is safe and can help.
func (t *Transport) retry(req *http.Request) (*http.Response, error) {
	_, effect := t.effect(req)
	s := &series{Transport: t, req: req, effect: effect, keyed: req.Header.Get(keyHeader) != ""}
	client := &retryablehttp.Client{
		HTTPClient:   t.once,
		RetryMax:     t.cfg.MaxAttempts - 1,
		CheckRetry:   s.again,
		Backoff:      s.pause,
		PrepareRetry: s.rewind,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { s.sent.CompareAndSwap(uint32(fault.SentUnknown), uint32(fault.SentNo)) },
		GotConn: func(httptrace.GotConnInfo) { s.sent.Store(uint32(fault.SentYes)) },
	})
	sent := req.WithContext(ctx)
	if effect == fault.Write {
		sendOnce(sent)
	}
	resp, err := client.Do(&retryablehttp.Request{Request: sent})
	if wrapped, ok := err.(*url.Error); ok { //nolint:errorlint // only the layer added by the inner client
		err = wrapped.Err
	}
	return resp, err
}

// rewind gives a repeated request a fresh body.
func (s *series) rewind(req *http.Request) error {
	if s.req.GetBody == nil {
		return nil
	}
	body, err := s.req.GetBody()
	req.Body = body
	return err
}

// series is one request and its repetitions.
type series struct {
	*Transport
	req     *http.Request
	effect  fault.Effect
	keyed   bool
	sent    atomic.Uint32 // fault.Sent of the attempt under way
	attempt int
	wait    time.Duration
}

// again decides whether the attempt that has just ended is followed by another.
func (s *series) again(ctx context.Context, resp *http.Response, err error) (bool, error) {
	s.attempt++
	sent := fault.Sent(s.sent.Swap(uint32(fault.SentUnknown)))
	if err == nil && resp.StatusCode < http.StatusBadRequest {
		s.cfg.Retries.succeeded(s.attempt)
		return false, nil
	}
	if s.attempt >= s.cfg.MaxAttempts || ctx.Err() != nil || !s.rewindable() {
		return false, nil
	}
	f := s.fault(resp, err, sent)
	if fault.Next(s.effect, f, s.keyed, false) != fault.Again {
		return false, nil
	}
	s.wait = max(f.Wait, s.cfg.Backoff.Next(s.attempt))
	if !fits(ctx, s.wait, s.cfg.MaxWait) || !s.cfg.Retries.take() {
		return false, nil
	}
	if s.cfg.OnRetry != nil {
		s.cfg.OnRetry(Retry{Request: s.req, Attempt: s.attempt, Fault: f, Wait: s.wait})
	}
	return true, nil
}

// fault classifies the end of an attempt, nil where it is not a failure.
func (s *series) fault(resp *http.Response, err error, sent fault.Sent) *fault.Fault {
	signal := fault.Signal{Effect: s.effect, Keyed: s.keyed, Err: err, Sent: sent}
	if err == nil {
		body, whole := readAhead(resp, s.cfg.KeepBody)
		signal.Sent = fault.SentYes
		signal.HTTP = &fault.Response{Status: resp.StatusCode, Header: resp.Header, Body: body, Truncated: !whole}
	}
	return s.cfg.Classifier.Classify(&signal).Fault
}

// rewindable reports whether the body can be sent again.
func (s *series) rewindable() bool {
	return s.req.Body == nil || s.req.Body == http.NoBody || s.req.GetBody != nil
}

// pause is how long the retrying client waits.
func (s *series) pause(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return s.wait }
