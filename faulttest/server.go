package faulttest

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Config of a [Server]. The zero value is a service without tokens that pays no
// attention to Idempotency-Key.
type Config struct {
	// HonourKeys makes a write that repeats an Idempotency-Key return the first
	// receipt, with the header Idempotent-Replayed, instead of doing it again. The
	// same key with another body is answered 422.
	HonourKeys bool

	// TokenUses is how many requests a bearer token is good for; the next one is
	// answered 401. A POST to [RefreshPath] issues a new one. 0: no token is asked for.
	TokenUses int

	// KeyOf names the business key of a request, by which effects are counted and
	// looked up. Default: the member "id" of the JSON body, else the query
	// parameter "id", else the path.
	KeyOf func(r *http.Request, body []byte) string
}

// RefreshPath issues a bearer token: {"access_token":"…"}. It needs none itself
// and can be scripted like any other path.
const RefreshPath = "/token"

const (
	loopPath    = "/faulttest/redirect-loop"
	maxRequest  = 16 << 20 // bytes of a body that is read
	keptEntries = 1000
)

// Server is a service on the loopback interface that fails on script. It is
// safe for concurrent use. Close it.
type Server struct {
	cfg      Config
	url      string
	http     *http.Server
	client   *http.Client
	running  sync.WaitGroup
	effects  *effects
	tokens   *tokens
	mu       sync.Mutex
	scripts  map[string]*walk
	handlers map[string]func(r *http.Request, body []byte) any
	requests map[string]int
	log      []Request
}

// Request is one request as the server saw it.
type Request struct {
	Method, Path   string // as sent
	Key            string // business key
	IdempotencyKey string // header Idempotency-Key
	Failure        string // name of the failure it met; "healthy", "no-token"
	Effect         bool   // it made an effect happen
}

// TB is the part of testing.TB that [NewServer] needs.
type TB interface {
	Helper()                           // as of testing.TB
	Fatalf(format string, args ...any) // as of testing.TB
	Cleanup(f func())                  // as of testing.TB
}

// NewServer starts a server that is closed at the end of the test.
func NewServer(t TB, cfg Config) *Server {
	t.Helper()
	s, err := Start(cfg)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server outside a test.
func Start(cfg Config) (*Server, error) {
	if cfg.TokenUses < 0 {
		return nil, fmt.Errorf("faulttest: negative TokenUses %d", cfg.TokenUses)
	}
	if cfg.KeyOf == nil {
		cfg.KeyOf = keyOf
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("faulttest: listen: %w", err)
	}
	s := &Server{
		cfg:      cfg,
		url:      "http://" + listener.Addr().String(),
		client:   &http.Client{Transport: &http.Transport{}},
		effects:  newEffects(cfg.HonourKeys),
		tokens:   newTokens(cfg.TokenUses),
		scripts:  map[string]*walk{},
		handlers: map[string]func(*http.Request, []byte) any{},
		requests: map[string]int{},
	}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // broken connections are the purpose
		ConnState:         s.track,
	}
	s.running.Go(func() { _ = s.http.Serve(listener) }) // ends with ErrServerClosed
	return s, nil
}

// Close ends every request, hanging ones too, and returns when nothing is left
// running. It may be called more than once.
func (s *Server) Close() {
	_ = s.http.Close() // ends the context of every request; there is nothing to do about an error
	s.running.Wait()
}

// URL is the address without a slash at its end, "http://127.0.0.1:41234".
func (s *Server) URL() string { return s.url }

// Client is a plain client with connections of its own. Any other client will do
// as well.
func (s *Server) Client() *http.Client { return s.client }

// Script sets the plan for requests that match pattern: "POST /payments",
// "/payments" for every method, or "" for everything without a plan of its own.
// The most specific plan counts, from its first step.
//
// While a plan cuts connections, none is kept alive: Go's Transport silently repeats a GET, or a POST with an
// Idempotency-Key, whose reused connection was cut, and the attempts counted
// would be the transport's.
func (s *Server) Script(pattern string, plan Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[pattern] = &walk{plan: plan}
	cuts := false
	for _, w := range s.scripts {
		cuts = cuts || w.plan.cuts()
	}
	s.http.SetKeepAlivesEnabled(!cuts)
}

// Serve sets the JSON value that healthy requests matching pattern are answered
// with. A write's effect is counted all the same. Default: the receipt of a
// write, and for a GET the receipt of its key or 404.
func (s *Server) Serve(pattern string, value func(r *http.Request, body []byte) any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[pattern] = value
}

