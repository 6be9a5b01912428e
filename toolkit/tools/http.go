package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// HTTPConfig says what http_get and http_post may reach and return. The zero
// value reaches any host of the internet and none that is not public.
type HTTPConfig struct {
	// Hosts, where given, are the only ones that may be reached, as a host name
	// ("api.example.com") or a whole domain (".example.com"). A host that is
	// named exactly may have any address, so an internal service or "127.0.0.1"
	// is named here. Default: every host with a public address; loopback,
	// private and link-local networks, and with them the metadata services of
	// the clouds, are refused, also behind a redirect or a name.
	Hosts []string
	// Header is sent with each request ("Authorization", "Accept"). It does not
	// follow a redirect to another host.
	Header http.Header
	// ContentType is the only one an answer may have ("application/json").
	// Default: anything that is text.
	ContentType string
	// MaxBody is how many bytes of an answer are returned. Default 64 KiB.
	MaxBody int
	// MaxRedirects is how many redirects are followed; negative for none.
	// Default 5.
	MaxRedirects int
	// Timeout of one request with its redirects. Default 10 s.
	Timeout time.Duration
	// Base sends the requests in the place of the guarded transport: for a
	// proxy, client certificates, a test. Hosts is still respected; addresses
	// are then for Base to guard. Default: the guarded transport.
	Base http.RoundTripper
}

// HTTPAnswer is what http_get and http_post return.
type HTTPAnswer struct {
	Status      int    `json:"status"`
	URL         string `json:"url"` // after redirects
	ContentType string `json:"content_type,omitempty"`
	Body        string `json:"body"`
	Cut         bool   `json:"cut,omitempty"` // Body ends where the size bound was
}

// ModelText is the body, and says so where there is none or where it was cut.
func (a HTTPAnswer) ModelText() string {
	switch {
	case a.Body == "":
		return fmt.Sprintf("[%d, no body]", a.Status)
	case a.Cut:
		return fmt.Sprintf("%s\n[cut after %s]", a.Body, size(int64(len(a.Body))))
	}
	return a.Body
}

// client sends the requests of one tool.
type client struct {
	cfg   HTTPConfig
	hosts hosts
	http  *http.Client
}

func newClient(cfg HTTPConfig) *client {
	orDefault(&cfg.MaxBody, 64<<10)
	orDefault(&cfg.MaxRedirects, 5)
	orDefault(&cfg.Timeout, 10*time.Second)
	c := &client{cfg: cfg}
	for _, h := range cfg.Hosts {
		c.hosts = append(c.hosts, strings.ToLower(strings.TrimSpace(h)))
	}
	base := cfg.Base
	if base == nil {
		base = c.hosts.transport()
	}
	c.http = &http.Client{
		Transport:     toolkit.NewTransport(toolkit.TransportConfig{Base: base, KeepBody: cfg.MaxBody}),
		CheckRedirect: c.redirect,
	}
	return c
}

// redirect guards each further request as the first one was, and keeps what
// was meant for the first host from every other.
func (c *client) redirect(req *http.Request, via []*http.Request) error {
	if len(via) > max(c.cfg.MaxRedirects, 0) {
		return invalid("url", "too_many_redirects", "after %d redirects", len(via)-1)
	}
	if err := c.hosts.check(req.URL); err != nil {
		return err
	}
	if first := via[0].URL; req.URL.Host != first.Host || first.Scheme == "https" && req.URL.Scheme != "https" {
		for name := range c.cfg.Header {
			req.Header.Del(name)
		}
		if req.Method != http.MethodGet && req.Method != http.MethodHead {
			return invalid("url", "redirect_refused", "the answer sends the data to another host")
		}
	}
	return nil
}

// target reads the URL that a model gave.
func (c *client) target(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, invalid("url", "bad_url", "the URL cannot be read")
	}
	return u, c.hosts.check(u)
}

// host is what a request dies together with, "" where the URL has none.
func (c *client) host(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

func (c *client) do(ctx context.Context, method, raw, contentType, body string) (HTTPAnswer, error) {
	u, err := c.target(raw)
	if err != nil {
		return HTTPAnswer{}, err
	}
	var payload io.Reader
	if body != "" {
		payload = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), payload)
	if err != nil {
		return HTTPAnswer{}, invalid("url", "bad_url", "the URL cannot be requested")
	}
	for name, values := range c.cfg.Header {
		req.Header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return HTTPAnswer{}, withoutURL(err)
	}
	defer resp.Body.Close()
	if err := toolkit.StatusError(resp); err != nil {
		return HTTPAnswer{}, err
	}
	return c.answer(resp)
}

