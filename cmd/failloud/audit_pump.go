package main

import (
	"context"
	"os"
)

// pump reads ahead, so that whoever reads from it need not wait for a file that
// gives nothing.
type pump struct {
	ctx  context.Context
	full chan chunk
	free chan []byte
	now  chunk
	rest []byte
}

type chunk struct {
	data []byte
	err  error
}

func pumped(ctx context.Context, open func() (*os.File, error)) *pump {
	const chunks, size = 2, 128 << 10
	p := &pump{ctx: ctx, full: make(chan chunk), free: make(chan []byte, chunks)}
	for range chunks {
		p.free <- make([]byte, size)
	}
	// It may stay behind in a read, or in opening a pipe that nobody writes to,
	// which nothing ends; then the process does.
	go func() {
		f, err := open()
		if err != nil {
			select {
			case p.full <- chunk{err: err}:
			case <-ctx.Done():
			}
			return
		}
		defer f.Close()
		for buf := range p.free {
			n, err := f.Read(buf)
			select {
			case p.full <- chunk{buf[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return p
}

// Read returns what has been read, or waits for it or the end of the context.
func (p *pump) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.now.err != nil {
			return 0, p.now.err
		}
		if p.now.data != nil {
			p.free <- p.now.data[:cap(p.now.data)]
		}
		select {
		case p.now = <-p.full:
			p.rest = p.now.data
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Close does nothing: the file is closed where it is read.
func (p *pump) Close() error { return nil }
