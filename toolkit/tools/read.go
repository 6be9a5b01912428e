package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// ReadFileIn are the arguments of read_file.
type ReadFileIn struct {
	Path      string `json:"path" jsonschema:"file to read, relative to the working directory"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"first line to return, counted from 1; default 1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"last line to return; default the end of the file"`
}

// FileText is what read_file returns: whole lines of a text file.
type FileText struct {
	Path      string `json:"path"`               // in the Dir
	Text      string `json:"text"`               // the lines that were asked for
	StartLine int    `json:"start_line"`         // of Text; 0 where Text has no line
	EndLine   int    `json:"end_line"`           // of Text
	Lines     int    `json:"lines,omitempty"`    // of the whole file; 0 where it was not read to its end
	Size      int64  `json:"size"`               // of the whole file, in bytes
	Cut       bool   `json:"cut,omitempty"`      // Text ends where the size bound was, not where asked
	BadUTF8   bool   `json:"bad_utf8,omitempty"` // bytes that are not UTF-8 were replaced in Text
}

// ModelText is the text, followed by a line in brackets where it is not the whole
// file as it stands on disk.
func (f FileText) ModelText() string {
	var notes []string
	switch {
	case f.Size == 0:
		notes = append(notes, "the file is empty")
	case f.Cut:
		notes = append(notes, fmt.Sprintf("cut after line %d; the file has %s; continue with start_line %d", f.EndLine, size(f.Size), f.EndLine+1))
	case f.Lines == 0:
		notes = append(notes, fmt.Sprintf("lines %d to %d; the file goes on", f.StartLine, f.EndLine))
	case f.StartLine > 1:
		notes = append(notes, fmt.Sprintf("lines %d to %d of %d", f.StartLine, f.EndLine, f.Lines))
	}
	if f.BadUTF8 {
		notes = append(notes, "bytes that are not UTF-8 were replaced")
	}
	if len(notes) == 0 {
		return f.Text
	}
	note := "[" + strings.Join(notes, "; ") + "]"
	if f.Text == "" || strings.HasSuffix(f.Text, "\n") {
		return f.Text + note
	}
	return f.Text + "\n" + note
}

// ReadFile is the tool read_file: lines of a text file. A result that the size
// bound has cut is marked as truncated. A binary file is refused: a model that
// was told "ok" would go on as if it knew what is in it.
func (d *Dir) ReadFile() toolkit.Tool[ReadFileIn, FileText] {
	return toolkit.Tool[ReadFileIn, FileText]{
		Name:        "read_file",
		Description: "Read a text file, or a range of its lines.",
		Effect:      fault.Read,
		Timeout:     d.cfg.Timeout,
		Identity:    []string{"path"},
		Prints:      true,
		MaxResult:   d.cfg.MaxRead + markRoom,
		Call:        d.readFile,
	}
}

func (d *Dir) readFile(ctx context.Context, in ReadFileIn) (FileText, error) {
	name, err := d.local(in.Path)
	if err != nil {
		return FileText{}, err
	}
	if in.StartLine < 0 || in.EndLine < 0 || in.EndLine != 0 && in.EndLine < in.StartLine {
		return FileText{}, invalid("end_line", "bad_range", "lines %d to %d are not a range", in.StartLine, in.EndLine)
	}
	f, info, err := d.regular(name)
	if err != nil {
		return FileText{}, err
	}
	defer f.Close()

	out := FileText{Path: name, Size: info.Size()}
	src := bufio.NewReaderSize(f, 32<<10)
	head, err := src.Peek(sniffLen)
	if err != nil && !errors.Is(err, io.EOF) {
		return FileText{}, fileError(err)
	}
	if binary(head) {
		return FileText{}, invalid("path", "binary_file", "%s is not a text file (%s)", name, size(info.Size()))
	}
	if err := out.fill(ctx, src, max(in.StartLine, 1), in.EndLine, d.cfg.MaxRead); err != nil {
		return FileText{}, err
	}
	if out.StartLine == 0 && in.StartLine > 1 {
		return FileText{}, invalid("start_line", "past_end", "%s has %d lines", name, out.Lines)
	}
	if out.Cut {
		return out, toolkit.Truncated()
	}
	return out, nil
}

// fill reads the lines from first to last (0: to the end) into f, at most limit
// bytes of them. It holds no more than that in memory, however long a line is.
func (f *FileText) fill(ctx context.Context, src *bufio.Reader, first, last, limit int) error {
	var text bytes.Buffer
	for line, fresh := 1, true; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := src.ReadSlice('\n')
		ended := err == nil
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && err != io.EOF {
			return fileError(err)
		}
		if len(part) > 0 && line >= first {
			if room := limit - text.Len(); len(part) > room {
				// A line that fits into no answer is given in part; any other
				// one is left to the next call as a whole.
				if fresh && text.Len() == 0 || !fresh && f.StartLine == line {
					text.Write(cutRune(part, room))
					f.StartLine, f.EndLine = line, line
				} else if !fresh {
					text.Truncate(bytes.LastIndexByte(text.Bytes(), '\n') + 1)
					f.EndLine = line - 1
				}
				f.Cut = true
				break
			}
			text.Write(part)
			if f.StartLine == 0 {
				f.StartLine = line
			}
			f.EndLine = line
		}
		if err == io.EOF {
			f.Lines = line
			if fresh && len(part) == 0 {
				f.Lines = line - 1
			}
			break
		}
		fresh = ended
		if ended {
			if line == last {
				if _, err := src.Peek(1); err == io.EOF {
					f.Lines = line
				}
				break
			}
			line++
		}
	}
	f.Text = printable(text.Bytes())
	f.BadUTF8 = f.Text != text.String()
	return nil
}