// withoutURL takes off the layer of an error that quotes the URL, which may
// carry a secret in its query.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

func (c *client) answer(resp *http.Response) (HTTPAnswer, error) {
	out := HTTPAnswer{Status: resp.StatusCode, URL: resp.Request.URL.Redacted(), ContentType: resp.Header.Get("Content-Type")}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(c.cfg.MaxBody)+1))
	if err != nil {
		return HTTPAnswer{}, withoutURL(err)
	}
	if !textual(out.ContentType) || binary(body) {
		return HTTPAnswer{}, &fault.Fault{
			Reason: fault.ReasonMalformedResponse, Action: fault.FailFast, Ran: fault.RanYes, Correctable: true,
			Status: resp.StatusCode, Code: "not_text", Rule: "tools", Err: errors.New("the answer is not text"),
		}
	}
	out.Cut = len(body) > c.cfg.MaxBody
	out.Body = printable(cutRune(body, c.cfg.MaxBody))
	if out.Cut {
		return out, toolkit.Truncated()
	}
	return out, nil
}

// textual reports whether a content type is of text; none at all may be.
func textual(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return true
	}
	major, minor, _ := strings.Cut(kind, "/")
	if major == "text" || strings.HasSuffix(minor, "+json") || strings.HasSuffix(minor, "+xml") {
		return true
	}
	switch minor {
	case "json", "xml", "javascript", "ecmascript", "yaml", "x-yaml", "toml", "csv", "sql", "graphql",
		"x-ndjson", "ndjson", "jsonl", "x-www-form-urlencoded", "problem+json", "x-sh":
		return major == "application"
	}
	return false
}

// HTTPGetIn are the arguments of http_get.
type HTTPGetIn struct {
	URL string `json:"url" jsonschema:"address to fetch, http or https"`
}

// HTTPPostIn are the arguments of http_post.
type HTTPPostIn struct {
	URL         string `json:"url" jsonschema:"address to send to, http or https"`
	Body        string `json:"body" jsonschema:"what to send"`
	ContentType string `json:"content_type,omitempty" jsonschema:"media type of the body; default application/json"`
}

// HTTPGet is the tool http_get. A status of 400 or more is a failure and its
// body is not shown; an answer that is not text is one too. Each host has a
// breaker and a latch of its own.
func HTTPGet(cfg HTTPConfig) toolkit.Tool[HTTPGetIn, HTTPAnswer] {
	c := newClient(cfg)
	return toolkit.Tool[HTTPGetIn, HTTPAnswer]{
		Name:        "http_get",
		Description: "Fetch a text document or an API answer by its URL.",
		Effect:      fault.Read,
		Timeout:     c.cfg.Timeout,
		Rules:       fault.Rules{ContentType: cfg.ContentType},
		Part:        func(in HTTPGetIn) string { return c.host(in.URL) },
		Call: func(ctx context.Context, in HTTPGetIn) (HTTPAnswer, error) {
			return c.do(ctx, http.MethodGet, in.URL, "", "")
		},
	}
}

// HTTPPost is the tool http_post, a write. The request carries the call's
// Idempotency-Key; declare KeyTTL for a service that honours it, and a request
// whose reply was lost is sent again with the same key. Without that, and
// without a Check, it is a case for a person.
//
// A task sends the same body to the same URL once: asked for again, the first
// answer is given again. Without the key of a task nothing is sent.
func HTTPPost(cfg HTTPConfig) toolkit.Tool[HTTPPostIn, HTTPAnswer] {
	c := newClient(cfg)
	return toolkit.Tool[HTTPPostIn, HTTPAnswer]{
		Name:        "http_post",
		Description: "Send data to a URL by POST and return the answer.",
		Effect:      fault.Write,
		Timeout:     c.cfg.Timeout,
		Rules:       fault.Rules{ContentType: cfg.ContentType},
		Claims:      []string{"sent", "posted", "submitted"},
		Part:        func(in HTTPPostIn) string { return c.host(in.URL) },
		Call: func(ctx context.Context, in HTTPPostIn) (HTTPAnswer, error) {
			return c.do(ctx, http.MethodPost, in.URL, cmp.Or(in.ContentType, "application/json"), in.Body)
		},
	}
}
