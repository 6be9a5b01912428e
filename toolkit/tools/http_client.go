package tools

import (
	"context"
	"errors"
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

// client sends the requests of one tool.
type client struct {
	cfg   HTTPConfig
	hosts hosts
	send  *toolkit.Transport
}

func newClient(cfg HTTPConfig) *client {
	orDefault(&cfg.MaxBody, toolkit.DefaultMaxResult)
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
	c.send = toolkit.NewTransport(toolkit.TransportConfig{Base: base, KeepBody: cfg.MaxBody})
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
	if req.URL.Host != via[len(via)-1].URL.Host {
		req.Header.Del("Referer") // it has the query of the URL before
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
	answered := false // by a redirect that asks for what came of the data
	follow := http.Client{Transport: c.send, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		answered = next.Method != method
		return c.redirect(next, via)
	}}
	resp, err := follow.Do(req)
	if err != nil {
		if err = withoutURL(err); answered {
			err = afterwards(err)
		}
		return HTTPAnswer{}, err
	}
	defer resp.Body.Close()
	if err := toolkit.StatusError(resp); err != nil {
		return HTTPAnswer{}, err
	}
	return c.answer(resp)
}

// afterwards corrects a refusal that came after the data had been sent and
// answered: that the answer cannot be followed does not mean that nothing was done.
func afterwards(err error) error {
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	late := *f
	late.Ran, late.Correctable, late.Fields = fault.RanUnknown, false, nil
	return &late
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
