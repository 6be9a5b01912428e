package toolkit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

const keyHeader = "Idempotency-Key"

// quietHeader is the same header to a server, which reads names in any letters,
// but not to [http.Transport]: that takes a request with keyHeader for one it may
// send again by itself when a connection breaks, whether or not the service
// honours the key. It does so for otherHeader, too.
const (
	quietHeader = "idempotency-key"
	otherHeader = "X-Idempotency-Key"
)

// sendOnce keeps [http.Transport] from sending a request again by itself when a
// kept connection breaks, as it does with methods that read: it takes only a
// request whose body it can have a second time.
func sendOnce(req *http.Request) {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		if req.Body == nil || req.Body == http.NoBody {
			req.Body = emptyBody{}
		}
		req.GetBody = nil
	}
}

// emptyBody is [http.NoBody], but not to http.Transport.
type emptyBody struct{}

func (emptyBody) Read([]byte) (int, error) { return 0, io.EOF }
func (emptyBody) Close() error             { return nil }

// quietly returns h with the key, and with every key it has in a spelling that
// is sent once; h itself where there is none.
func quietly(h http.Header, key string) http.Header {
	key = cmp.Or(key, sentKey(h))
	other := h[otherHeader]
	if key == "" && other == nil {
		return h
	}
	h = h.Clone()
	if h == nil {
		h = http.Header{}
	}
	if key != "" {
		h.Del(keyHeader)
		h[quietHeader] = []string{key}
	}
	if other != nil {
		h.Del(otherHeader)
		h[strings.ToLower(otherHeader)] = other
	}
	return h
}

// sentKey is the key in a header, in either spelling.
func sentKey(h http.Header) string {
	if key := h.Get(keyHeader); key != "" {
		return key
	}
	if keys := h[quietHeader]; len(keys) > 0 { //nolint:staticcheck // the point of this spelling
		return keys[0]
	}
	return ""
}

// requestKeys gives each writing request of one attempt a key of its own: a
// service that is shown one key with two different requests refuses the second,
// or answers it with the result of the first. The first endpoint written to on
// each host has the key of the call itself. Every other key is made from that
// one, the method and the path, so that a repeated attempt gives each request
// the key it had before.
//
// A function whose order of writes depends on what earlier attempts have done
// sets the header itself, made from [IdempotencyKey]. The zero value is ready.
type requestKeys struct {
	mu    sync.Mutex
	first map[string]string // host: the endpoint that has the key of the call
	used  map[string]int    // host and endpoint: requests so far
}

// of returns the key for req, "" where it should have none or has its own.
func (k *requestKeys) of(req *http.Request, key string) string {
	if key == "" || sentKey(req.Header) != "" {
		return ""
	}
	// A request that the client repeats at another address is the same request.
	if from := req.Response; from != nil && from.Request != nil && from.Request.Method == req.Method {
		return sentKey(from.Request.Header)
	}
	host, endpoint := req.URL.Host, req.Method+" "+req.URL.Path
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.first == nil {
		k.first, k.used = map[string]string{}, map[string]int{}
	}
	if _, ok := k.first[host]; !ok {
		k.first[host] = endpoint
	}
	if k.first[host] != endpoint {
		sum := sha256.Sum256([]byte(endpoint))
		key += "-" + hex.EncodeToString(sum[:6])
	}
	k.used[host+" "+endpoint]++
	if n := k.used[host+" "+endpoint]; n > 1 {
		key += "-" + strconv.Itoa(n)
	}
	return key
}

func methodReads(method string) bool {
	switch method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}
