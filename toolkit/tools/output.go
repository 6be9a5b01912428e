package tools

import (
	"bytes"
	"fmt"
)

// headTail is a writer that keeps the beginning and the end of what is written
// to it: the first lines of a command say what it did, the last ones how it
// ended. It never holds more than limit bytes. Not safe for concurrent use.
type headTail struct {
	limit int
	head  []byte
	tail  []byte // ring, full once it has its length
	next  int    // of the ring: where the next byte goes
	total int64
}

func newHeadTail(limit int) *headTail {
	return &headTail{limit: limit}
}

// Write never fails: a command must not die because nobody listens.
func (w *headTail) Write(p []byte) (int, error) {
	n := len(p)
	w.total += int64(n)
	if room := w.limit/2 - len(w.head); room > 0 {
		k := min(room, len(p))
		w.head = append(w.head, p[:k]...)
		p = p[k:]
	}
	ring := w.limit - w.limit/2
	if len(p) > ring {
		p = p[len(p)-ring:]
	}
	if room := ring - len(w.tail); room > 0 {
		k := min(room, len(p))
		w.tail = append(w.tail, p[:k]...)
		p = p[k:]
	}
	for len(p) > 0 {
		k := copy(w.tail[w.next:], p)
		w.next = (w.next + k) % ring
		p = p[k:]
	}
	return n, nil
}

// text returns what was kept, and how many bytes were not. A mark stands where
// they are missing; what is left of a line on either side of it is dropped
// where whole lines remain.
func (w *headTail) text() (s string, omitted int64) {
	tail := append(append([]byte(nil), w.tail[w.next:]...), w.tail[:w.next]...)
	omitted = w.total - int64(len(w.head)) - int64(len(tail))
	if omitted == 0 {
		return printable(append(append([]byte(nil), w.head...), tail...)), 0
	}
	head := w.head
	if i := bytes.LastIndexByte(head, '\n'); i >= len(head)/2 {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	omitted = w.total - int64(len(head)) - int64(len(tail))
	mark := fmt.Sprintf("\n[… %d bytes left out …]\n", omitted)
	if bytes.HasSuffix(head, []byte("\n")) {
		mark = mark[1:]
	}
	return printable(head) + mark + printable(tail), omitted
}
