package faulttest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// tokens are bearer tokens that expire by use.
type tokens struct {
	mu     sync.Mutex
	uses   int // of each; 0: none is asked for
	issued int
	left   map[string]int
}

func newTokens(uses int) *tokens { return &tokens{uses: uses, left: map[string]int{}} }

func (t *tokens) issue() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.issued++
	token := fmt.Sprintf("faulttest-%04d", t.issued)
	t.left[token] = t.uses
	return token
}

// use takes one use of the token of r.
func (t *tokens) use(r *http.Request) bool {
	if t.uses == 0 {
		return true
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left[token] == 0 {
		return false
	}
	t.left[token]--
	return true
}

func noToken() *answer {
	a := asJSON(http.StatusUnauthorized, map[string]any{"error": "invalid_token", "error_description": "The access token expired"})
	a.header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	return a
}
