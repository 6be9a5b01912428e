// Package page prints what the examples have to tell, in lines that fit a
// terminal.
package page

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	width  = 100 // columns of a line
	labels = 26  // columns of a label
)

// Page prints until the first error of its writer and keeps that error.
type Page struct {
	w   io.Writer
	err error
}

// New returns a page on w.
func New(w io.Writer) *Page { return &Page{w: w} }

// Err is the first error of the writer.
func (p *Page) Err() error { return p.err }

// Title begins a part of the story.
func (p *Page) Title(format string, args ...any) {
	title := fmt.Sprintf(format, args...)
	p.print("\n" + title + "\n" + strings.Repeat("=", utf8.RuneCountInString(title)))
}

// Line prints one line. What does not fit goes on below, under the beginning of
// its text.
func (p *Page) Line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.wrap(text, len(text)-len(strings.TrimLeft(text, " ")))
}

// Field prints a label and what it stands for, which goes on in its own column.
func (p *Page) Field(label, format string, args ...any) {
	p.wrap(fmt.Sprintf("%-*s", labels, label)+fmt.Sprintf(format, args...), labels)
}

// Numbered prints one entry of a list.
func (p *Page) Numbered(n int, text string) {
	head := fmt.Sprintf("  %d. ", n)
	p.wrap(head+text, len(head))
}

// wrap prints text in lines of at most width; all but the first are indented.
func (p *Page) wrap(text string, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			line = margin + line
		}
		for utf8.RuneCountInString(line) > width {
			fits := string([]rune(line)[:width])
			cut := strings.LastIndexByte(fits, ' ')
			if cut <= indent {
				cut = strings.LastIndexByte(fits, ',') + 1 // JSON
			}
			if cut <= indent {
				break // one long word
			}
			p.print(line[:cut])
			line = margin + strings.TrimLeft(line[cut:], " ")
		}
		p.print(line)
	}
}

func (p *Page) print(line string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(line, " "))
	}
}
