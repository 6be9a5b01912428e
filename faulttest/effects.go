package faulttest

import (
	"encoding/json"
	"maps"
	"net/http"
	"sync"
)

// effects is the truth of the service: what really happened, by business key.
type effects struct {
	mu       sync.Mutex
	honour   bool
	counts   map[string]int
	receipts map[string]*answer // by business key, the last one
	keys     map[string]keyed   // by Idempotency-Key
}

type keyed struct {
	body    string
	receipt *answer
}

func newEffects(honour bool) *effects {
	return &effects{honour: honour, counts: map[string]int{}, receipts: map[string]*answer{}, keys: map[string]keyed{}}
}

// apply makes the effect happen, unless it is the repetition of a known
// Idempotency-Key, and returns what a caller should be told.
func (e *effects) apply(key, idempotencyKey string, body []byte) (receipt *answer, happened bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	keyedBy := e.honour && idempotencyKey != ""
	if known, ok := e.keys[idempotencyKey]; ok && keyedBy {
		if known.body != string(body) {
			return asJSON(http.StatusUnprocessableEntity, map[string]any{"error": map[string]string{"code": "idempotency_key_reused"}}), false
		}
		replay := *known.receipt
		replay.status = http.StatusOK
		replay.header = replay.header.Clone()
		replay.header.Set("Idempotent-Replayed", "true")
		return &replay, false
	}
	e.counts[key]++
	receipt = asJSON(http.StatusCreated, map[string]any{"id": key, "status": "done", "effects": e.counts[key]})
	e.receipts[key] = receipt
	if keyedBy {
		e.keys[idempotencyKey] = keyed{string(body), receipt}
	}
	return receipt, true
}

// lookUp answers whether the effect of key happened.
func (e *effects) lookUp(key string) *answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	receipt, ok := e.receipts[key]
	if !ok {
		return asJSON(http.StatusNotFound, map[string]any{"error": map[string]string{"code": "not_found"}})
	}
	found := *receipt
	found.status = http.StatusOK
	return &found
}

func (e *effects) of(key string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.counts[key]
}

func (e *effects) all() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.counts)
}

func (e *effects) forgetKeys() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.keys)
}

// keyOf is the default of [Config].KeyOf.
func keyOf(r *http.Request, body []byte) string {
	var in struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &in) == nil && len(in.ID) > 0 && string(in.ID) != "null" {
		var text string
		if json.Unmarshal(in.ID, &text) != nil {
			text = string(in.ID) // a number, digit by digit
		}
		if text != "" {
			return text
		}
	}
	if id := r.URL.Query().Get("id"); id != "" {
		return id
	}
	return r.URL.Path
}
