package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

var errTooLong = errors.New("longer than " + strconv.Itoa(maxInput) + " bytes")

// lineReader yields lines of bounded length in constant memory.
type lineReader struct {
	in     *bufio.Reader
	limit  int // bytes of a line
	number int // of the line that was returned last, from 1
	read   int // lines so far that were not blank
	buf    []byte
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), limit: limit}
}

// next returns the next line without its end; it is valid until the next call.
// After [errTooLong] the rest of that line has been skipped. At the end of the
// input the error is [io.EOF].
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	tooLong := false
	for {
		part, err := l.in.ReadSlice('\n')
		if !tooLong {
			l.buf = append(l.buf, part...)
			tooLong = len(bytes.TrimRight(l.buf, "\r\n")) > l.limit
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(l.buf) == 0):
			return nil, err
		}
		break
	}
	l.number++
	line := bytes.TrimRight(l.buf, "\r\n")
	if l.number == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark, from editors and shells
	}
	if len(bytes.TrimSpace(line)) > 0 {
		l.read++
	}
	if tooLong {
		l.buf = nil // do not keep what one bad line needed
		return nil, errTooLong
	}
	return line, nil
}

// waiting reports whether the next line has yet to be read from the input.
func (l *lineReader) waiting() bool { return l.in.Buffered() == 0 }

// rest is the input behind the last line.
func (l *lineReader) rest() io.Reader { return l.in }
