package toolkit

import (
	"net/http"
	"net/http/httptrace"
)

// attempt sends the request once and reports to a.
func (t *Transport) attempt(a *attempt, req *http.Request) (*http.Response, error) {
	// A connection that was obtained counts as a request that was written: the
	// writing goes on beside the error that ends the attempt. A base transport
	// that does not trace leaves the question open.
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { a.dialing() },
		GotConn: func(httptrace.GotConnInfo) { a.wrote() },
	})
	sent := req.WithContext(ctx)
	sent.Header = quietly(req.Header, a.onWire().keys.of(req, a.key()))
	resp, err := t.cfg.Base.RoundTrip(sent)
	if err != nil {
		a.handled() // what an earlier request got says nothing about this one
		return resp, err
	}
	t.report(a, resp)
	return resp, nil
}

// report tells a about the response. The body of a failure is read ahead, as
// far as it is kept, so that it is known however little of it the function
// reads; any other one is watched while it is read.
func (t *Transport) report(a *attempt, resp *http.Response) {
	header := resp.Header.Clone()
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		body, whole := readAhead(resp, t.cfg.KeepBody)
		a.responded(resp.StatusCode, header, body, !whole)
	case resp.Body == nil || resp.Body == http.NoBody || resp.ContentLength == 0:
		a.responded(resp.StatusCode, header, []byte{}, false) // nothing to read; after a 101 the body is the connection
	default:
		a.responded(resp.StatusCode, header, nil, true)
		resp.Body = &watchedBody{
			ReadCloser: resp.Body, limit: t.cfg.KeepBody, length: resp.ContentLength,
			ended: func(body []byte, cut bool) { a.completed(resp.StatusCode, body, cut) },
		}
	}
}

// completed adds the body to the response reported last, unless the function
// has handled that one, or another has taken its place.
func (a *attempt) completed(status int, body []byte, cut bool) {
	w := a.onWire()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.resp.Status == status && w.resp.Body == nil {
		w.resp.Body, w.resp.Truncated = body, cut
	}
}