// Token issues a bearer token good for Config.TokenUses requests.
func (s *Server) Token() string { return s.tokens.issue() }

// Requests is how many requests came for pattern, as in [Server.Script]; "" is
// all of them. Requests that met a failure or had no valid token count.
func (s *Server) Requests(pattern string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[pattern]
}

// Effects is how often the effect of a business key really happened, whatever
// the caller was told.
func (s *Server) Effects(key string) int { return s.effects.of(key) }

// AllEffects is [Server.Effects] of every key that has one.
func (s *Server) AllEffects() map[string]int { return s.effects.all() }

// Log returns the last thousand requests in the order of their arrival.
func (s *Server) Log() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

// ForgetKeys forgets every Idempotency-Key, as services do after a day. Effects
// stay.
func (s *Server) ForgetKeys() { s.effects.forgetKeys() }

// track counts open connections, so that Close can wait for their goroutines. A
// hijacked one has left the server; its handler is counted by serve.
func (s *Server) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.running.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.running.Done()
	}
}

// serve is the way of every request: token, plan, effect, reply.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.running.Add(1)
	defer s.running.Done()
	if r.URL.Path == loopPath {
		http.Redirect(w, r, loopPath, http.StatusTemporaryRedirect)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil { // the client is gone, or sends more than any test needs
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	x := &exchange{w: w, r: r}
	seen := Request{
		Method: r.Method, Path: r.URL.Path,
		Key: s.cfg.KeyOf(r, body), IdempotencyKey: r.Header.Get("Idempotency-Key"),
	}
	reply := func() { x.send(noToken()) }
	if r.URL.Path != RefreshPath && !s.tokens.use(r) {
		seen.Failure = "no-token"
	} else {
		f := s.step(r)
		seen.Failure = f.Name()
		reply = s.do(x, f, body, &seen)
	}
	s.note(seen) // before the reply, so that a caller who has one finds it counted
	reply()
}

// do makes the effect happen where it should and returns what to reply.
func (s *Server) do(x *exchange, f Failure, body []byte, seen *Request) (reply func()) {
	healthy := f.name == ""
	var receipt *answer
	if r := x.r; (healthy || f.after) && r.URL.Path != RefreshPath && writes(r.Method) {
		receipt, seen.Effect = s.effects.apply(seen.Key, seen.IdempotencyKey, body)
	}
	switch {
	case f.wire != nil:
		return func() { f.wire(x) }
	case f.answer != nil:
		return func() { x.send(f.answer) }
	case x.r.URL.Path == RefreshPath:
		return func() {
			x.send(asJSON(http.StatusOK, map[string]string{"access_token": s.tokens.issue(), "token_type": "Bearer"}))
		}
	}
	if receipt == nil {
		receipt = s.effects.lookUp(seen.Key)
	} else if receipt.status >= http.StatusBadRequest {
		return func() { x.send(receipt) }
	}
	if value := s.handler(x.r); value != nil {
		return func() {
			a := asJSON(http.StatusOK, value(x.r, body))
			a.header = receipt.header // marks a replay
			x.send(a)
		}
	}
	return func() { x.send(receipt) }
}

func (s *Server) step(r *http.Request) Failure {
	s.mu.Lock()
	w := find(s.scripts, r)
	s.mu.Unlock()
	if w == nil {
		return Healthy()
	}
	return w.step()
}

func (s *Server) handler(r *http.Request) func(*http.Request, []byte) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return find(s.handlers, r)
}

func (s *Server) note(seen Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pattern := range [...]string{seen.Method + " " + seen.Path, seen.Path, ""} {
		s.requests[pattern]++
	}
	if len(s.log) == keptEntries {
		s.log = append(s.log[:0], s.log[1:]...)
	}
	s.log = append(s.log, seen)
}

// find returns the most specific entry for r.
func find[T any](m map[string]T, r *http.Request) T {
	for _, pattern := range [...]string{r.Method + " " + r.URL.Path, r.URL.Path} {
		if v, ok := m[pattern]; ok {
			return v
		}
	}
	return m[""]
}

func writes(method string) bool {
	return method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions
}

// Refused returns the address of a port on which nobody listens: what is sent
// there is never sent.
func Refused(ctx context.Context) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("faulttest: listen: %w", err)
	}
	return "http://" + listener.Addr().String(), listener.Close()
}
