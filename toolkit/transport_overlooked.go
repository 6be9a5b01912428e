package toolkit

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// overlooked are copies of the requests whose answer says that they failed, that
// no later one has made good, and that the function has not handled.
func (w *wire) overlooked() (failures []exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.failures {
		failures = append(failures, *x)
	}
	return failures
}

// madeGood are the failures that the success of x makes good: those of the same
// request, and answers about the state of a thing ("exists", "no such") that x
// has then changed in another way, as in update or else create. Requests that
// had begun before a failure was known have nothing to do with it.
func (w *wire) madeGood(x *exchange) (good []*exchange) {
	w.mu.Lock()
	var later []*exchange
	for _, f := range w.failures {
		if x.number > f.known {
			later = append(later, f)
		}
	}
	w.mu.Unlock()
	for _, f := range later { // a body is fetched by code of the tool's owner
		if sameRequest(f.req, x.req) || x.writes && aboutState(f.resp.Status) && sameThing(f.req, x.req) {
			good = append(good, f)
		}
	}
	return good
}

func aboutState(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusGone, http.StatusConflict, http.StatusPreconditionFailed:
		return true
	}
	return false
}

// sameThing: by another method, and one path is the other or lies below it.
func sameThing(a, b *http.Request) bool {
	if a.Method == b.Method || a.URL.Host != b.URL.Host {
		return false
	}
	p, q := strings.TrimSuffix(a.URL.Path, "/")+"/", strings.TrimSuffix(b.URL.Path, "/")+"/"
	return strings.HasPrefix(p, q) || strings.HasPrefix(q, p)
}

// sameRequest: the URL of a POST does not name what it writes; its body does.
func sameRequest(a, b *http.Request) bool {
	return a.Method == b.Method && a.URL.String() == b.URL.String() &&
		(a.Method != http.MethodPost || sameBody(a, b))
}

func sameBody(a, b *http.Request) bool {
	if a.GetBody == nil || b.GetBody == nil { // as far as it can be told
		return a.ContentLength == b.ContentLength
	}
	first, err := wholeBody(a)
	second, err2 := wholeBody(b)
	return err == nil && err2 == nil && bytes.Equal(first, second)
}

func wholeBody(req *http.Request) ([]byte, error) {
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(body)
}
