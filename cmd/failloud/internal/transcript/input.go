package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrEncoding is what [Read] returns for an input it cannot decode: UTF-16, or
// a compression other than gzip.
var ErrEncoding = errors.New("the encoding is not supported")

// source is the input as it is stored: it counts bytes and looks at the context.
type source struct {
	ctx   context.Context
	r     io.Reader
	total int64
	told  func(int64)
}

// Read reads from the input unless the context has ended.
func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	s.total += int64(n)
	if n > 0 && s.told != nil {
		s.told(s.total)
	}
	return n, err
}

// decode returns the text of the input: it undoes gzip and takes away the mark
// that some editors put in front of UTF-8.
func decode(s *source) (io.Reader, error) {
	in := bufio.NewReaderSize(s, 64<<10)
	head, _ := in.Peek(4) // an error comes again when it is read
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		in = bufio.NewReaderSize(unzipped, 64<<10)
		head, _ = in.Peek(4)
	}
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		if _, err := in.Discard(3); err != nil {
			return nil, err
		}
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}),
		len(head) >= 2 && (head[0] == 0) != (head[1] == 0):
		return nil, fmt.Errorf("%w: it is UTF-16; convert it to UTF-8, for example with: iconv -f UTF-16 -t UTF-8", ErrEncoding)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return nil, fmt.Errorf("%w: it is compressed with zstd; decompress it, for example with: zstd -dc", ErrEncoding)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, fmt.Errorf("%w: it is a zip archive; unpack it, for example with: unzip -p", ErrEncoding)
	}
	return in, nil
}
