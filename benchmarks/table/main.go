package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// The table stands between these lines.
const (
	begin = "<!-- benchmarks: begin, written by make bench -->\n"
	end   = "<!-- benchmarks: end -->\n"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: table FILE < output of go test -bench")
	}
	m, err := parse(io.TeeReader(in, out))
	if err != nil {
		return err
	}
	table, err := m.table()
	if err != nil {
		return err
	}
	page, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if page, err = replace(page, table); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return os.WriteFile(args[0], page, 0o644)
}

// replace puts the table between the markers of a page.
func replace(page []byte, table string) ([]byte, error) {
	before, rest, ok := bytes.Cut(page, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return nil, fmt.Errorf("has no lines %q and %q", begin, end)
	}
	return bytes.Join([][]byte{before, []byte(begin), []byte(table), []byte(end), after}, nil), nil
}
