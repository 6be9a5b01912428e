package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// stdin is how standard input is named.
const stdin = "-"

// input is one file of an audit.
type input struct {
	name string
	size int64 // 0: not known
}

// transcriptFiles are the names that are read of a folder.
var transcriptFiles = []string{".jsonl", ".ndjson", ".json", ".gz"}

// findInputs lists the files in their order, those of a folder in that of their
// names, with their size in all; 0 where it is not known.
func findInputs(names []string) (inputs []input, total int64, err error) {
	known := true
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == stdin:
			inputs, known = append(inputs, input{name: name}), false
		case err != nil:
			return nil, 0, err
		case info.IsDir():
			found, err := filesIn(name)
			if err != nil {
				return nil, 0, err
			}
			inputs = append(inputs, found...)
		default:
			in := input{name: name}
			if info.Mode().IsRegular() {
				in.size = info.Size()
			} else {
				known = false
			}
			inputs = append(inputs, in)
		}
	}
	for _, in := range inputs {
		total += in.size
	}
	if !known {
		total = 0
	}
	return inputs, total, nil
}

// filesIn lists the transcripts in a folder and the folders below it.
func filesIn(folder string) ([]input, error) {
	var found []input
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(transcriptFiles, filepath.Ext(path)) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		found = append(found, input{path, info.Size()})
		return nil
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: no *.jsonl, *.ndjson, *.json or *.gz in this folder", folder)
	}
	return found, err
}

// open opens the input. A read that waits for more, from a pipe or a terminal,
// ends with the context.
func (in input) open(ctx context.Context) (io.ReadCloser, error) {
	if in.name != stdin {
		f, err := os.Open(in.name)
		if err != nil || in.size > 0 {
			return f, err
		}
		return pumped(ctx, f), nil
	}
	if isTerminal(os.Stdin) {
		fmt.Fprintln(os.Stderr, "failloud: reading from the terminal; end with Ctrl-D")
	}
	return pumped(ctx, os.Stdin), nil
}

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

func pumped(ctx context.Context, f *os.File) *pump {
	const chunks, size = 2, 128 << 10
	p := &pump{ctx: ctx, full: make(chan chunk), free: make(chan []byte, chunks)}
	for range chunks {
		p.free <- make([]byte, size)
	}
	// It may stay behind in a read that nothing ends; then the process does.
	go func() {
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
