package toolkit

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/failloud/failloud/fault"
)

// wire is what transports reported about an attempt. Most tools have none, so it
// is made by the first report. Requests run on goroutines of their own, and may
// outlive the attempt.
//
// An attempt may make several requests, and the last one says nothing about the
// others. So two things are kept beside the last: which requests may have done
// something, see [wire.written], and which failed without being heard of again,
// see [wire.overlooked].
type wire struct {
	mu       sync.Mutex
	begun    int         // requests so far
	last     *exchange   // that ended last, nil: none, or the function has dealt with it
	writes   []*exchange // that may have done something
	failures []*exchange // that nothing since has made good

	keys requestKeys // of the requests that were handed the key
}

// exchange is one request of an attempt, and how it ended.
type exchange struct {
	req    *http.Request
	writes bool // it is not known to read only
	number int  // of the request in the attempt, from 1

	// Guarded by the mutex of the wire.
	sent  fault.Sent
	err   error          // what the base transport returned
	resp  fault.Response // Status 0: no answer; Body nil: it is still being read
	known int            // requests that had begun when the end of this one was known
	dealt bool           // with by the function, see [Handled]
}

// begin enters a request that is about to be sent. One that may write counts as
// written until there is proof that it did nothing: it may be on its way when
// the function returns. The failure of a read is dropped: a function that goes
// on after it has seen it.
func (w *wire) begin(req *http.Request, writes bool) *exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun++
	x := &exchange{req: req, writes: writes, number: w.begun}
	if writes {
		w.writes = append(w.writes, x)
	}
	w.failures = slices.DeleteFunc(w.failures, func(f *exchange) bool { return !f.writes })
	return x
}

// dialing says that a connection is looked for: until there is one, nothing has
// left this process.
func (w *wire) dialing(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x.sent == fault.SentUnknown {
		x.sent = fault.SentNo
	}
}

// connected counts as a request that was written: the writing goes on beside the
// error that ends the attempt.
func (w *wire) connected(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x.sent = fault.SentYes
}

// broke ends a request without an answer. One that never left did nothing.
func (w *wire) broke(x *exchange, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x.err = err
	if x.sent == fault.SentNo {
		w.did(x, false)
	}
	w.ended(x)
}

