package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// stdin is how standard input is named.
const stdin = "-"

// input is one file of an audit.
type input struct {
	name string
	size int64 // 0: not known, it may be a pipe
}

// inputs are what there is to read, in order, and what cannot be.
type inputs struct {
	files []input
	bad   []badInput
}

// badInput is a file or a folder that cannot be read.
type badInput struct {
	name string
	err  error
}

// findInputs lists the files in their order, those of a folder in that of their
// names. The error is that of all of them where there is nothing to read.
func findInputs(names []string) (*inputs, error) {
	in := &inputs{}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name == stdin:
			in.files = append(in.files, input{name: name})
		case err != nil:
			in.reject(name, err)
		case info.IsDir():
			in.folder(name)
		case info.Mode().IsRegular():
			in.files = append(in.files, input{name, info.Size()})
		default:
			in.files = append(in.files, input{name: name})
		}
	}
	if len(in.files) == 0 {
		var all []error
		for _, bad := range in.bad {
			all = append(all, bad.err)
		}
		return nil, errors.Join(all...)
	}
	return in, nil
}

// reject notes what cannot be read.
func (in *inputs) reject(name string, err error) {
	if !strings.Contains(err.Error(), name) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	in.bad = append(in.bad, badInput{name, err})
}

// size is that of all files together, 0 where it is not known.
func (in *inputs) size() int64 {
	var total int64
	for _, f := range in.files {
		if f.size == 0 {
			return 0
		}
		total += f.size
	}
	return total
}

// open opens the input. A read that waits for more, from a pipe or a terminal,
// ends with the context.
func (in input) open(ctx context.Context) (io.ReadCloser, error) {
	switch {
	case in.size > 0:
		return os.Open(in.name)
	case in.name != stdin:
		return pumped(ctx, func() (*os.File, error) { return os.Open(in.name) }), nil
	case isTerminal(os.Stdin):
		fmt.Fprintln(os.Stderr, "failloud: reading from the terminal; end with Ctrl-D")
	}
	return pumped(ctx, func() (*os.File, error) { return os.Stdin, nil }), nil
}
