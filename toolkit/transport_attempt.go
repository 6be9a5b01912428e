package toolkit

import (
	"context"
	"net/http"
	"net/http/httptrace"

	"github.com/failloud/failloud/fault"
)

// attempt sends the request once and reports to a.
func (t *Transport) attempt(a *attempt, req *http.Request) (*http.Response, error) {
	declared, effect := t.effect(req)
	w := a.onWire()
	x := w.begin(req, a.effect != fault.Read && effect != fault.Read)
	if err := context.Cause(req.Context()); err != nil { // before anything is sent
		if req.Body != nil {
			_ = req.Body.Close()
		}
		w.dialing(x)
		w.broke(x, err)
		return nil, err
	}
	// A base transport that does not trace leaves open whether it has sent.
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { w.dialing(x) },
		GotConn: func(httptrace.GotConnInfo) { w.connected(x) },
	})
	sent := req.WithContext(ctx)
	key := a.key()
	if effect == fault.Read {
		key = ""
	}
	sent.Header = quietly(req.Header, w.keys.of(req, key))
	if a.effect.Writes() && !(declared && effect == fault.Read) {
		sendOnce(sent)
	}
	resp, err := t.cfg.Base.RoundTrip(sent)
	if err != nil {
		w.broke(x, err)
		return resp, err
	}
	t.report(w, x, resp)
	return resp, nil
}

// report tells w about the response. The body of a failure is read ahead, as
// far as it is kept, so that it is known however little of it the function
// reads; any other one is watched while it is read.
func (t *Transport) report(w *wire, x *exchange, resp *http.Response) {
	seen := fault.Response{Status: resp.StatusCode, Header: resp.Header.Clone()}
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		body, whole := readAhead(resp, t.cfg.KeepBody)
		seen.Body, seen.Truncated = body, !whole
		w.answered(x, seen)
	case resp.Body == nil || resp.Body == http.NoBody || resp.ContentLength == 0:
		seen.Body = []byte{} // nothing to read; after a 101 the body is the connection
		w.answered(x, seen)
	default:
		seen.Truncated = true
		w.answered(x, seen)
		resp.Body = &watchedBody{
			ReadCloser: resp.Body, limit: t.cfg.KeepBody, length: resp.ContentLength,
			ended: func(body []byte, cut bool) { w.completed(x, body, cut) },
		}
	}
}
