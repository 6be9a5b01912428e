package report

import (
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/internal/redact"
)

// Cleaner makes texts of transcripts fit to be shown. The zero value hides what
// looks like a credential.
type Cleaner struct {
	// Bare shows credentials as they are. Default: false.
	Bare bool
}

// Line is s as one line of at most limit bytes. What a terminal would obey, and
// what turns the direction of text around, is written as an escape.
func (c Cleaner) Line(s string, limit int) string {
	s = strings.TrimSpace(redact.Cut(s, 4*limit))
	// A copy: it is kept for longer than the transcript.
	return strings.Clone(redact.Escape(spaces.Replace(c.Hide(s)), limit))
}

// Block is s with its line breaks, of about at most limit bytes, cleaned like a
// [Cleaner.Line].
func (c Cleaner) Block(s string, limit int) string {
	clean := lines(c.Hide(redact.Cut(s, limit)))
	if len(s) > limit {
		clean = strings.TrimRight(clean, " ") + " …"
	}
	return clean
}

// Hide is s without what looks like a credential.
func (c Cleaner) Hide(s string) string {
	if c.Bare {
		return s
	}
	return redact.Secrets(s)
}

// Quoted is the part of the answer that a finding is about. What stands around it
// may tell that it is a credential.
func (c Cleaner) Quoted(row *audit.Row, f *audit.Finding) string {
	if f.Span == nil || c.Bare {
		return c.Hide(f.Text)
	}
	const around = 128
	draft := row.Transcript().Final
	part := draft[max(0, f.Span[0]-around):min(len(draft), f.Span[1]+around)]
	if !strings.Contains(redact.Secrets(part), f.Text) {
		return redact.Mark
	}
	return f.Text
}

// Row hides what looks like a credential in all that a line of JSON shows of the
// row: a program may have made one an id, or a model a name of a tool.
func (c Cleaner) Row(row *audit.Row) {
	if c.Bare {
		return
	}
	row.ID = c.Hide(row.ID)
	for _, all := range [][]string{row.Failed, row.Open, row.Problems} {
		for i := range all {
			all[i] = c.Hide(all[i])
		}
	}
	for i := range row.Findings {
		f := &row.Findings[i]
		f.Text, f.Evidence = c.Quoted(row, f), c.Hide(f.Evidence)
		f.What, f.Call, f.Tool = c.Hide(f.What), c.Hide(f.Call), c.Hide(f.Tool)
	}
}

// spaces keeps the line breaks of prose from becoming escapes.
var spaces = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ")

// escape is s as one line without a bound.
func escape(s string) string {
	// An invisible rune grows to ten bytes, an invalid byte to four.
	return redact.Escape(strings.ReplaceAll(s, "\t", "    "), 10*len(s)+1)
}

// columns is how many columns of a terminal s takes, about.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns knows the scripts whose characters are two columns wide, and the
// marks that are put on the character before them.
func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r <= 0x36f, r >= 0x200b && r <= 0x200f, r >= 0xfe00 && r <= 0xfe0f:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// fit shortens s to at most width columns.
func fit(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	n := 1 // the ellipsis
	for i, r := range s {
		if n += runeColumns(r); n > width {
			return s[:i] + "…"
		}
	}
	return s
}

// fitEnd shortens s to its last width columns: of a path the end tells.
func fitEnd(s string, width int) string {
	left := columns(s)
	if left <= width {
		return s
	}
	for i, r := range s {
		if left < width {
			return "…" + s[i:]
		}
		left -= runeColumns(r)
	}
	return "…"
}

// wrap breaks s at spaces into lines of at most width columns; a longer word is
// broken where the line ends.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
		for columns(line) > width {
			head := strings.TrimSuffix(fit(line, width+1), "…")
			lines = append(lines, head)
			line = line[len(head):]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
