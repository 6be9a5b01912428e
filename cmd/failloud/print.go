package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
