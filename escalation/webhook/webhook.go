package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/failloud/failloud/escalation"
)

// Config of a [Hook].
type Config struct {
	// URL that is posted to. Required; https, except to this machine.
	URL string
	// Secrets sign every request, all of them. Default: none, and nothing is signed,
	// which suits a URL that is itself a secret, as Slack's are.
	Secrets [][]byte
	// Arguments sends the redacted arguments of the call, too. The reason of the
	// case and the redacted errors of its attempts are always sent. Default false.
	Arguments bool
	// Within is how long one notification may take with all its attempts. Default
	// 30 s, at most a minute, which is what the desk allows.
	Within time.Duration
	// Timeout bounds one attempt. Default 10 s.
	Timeout time.Duration
	// Attempts, the first included. Default 4.
	Attempts int
	// Insecure allows http to other machines. Default false.
	Insecure bool
	// Transport sends the requests. Default: [http.DefaultTransport].
	Transport http.RoundTripper
}

// ErrNotDelivered is matched where no attempt was answered with 2xx, see
// [*DeliveryError].
var ErrNotDelivered = errors.New("webhook: not delivered")

// DeliveryError says how a notification failed. It names the host alone: the path
// of a hook is often a secret.
type DeliveryError struct {
	Host   string // of the URL
	Status int    // of the last answer, 0 for none
	Err    error  // why there was none; without the URL
}

// Error names the host and the last answer.
func (e *DeliveryError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%v: %s answered %d", ErrNotDelivered, e.Host, e.Status)
	}
	return fmt.Sprintf("%v: %s: %v", ErrNotDelivered, e.Host, e.Err)
}

// Unwrap returns ErrNotDelivered and the cause.
func (e *DeliveryError) Unwrap() []error { return []error{ErrNotDelivered, e.Err} }

// Hook is an [escalation.Notifier]. Safe for concurrent use.
type Hook struct {
	cfg    Config
	host   string
	client *retryablehttp.Client
}

// New checks cfg. Its errors do not quote the URL.
func New(cfg Config) (*Hook, error) {
	u, err := url.Parse(cfg.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("webhook: Config.URL is no URL of the kind https://host/…")
	case u.Scheme == "http" && !cfg.Insecure && !local(u.Hostname()):
		return nil, errors.New("webhook: Config.URL is not https; set Insecure where that is meant")
	case cfg.Within < 0 || cfg.Within > time.Minute || cfg.Timeout < 0 || cfg.Attempts < 0:
		return nil, errors.New("webhook: Within is not between 0 and a minute, or Timeout or Attempts is negative")
	}
	for _, s := range cfg.Secrets {
		if len(s) < minSecret {
			return nil, fmt.Errorf("webhook: a secret has fewer than %d bytes", minSecret)
		}
	}
	if cfg.Within == 0 {
		cfg.Within = 30 * time.Second
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 10 * time.Second
	}
	if cfg.Attempts == 0 {
		cfg.Attempts = 4
	}
	if cfg.Transport == nil {
		cfg.Transport = http.DefaultTransport
	}
	h := &Hook{cfg: cfg, host: u.Host}
	h.client = &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: cfg.Transport, Timeout: cfg.Timeout,
			// A signed case is for the one who was named.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryWaitMin: 500 * time.Millisecond, RetryWaitMax: 8 * time.Second, RetryMax: cfg.Attempts - 1,
		CheckRetry: again, Backoff: retryablehttp.DefaultBackoff, ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return h, nil
}

// minSecret is the length below which a secret can be guessed.
const minSecret = 16

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// again decides whether an attempt is repeated. A wait that does not end in time is
// not begun, so that the error says what the server has answered.
func again(ctx context.Context, resp *http.Response, err error) (bool, error) {
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		return true, nil
	}
	transient := resp.StatusCode == http.StatusRequestTimeout || resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500
	wait := retryablehttp.DefaultBackoff(0, 0, 0, resp) // that the server asks for; less than 0 where it is absurd
	deadline, _ := ctx.Deadline()                       // Notify sets one
	return transient && wait >= 0 && time.Now().Add(wait).Before(deadline), nil
}

// Notify posts the case. The error matches [ErrNotDelivered].
func (h *Hook) Notify(ctx context.Context, c escalation.Case) error {
	body, err := json.Marshal(h.message(c))
	if err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, h.cfg.Within)
	defer cancel()
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, h.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return &DeliveryError{Host: h.host, Err: errors.New("the request cannot be made")}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "failloud-webhook")
	req.Header.Set(HeaderDelivery, c.ID)
	sign(req.Header, time.Now(), c.ID, body, h.cfg.Secrets)
	resp, err := h.client.Do(req)
	if err != nil {
		return &DeliveryError{Host: h.host, Err: bare(ctx, err)}
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	if resp.StatusCode/100 != 2 {
		return &DeliveryError{Host: h.host, Status: resp.StatusCode, Err: fmt.Errorf("status %d", resp.StatusCode)}
	}
	return nil
}

// bare is the cause of an error without the URL that net/http puts around it.
func bare(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return errors.New("no answer")
}
