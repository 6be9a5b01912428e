package toolkit

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// readAhead reads the beginning of the response's body and puts it back: the
// caller reads the same bytes, and in the end the same error. whole is true
// where the body ended properly within the limit.
func readAhead(resp *http.Response, limit int) (body []byte, whole bool) {
	if resp.Body == nil || resp.Body == http.NoBody {
		return []byte{}, true
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	resp.Body = &replayedBody{Reader: io.MultiReader(bytes.NewReader(body), resp.Body), Closer: resp.Body}
	if len(body) > limit {
		return body[:limit:limit], false
	}
	return body, err == nil
}

type replayedBody struct {
	io.Reader
	io.Closer
}

// watchedBody keeps the beginning of what is read through it, and says once, when
// the reading ends, what it has. Cut means that there was more than it kept: the
// function has read that itself, or did not want it. A body that broke off is
// not called cut, because what came of it was all there was. Reading and closing
// may happen on different goroutines.
type watchedBody struct {
	io.ReadCloser
	limit  int
	length int64 // of the body, -1 where it is not known
	ended  func(body []byte, cut bool)

	mu   sync.Mutex
	kept []byte
	read int64
	said bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read += int64(n)
	if room := b.limit - len(b.kept); room > 0 && n > 0 {
		b.kept = append(b.kept, p[:min(room, n)]...)
	}
	if err != nil {
		b.say(false)
	}
	return n, err
}

// Close ends the reading early, unless all of it was read and only its end was
// not seen.
func (b *watchedBody) Close() error {
	b.mu.Lock()
	b.say(b.read != b.length)
	b.mu.Unlock()
	return b.ReadCloser.Close()
}

// say is called with the lock held; what it calls takes no lock of ours but the
// attempt's, and calls nobody's code.
func (b *watchedBody) say(cut bool) {
	if b.said {
		return
	}
	b.said = true
	if b.kept == nil {
		b.kept = []byte{}
	}
	b.ended(b.kept, cut || b.read > int64(len(b.kept)))
}