// answered ends a request with its answer; the body is nil where it is still to
// be read. An answer of 400 and more is a failure until something makes it good,
// but a thing to be deleted that is not there is what was wanted.
func (w *wire) answered(x *exchange, resp fault.Response) {
	refused := refusal(resp)
	failed := resp.Status >= http.StatusBadRequest
	gone := x.req.Method == http.MethodDelete && (resp.Status == http.StatusNotFound || resp.Status == http.StatusGone)
	var good []*exchange
	if !failed {
		good = w.madeGood(x)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	x.sent, x.resp = fault.SentYes, resp
	w.did(x, !refused)
	w.ended(x)
	w.failures = slices.DeleteFunc(w.failures, func(f *exchange) bool { return slices.Contains(good, f) })
	if failed && !gone {
		w.failures = append(w.failures, x)
	}
}

// completed adds the body to an answer.
func (w *wire) completed(x *exchange, body []byte, cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x.resp.Body, x.resp.Truncated = body, cut
	if w.last != x {
		w.settle(x)
	}
}

// ended makes x the last one. Called with the lock held.
func (w *wire) ended(x *exchange) {
	x.known = w.begun
	before := w.last
	w.last = x
	if before != nil {
		w.settle(before)
	}
}

// settle reads the body of a good status that is not the last one, for what
// everybody has read by then, and lets go of it. Called with the lock held; the
// rules it goes by are built in, and call nobody.
func (w *wire) settle(x *exchange) {
	if !x.writes || x.resp.Body == nil || x.resp.Status >= http.StatusMultipleChoices {
		return
	}
	o := judged(x.resp)
	if f := o.Fault; f != nil && f.Reason != fault.ReasonMalformedResponse {
		w.did(x, f.Ran != fault.RanNo)
		if !x.dealt && !slices.Contains(w.failures, x) {
			w.failures = append(w.failures, x)
		}
		return
	}
	x.resp.Header, x.resp.Body = nil, nil
}

// did says whether a request may have done something. Called with the lock held.
func (w *wire) did(x *exchange, something bool) {
	at := slices.Index(w.writes, x)
	switch {
	case something && at < 0 && x.writes:
		w.writes = append(w.writes, x)
	case !something && at >= 0:
		w.writes = slices.Delete(w.writes, at, at+1)
	}
}

// seen returns the last answer, and whether the request that err is about was
// written. An error that does not come from the last request says nothing of it.
func (w *wire) seen(err error) (fault.Sent, fault.Response) {
	last, _ := w.ends()
	if last == nil || last.err != nil && !about(err, last.err) {
		return fault.SentUnknown, fault.Response{}
	}
	return last.sent, last.resp
}

// ends are copies of the request that ended last and of those that may have done
// something, to be looked at without the lock: errors have methods of their own.
func (w *wire) ends() (last *exchange, writes []exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last != nil {
		x := *w.last
		last = &x
	}
	for _, x := range w.writes {
		writes = append(writes, *x)
	}
	return last, writes
}

// written is the rule for what a failed attempt may be believed: once a request
// that may write was sent, and was not itself answered by what means "did
// nothing", no other request and no error of another kind shows that the attempt
// did nothing. err is what the function returned, nil for nothing.
//
// Left out is the request whose own end is what was judged: the table has
// already said what it may have done.
func (w *wire) written(err error) bool {
	last, writes := w.ends()
	for i := range writes {
		if x := &writes[i]; !x.explains(err, last != nil && x.number == last.number) {
			return true
		}
	}
	return false
}

// explains reports whether an outcome that was made from err, or without one
// from the last answer, is about this request.
func (x *exchange) explains(err error, last bool) bool {
	switch status := x.resp.Status; {
	case x.err != nil:
		return wraps(err, x.err) || x.sent != fault.SentYes && about(err, x.err)
	case !last || status == 0:
		return false
	case status >= http.StatusBadRequest: // the answer was judged, not the error beside it
		return true
	case err == nil:
		return status < http.StatusMultipleChoices
	}
	return refusal(x.resp)
}

// handled forgets what the answers so far said, not that they may have done
// something.
func (w *wire) handled() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x := w.last; x != nil {
		x.dealt = true
		w.settle(x)
	}
	w.last, w.failures = nil, nil
}

// ownWord reports whether a fault or a mark in err is the word of the function
// about the attempt: what a base transport returned is about its request only.
func (w *wire) ownWord(err error) bool {
	last, _ := w.ends()
	return vouches(err) && (last == nil || last.err == nil || !wraps(err, last.err) || !vouches(last.err))
}

// vouches reports whether err is a fault or carries a mark of package fault.
func vouches(err error) bool {
	f, _ := errors.AsType[*fault.Fault](err)
	o := (&fault.Classifier{}).Classify(&fault.Signal{Err: err})
	return f != nil || o.Fault != nil && strings.HasPrefix(o.Fault.Rule, "marker:")
}

// about reports whether err is, wraps or quotes cause.
func about(err, cause error) bool {
	if err == nil || wraps(err, cause) {
		return err != nil
	}
	quoted := textOf(cause)
	return quoted != "" && strings.Contains(textOf(err), quoted)
}

// wraps is [errors.Is] for errors whose methods may panic.
func wraps(err, cause error) (yes bool) {
	defer func() { _ = recover() }()
	return err != nil && errors.Is(err, cause)
}

// refusal reports whether an answer means that its request did nothing. A
// redirect that keeps the method sends the request elsewhere; any other one may
// be how a service answers what it has done.
func refusal(resp fault.Response) bool {
	switch {
	case resp.Status == http.StatusTemporaryRedirect, resp.Status == http.StatusPermanentRedirect:
		return true
	case resp.Status < http.StatusBadRequest && (resp.Status >= http.StatusMultipleChoices || resp.Body == nil):
		return false
	}
	o := judged(resp)
	return o.Fault != nil && o.Fault.Ran == fault.RanNo
}

// judged is what an answer to a write means by itself.
func judged(resp fault.Response) fault.Outcome {
	return (&fault.Classifier{}).Classify(&fault.Signal{Effect: fault.Write, HTTP: &resp, Sent: fault.SentYes})
}
