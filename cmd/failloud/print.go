package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// printer writes JSON lines that are safe to look at in a terminal.
type printer struct{ out *bufio.Writer }

func newPrinter(out io.Writer) *printer { return &printer{bufio.NewWriter(out)} }

func (p *printer) print(v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := p.out.Write(append(printable(bytes.TrimSuffix(line.Bytes(), []byte("\n"))), '\n'))
	return err
}

func (p *printer) flush() error { return p.out.Flush() }

// printAll writes values as JSON lines.
func printAll[T any](all []T) error {
	out := newPrinter(os.Stdout)
	for i := range all {
		if err := out.print(&all[i]); err != nil {
			return err
		}
	}
	return out.flush()
}

// printableLines makes the lines that are written to it safe to look at. What
// follows the last end of a line waits for its own.
type printableLines struct {
	out  io.Writer
	rest []byte
}

func (p *printableLines) Write(text []byte) (int, error) {
	p.rest = append(p.rest, text...)
	for {
		line, rest, ended := bytes.Cut(p.rest, []byte("\n"))
		if !ended {
			return len(text), nil
		}
		if _, err := p.out.Write(append(printable(line), '\n')); err != nil {
			return 0, err
		}
		p.rest = rest
	}
}

// printable replaces everything a terminal might obey or hide by its JSON
// escape: JSON itself only escapes the control characters below the space, not
// the ones of the C1 set, nor marks that turn the direction of text around.
func printable(text []byte) []byte {
	clean := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch hi, lo := utf16.EncodeRune(r); {
		case unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			clean = append(clean, text[:size]...)
		case hi != unicode.ReplacementChar:
			clean = fmt.Appendf(clean, `\u%04x\u%04x`, hi, lo)
		default:
			clean = fmt.Appendf(clean, `\u%04x`, r)
		}
		text = text[size:]
	}
	return clean
}
