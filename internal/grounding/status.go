package grounding

import (
	"math"

	"github.com/failloud/failloud/internal/atom"
)

// statuses are the status codes that HTTP defines (RFC 9110 and its registry).
var statuses = map[int]bool{
	200: true, 201: true, 202: true, 204: true, 206: true,
	301: true, 302: true, 303: true, 304: true, 307: true, 308: true,
	400: true, 401: true, 402: true, 403: true, 404: true, 405: true, 406: true, 408: true, 409: true,
	410: true, 411: true, 412: true, 413: true, 414: true, 415: true, 418: true, 422: true, 425: true, 426: true, 428: true, 429: true, 431: true,
	500: true, 501: true, 502: true, 503: true, 504: true, 505: true,
}

// isStatus is whether a number is spoken of as a status code of HTTP, "returns a
// 401 response", which the protocol says and no look-up has to. That one was
// answered is no such thing, and where the evidence holds such codes itself, the
// number has to be one of them.
func (c *checker) isStatus(a *atom.Atom) bool {
	if c.empty || a.Unit != 0 || !statuses[int(a.Readings[0].Value)] || a.End-a.Start != 3 {
		return false
	}
	from, to := c.sentence(a.Start, a.End)
	if !codeBefore(c.draft[from:a.Start]) && !codeBehind(c.draft[a.End:to]) {
		return false
	}
	for w := range words(c.draft[from:a.Start]) {
		switch w {
		case "answered", "returned", "responded", "replied", "received", "reported", "failed", "came", "got", "gave", "saw", "threw", "was", "were", "had", "has", "have", "đã", "bị":
			return false
		}
	}
	for i := range c.x.figures {
		f := &c.x.figures[i]
		if v := math.Abs(f.value); f.kind == atom.Number && f.unit == 0 && f.marks&(counting|restated|alternate) == 0 && v == math.Trunc(v) && statuses[int(v)] && !c.x.heard(f.src) {
			return false
		}
	}
	return true
}

// codeBefore is whether a text ends with what leads a status in: "with status ".
func codeBefore(text string) bool {
	before, last := "", ""
	for w := range words(text[max(0, len(text)-32):]) {
		if w != "of" && w != "a" && w != "is" {
			before, last = last, w
		}
	}
	switch last {
	case "http", "status":
		return true
	case "code":
		return before == "status" || before == "http" || before == "response" || before == "error"
	case "thái":
		return before == "trạng"
	case "lỗi":
		return before == "mã"
	}
	return false
}

// codeBehind is whether a text begins with what a status is called: " JSON
// response", " (Unauthorized)". Several of them are a count.
func codeBehind(text string) bool {
	n := 0
	for w := range words(text[:min(len(text), 32)]) {
		switch w {
		case "response", "status", "unauthorized", "forbidden", "found":
			return true
		case "error", "ok":
			return n == 0
		}
		if n++; n == 2 {
			break
		}
	}
	return false
}
