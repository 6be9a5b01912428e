package toolkit

import (
	"cmp"
	"net/http"
	"time"

	"github.com/failloud/failloud/fault"
)

// DefaultKeepBody is how much of the body of an answer is kept to be classified.
const DefaultKeepBody = 64 << 10

// TransportConfig of a [Transport]. The zero value sends through
// [http.DefaultTransport] and retries as a [Kit] does. A value that cannot be
// used (a negative one) counts as left out. All fields but Base, KeepBody and
// EffectOf are for requests outside a wrapped call: inside one the kit decides.
type TransportConfig struct {
	// Base sends the requests. Default: [http.DefaultTransport].
	Base http.RoundTripper
	// KeepBody is how many bytes of an answer's body are kept to be classified.
	// The caller reads all of it in any case. Default [DefaultKeepBody].
	KeepBody int

	// MaxAttempts bounds the attempts of one request, the first included.
	// Default 3; 1 never retries.
	MaxAttempts int
	// MaxWait is the longest wait between two attempts where the context has no
	// deadline. A longer one, or one that does not end before the deadline, is
	// not slept: the answer is returned as it is. Default 30 s.
	MaxWait time.Duration
	// Backoff is the shortest wait; a server that asks for longer gets it.
	// Default: [StandardBackoff].
	Backoff Backoff
	// Retries is the budget that retries draw on. Default: [SharedRetries], that
	// of the process.
	Retries *RetryBudget
	// EffectOf says what a request does to the world. Default: GET, HEAD,
	// OPTIONS and TRACE read, PUT and DELETE are idempotent, the rest writes;
	// [fault.Undeclared] leaves a request to that. Say [fault.Read] for a search
	// that is a POST, and [fault.Write] for a GET that does something.
	EffectOf func(*http.Request) fault.Effect
	// Classifier decides what an answer means. Default: the built-in rules.
	Classifier *fault.Classifier
	// OnRetry is called before each wait, on the goroutine of the request.
	// Default: nothing is called and nothing is logged.
	OnRetry func(Retry)
}

// Retry describes an attempt that failed and will be repeated.
type Retry struct {
	Request *http.Request // not to be changed
	Attempt int           // that failed, from 1
	Fault   *fault.Fault
	Wait    time.Duration // before the next one
}

// Transport is an [http.RoundTripper] for an [http.Client] that tools use. It
// is safe for concurrent use.
//
// Inside a wrapped call it makes exactly one attempt, because the kit does the
// retrying, and tells the kit what it saw: the status, the headers, the
// beginning of the body, and whether the request left this process at all. A
// request that writes is given the Idempotency-Key of the call, unless it has
// that header already.
//
// A call may make several requests. Once one that may write was sent, and was
// not itself answered by what means that it did nothing (a 404, a 429, a 307),
// no later answer or error makes the call one that did nothing: it is not
// repeated, but looked up or put before a person. Only the function itself can
// say otherwise, by [fault.NotRun], [fault.Permanent], [fault.Denied] or a
// *[fault.Fault]. A read, by its method or by EffectOf, leaves no such doubt
// about what comes after it. A failed answer counts as overlooked where the
// function returns no error, also when later ones are fine; see [Handled].
//
// Everywhere else it retries by itself, by the same rules: a request is sent
// again only where that can help and where it cannot do something twice, the
// server's wait is respected, and what comes back in the end is the last answer
// or error of the network, unchanged.
//
// In both cases redirects, cookies and the overall timeout stay with the
// http.Client, and the caller reads the whole body as it arrives.
type Transport struct {
	cfg  TransportConfig
	once *http.Client // makes one attempt, for the retrying client
}

// NewTransport returns a transport for cfg.
func NewTransport(cfg TransportConfig) *Transport {
	if cfg.Base == nil {
		cfg.Base = http.DefaultTransport
	}
	cfg.KeepBody = cmp.Or(max(cfg.KeepBody, 0), DefaultKeepBody)
	cfg.MaxAttempts = cmp.Or(max(cfg.MaxAttempts, 0), DefaultMaxAttempts)
	cfg.MaxWait = cmp.Or(max(cfg.MaxWait, 0), DefaultMaxWait)
	if cfg.Backoff == (Backoff{}) || cfg.Backoff.Validate() != nil {
		cfg.Backoff = StandardBackoff()
	}
	if cfg.Retries == nil {
		cfg.Retries = shared
	}
	if cfg.Classifier == nil {
		cfg.Classifier = &fault.Classifier{}
	}
	return &Transport{cfg: cfg, once: &http.Client{
		Transport:     plainRoundTripper{cfg.Base},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// RoundTrip sends the request, see [Transport].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if a := attemptFrom(req.Context()); a != nil {
		return t.attempt(a, req)
	}
	return t.retry(req)
}

// CloseIdleConnections closes those of the base transport.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.cfg.Base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// effect is what a request does to the world: as declared, else by its method.
func (t *Transport) effect(req *http.Request) (declared bool, effect fault.Effect) {
	if t.cfg.EffectOf != nil {
		if effect := t.cfg.EffectOf(req); effect != fault.Undeclared {
			return true, effect
		}
	}
	switch {
	case methodReads(req.Method):
		return false, fault.Read
	case req.Method == http.MethodPut, req.Method == http.MethodDelete:
		return false, fault.Idempotent
	}
	return false, fault.Write
}

// plainRoundTripper hides every other method of a round tripper: the retrying
// client closes the idle connections of one that lets it, which would take them
// from the requests of everybody else.
type plainRoundTripper struct{ http.RoundTripper }
