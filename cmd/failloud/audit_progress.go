package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progress draws one line on a terminal. A nil one draws nothing.
type progress struct {
	mu    sync.Mutex
	out   io.Writer
	total int64 // bytes, 0: not known
	base  int64 // of the inputs before this one
	done  int64 // of this one
	runs  int
	last  time.Time
	drawn bool
}

// newProgress returns nil where nobody would see it, or where it would stand
// between lines of the output.
func newProgress(f *os.File, total int64, quiet bool) *progress {
	if quiet || !isTerminal(f) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{out: f, total: total, last: time.Now()}
}

// bytes notes how much of the input was read.
func (p *progress) bytes(done int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = done
	p.draw()
}

// run notes that a run was judged.
func (p *progress) run() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs++
}

// next notes that an input of this size is done.
func (p *progress) next(size int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.base, p.done = p.base+max(size, p.done), 0
}

// clear takes the line away, for something else to be written.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.drawn = false
	}
}

// draw shows the state, ten times a second at most.
func (p *progress) draw() {
	if time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.drawn = time.Now(), true
	read := p.base + p.done
	if p.total <= 0 {
		spinner := []rune(`|/-\`)
		fmt.Fprintf(p.out, "\r\x1b[K%c %s read, %d runs", spinner[p.last.UnixMilli()/100%4], megabytes(read), p.runs)
		return
	}
	const cells = 30
	full := min(int(read*cells/p.total), cells)
	fmt.Fprintf(p.out, "\r\x1b[K[%s%s] %3d %%  %s of %s, %d runs", strings.Repeat("=", full), strings.Repeat(" ", cells-full),
		min(read*100/p.total, 100), megabytes(read), megabytes(p.total), p.runs)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
