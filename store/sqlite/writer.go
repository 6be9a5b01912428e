package sqlite

import (
	"context"
	"fmt"
	"sync"
)

// batchSize is how many requests one commit answers at the most.
const batchSize = 128

// request is something to be written, and who waits for it.
type request struct {
	ctx   context.Context // ends the wait, never the writing
	do    func(*session) error
	tx    bool          // do needs a *sql.Tx
	after func(ok bool) // called once it is known whether it was committed; nil: nothing
	reply chan error    // buffered
}

// writer is the one goroutine that writes. A commit waits for the disk, and what is
// asked for meanwhile is committed together by the next one: the batch fills by
// itself, without a timer, and a single request pays nothing for it.
type writer struct {
	open func(ctx context.Context) (*session, error)

	queue chan *request
	stop  chan struct{} // closed: take no more
	ended chan struct{} // closed when the goroutine has ended
	once  sync.Once

	session *session // nil after trouble: opened again by the next batch
}

func newWriter(first *session, open func(context.Context) (*session, error)) *writer {
	w := &writer{
		open: open, session: first,
		queue: make(chan *request, batchSize), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.run()
	return w
}

// write hands over a request and waits until it is durable. Where the context ends
// first, it may be written all the same.
func (w *writer) write(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.ctx, r.reply = ctx, make(chan error, 1)
	select {
	case <-w.stop:
		return ErrClosed
	default:
	}
	select {
	case w.queue <- r:
	case <-w.stop:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-r.reply:
		return err
	case <-ctx.Done():
	case <-w.ended:
	}
	select { // what did arrive counts
	case err := <-r.reply:
		return err
	default:
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return ErrClosed
}

// close lets the writer finish what it was given, and ends it.
func (w *writer) close() {
	w.once.Do(func() { close(w.stop) })
	<-w.ended
}

func (w *writer) run() {
	defer close(w.ended)
	defer func() {
		if w.session != nil {
			_ = w.session.close()
		}
	}()
	batch := make([]*request, 0, batchSize)
	for {
		batch = batch[:0]
		select {
		case r := <-w.queue:
			batch = append(batch, r)
		case <-w.stop:
			select { // handed over before the end
			case r := <-w.queue:
				batch = append(batch, r)
			default:
				return
			}
		}
		w.commit(w.fill(batch))
	}
}

// fill adds what waits already.
func (w *writer) fill(batch []*request) []*request {
	for len(batch) < batchSize {
		select {
		case r := <-w.queue:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// commit writes a batch in one transaction and answers each request. Where one
// request alone is the trouble, the others are written without it.
func (w *writer) commit(batch []*request) {
	batch = alive(batch)
	if len(batch) == 0 {
		return
	}
	err := w.try(batch)
	if err == nil || len(batch) == 1 || !ours(err) {
		for _, r := range batch {
			r.answer(err)
		}
		return
	}
	for _, r := range batch {
		r.answer(w.try([]*request{r}))
	}
}

// alive drops the requests for which nobody waits any more.
func alive(batch []*request) []*request {
	kept := batch[:0]
	for _, r := range batch {
		if err := r.ctx.Err(); err != nil {
			r.answer(err)
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

func (r *request) answer(err error) {
	if r.after != nil {
		r.after(err == nil)
	}
	r.reply <- err
}

// try writes a batch, or nothing. Contexts of callers have no part in it.
func (w *writer) try(batch []*request) (err error) {
	ctx := context.Background()
	if w.session == nil {
		s, err := w.open(ctx)
		if err != nil {
			return err
		}
		w.session = s
	}
	s := w.session
	tx := false
	for _, r := range batch {
		tx = tx || r.tx
	}
	if err := s.start(ctx, tx); err != nil {
		w.discard()
		return err
	}
	for _, r := range batch {
		if err = guarded(r.do, s); err != nil {
			break
		}
	}
	if err == nil {
		err = s.finish(ctx)
	}
	if err != nil {
		if rerr := s.undo(ctx); rerr != nil || !ours(err) {
			w.discard()
		}
	}
	return err
}

// discard gives up a connection of which it is not known what state it is in.
func (w *writer) discard() {
	w.session.discard()
	w.session = nil
}

// guarded turns a panic of a request's function into its error, and the goroutine
// lives on for the others.
func guarded(do func(*session) error, s *session) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a transaction, which was rolled back: %v", p)
		}
	}()
	return do(s)
}
