package grid_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/toolkit"
)

// order is what the agent asks for. Its ID is the piece of work.
type order struct {
	ID string `json:"id"`
}

// world is the service behind the tool: it fails by plan, and it knows what
// really happened. It is safe for concurrent use.
type world interface {
	plan(id string, p faulttest.Plan)
	call(ctx context.Context, in order) (any, error) // the tool's function
	check(ctx context.Context, in order) (toolkit.Checked[any], error)
	effects(id string) int // how often it happened
	entered(id string) int // how often the service was asked for it
}

// receipt is what only a service that did its work can answer.
func receipt(id string) any { return map[string]any{"id": id} }

// isReceipt reports whether v proves that the piece of work was done.
func isReceipt(v any, id string) bool {
	fields, ok := v.(map[string]any)
	return ok && fields["id"] == id
}

// local is a service in process.
type local struct {
	honoursKeys bool

	mu       sync.Mutex
	scripted map[string]*faulttest.Scripted[order, any]
	done     map[string]int
	keys     map[string]bool
}

func newLocal(honoursKeys bool) *local {
	return &local{
		honoursKeys: honoursKeys,
		scripted:    map[string]*faulttest.Scripted[order, any]{}, done: map[string]int{}, keys: map[string]bool{},
	}
}

func (l *local) plan(id string, p faulttest.Plan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.scripted[id] = faulttest.Tool(l.do, p)
}

// do is the effect itself.
func (l *local) do(ctx context.Context, in order) (any, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key := toolkit.IdempotencyKey(ctx); l.honoursKeys && key != "" {
		if l.keys[key] {
			return receipt(in.ID), nil
		}
		l.keys[key] = true
	}
	l.done[in.ID]++
	return receipt(in.ID), nil
}

func (l *local) script(id string) *faulttest.Scripted[order, any] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scripted[id]
}

func (l *local) call(ctx context.Context, in order) (any, error) {
	return l.script(in.ID).Call(ctx, in)
}

func (l *local) check(_ context.Context, in order) (toolkit.Checked[any], error) {
	if l.effects(in.ID) > 0 {
		return toolkit.Checked[any]{Happened: toolkit.Done, Result: receipt(in.ID)}, nil
	}
	return toolkit.Checked[any]{Happened: toolkit.NotDone}, nil
}

func (l *local) effects(id string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.done[id]
}

func (l *local) entered(id string) int { return l.script(id).Calls() }

// wire is a service on the loopback interface.
type wire struct {
	server *faulttest.Server
	base   *http.Transport
	client *http.Client
	method string

	mu   sync.Mutex
	sent map[string]int
}

func newWire(effect fault.Effect, honoursKeys bool) (*wire, error) {
	server, err := faulttest.Start(faulttest.Config{HonourKeys: honoursKeys})
	if err != nil {
		return nil, err
	}
	// net/http repeats a GET by itself when a connection that was used before
	// ends; the attempts counted would be its own.
	base := &http.Transport{DisableKeepAlives: effect == fault.Read}
	w := &wire{
		server: server, base: base, method: http.MethodPost, sent: map[string]int{},
		client: &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: base})},
	}
	switch effect {
	case fault.Read:
		w.method = http.MethodGet
		server.Serve("", func(r *http.Request, _ []byte) any { return receipt(r.URL.Query().Get("id")) })
	case fault.Idempotent:
		w.method = http.MethodPut
	}
	return w, nil
}

func (w *wire) close() {
	w.base.CloseIdleConnections()
	w.server.Client().CloseIdleConnections()
	w.server.Close()
}

// pattern names the requests for a piece of work; each has a path of its own,
// so that each has a plan of its own.
func (w *wire) pattern(id string) string { return w.method + " /orders/" + id }

func (w *wire) plan(id string, p faulttest.Plan) { w.server.Script(w.pattern(id), p) }

func (w *wire) call(ctx context.Context, in order) (any, error) {
	w.mu.Lock()
	w.sent[in.ID]++
	w.mu.Unlock()
	return w.request(ctx, w.client, w.method, in)
}

func (w *wire) request(ctx context.Context, client *http.Client, method string, in order) (any, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	url := fmt.Sprintf("%s/orders/%s?id=%s", w.server.URL(), in.ID, in.ID)
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if err := toolkit.StatusError(response); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, err
	}
	return value, nil
}

// check asks the service. That it knows of nothing is proof only where it says
// so, and when nothing is still on its way to it.
func (w *wire) check(ctx context.Context, in order) (toolkit.Checked[any], error) {
	w.mu.Lock()
	sent := w.sent[in.ID]
	w.mu.Unlock()
	arrived := w.entered(in.ID)
	found, err := w.request(ctx, w.server.Client(), http.MethodGet, in)
	var answer *toolkit.HTTPError
	switch {
	case err == nil:
		return toolkit.Checked[any]{Happened: toolkit.Done, Result: found}, nil
	case errors.As(err, &answer) && answer.Status == http.StatusNotFound && arrived == sent:
		return toolkit.Checked[any]{Happened: toolkit.NotDone}, nil
	}
	return toolkit.Checked[any]{}, err
}

func (w *wire) effects(id string) int { return w.server.Effects(id) }

func (w *wire) entered(id string) int { return w.server.Requests(w.pattern(id)) }
