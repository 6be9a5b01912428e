package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// HTTPConfig says what http_get and http_post may reach and return. The zero
// value reaches any host of the internet and none that is not public. What cannot
// be used is named by [toolkit.Kit.Start].
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
	// MaxBody is how many bytes of an answer are returned. Default 32 KiB.
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

// problems names every field that cannot be used.
func (c *HTTPConfig) problems() error {
	var errs problems
	for i, entry := range c.Hosts {
		errs.when(!hostEntry(entry), "HTTPConfig.Hosts[%d]: %q is neither a host nor a domain that begins with a dot", i, entry)
	}
	errs.when(c.MaxBody < 0, "HTTPConfig.MaxBody is negative: %d", c.MaxBody)
	errs.when(c.Timeout < 0, "HTTPConfig.Timeout is negative: %v", c.Timeout)
	if c.ContentType != "" {
		_, _, err := mime.ParseMediaType(c.ContentType)
		errs.when(err != nil, "HTTPConfig.ContentType: %w", err)
	}
	return errors.Join(errs...)
}

// hostEntry accepts the host of a URL, without its scheme and port, or a dot and
// a domain.
func hostEntry(entry string) bool {
	name := strings.TrimPrefix(strings.TrimSpace(entry), ".")
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name != "" && !strings.ContainsAny(name, "/:*@?# \t")
}

// HTTPAnswer is what http_get and http_post return.
type HTTPAnswer struct {
	Status      int    `json:"status"`                 // HTTP
	URL         string `json:"url"`                    // after redirects
	ContentType string `json:"content_type,omitempty"` // as the service named it
	Body        string `json:"body"`                   // as text
	Cut         bool   `json:"cut,omitempty"`          // Body ends where the size bound was
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
		Invalid:     cfg.problems(),
		Timeout:     c.cfg.Timeout,
		MaxResult:   c.cfg.MaxBody + markRoom,
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
		Invalid:     cfg.problems(),
		Timeout:     c.cfg.Timeout,
		MaxResult:   c.cfg.MaxBody + markRoom,
		Rules:       fault.Rules{ContentType: cfg.ContentType},
		Part:        func(in HTTPPostIn) string { return c.host(in.URL) },
		Call: func(ctx context.Context, in HTTPPostIn) (HTTPAnswer, error) {
			return c.do(ctx, http.MethodPost, in.URL, cmp.Or(in.ContentType, "application/json"), in.Body)
		},
	}
}
