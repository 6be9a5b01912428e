package runrecord

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// ErrSinkClosed is returned for an event that came after the sink was closed.
var ErrSinkClosed = errors.New("runrecord: sink is closed")

// JSONLines is a [Sink] that writes each event as one line of JSON, in one
// write. What was written survives the death of the process; a process killed
// in the middle of a write leaves at most one torn last line, which
// [ReadJSONLines] reports and passes over. Safe for concurrent use, and several
// processes may append to one file. The file is looked at when it is opened and
// after a write that failed: where it then ends inside a line, the next event
// starts on a fresh one. A line that another process tears in between, on a full
// disk or when it is killed, may get this one's next event behind it, which
// [ReadJSONLines] reads nevertheless.
type JSONLines struct {
	mu      sync.Mutex
	w       io.Writer
	file    *os.File // w where it is ours to close, else nil
	regular bool     // file has a disk behind it, a pipe has not
	torn    bool     // the last write ended inside a line
	failed  bool     // the last write failed
	closed  bool
}

// NewJSONLines writes to w, which stays the caller's to close.
func NewJSONLines(w io.Writer) *JSONLines { return &JSONLines{w: w} }

// OpenJSONLines appends to the file at path, which is created readable by its
// owner alone. Where the last line of the file is torn, the first event starts
// on a fresh one.
func OpenJSONLines(path string) (*JSONLines, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("runrecord: %w", err)
	}
	s := &JSONLines{w: file, file: file}
	if err := s.inspect(); err != nil {
		file.Close()
		return nil, fmt.Errorf("runrecord: %w", err)
	}
	return s, nil
}

// inspect sees what kind of file it is, and whether its last line is torn.
func (s *JSONLines) inspect() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.regular = info.Mode().IsRegular()
	if !s.regular || info.Size() == 0 {
		s.torn = s.torn && !s.regular
		return nil
	}
	var last [1]byte
	if _, err := s.file.ReadAt(last[:], info.Size()-1); err != nil {
		return err
	}
	s.torn = last[0] != '\n'
	return nil
}

// Write appends the event. After a write that failed half-way the next event
// starts on a fresh line.
func (s *JSONLines) Write(e Event) error {
	line, err := e.MarshalJSON()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrSinkClosed
	}
	if s.failed && s.regular {
		// Others may have failed on the same disk, or written behind our half.
		// Where the file cannot be looked at, what this sink knows must do.
		_ = s.inspect()
	}
	if s.torn {
		line = append([]byte{'\n'}, line...)
	}
	line = append(line, '\n')
	n, err := s.w.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	s.failed = err != nil
	if n > 0 {
		s.torn = n <= len(line) && line[n-1] != '\n'
	}
	return err
}

// Close writes a file that [OpenJSONLines] opened through to the disk and
// closes it. Events that come later are refused; a second Close does nothing.
func (s *JSONLines) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.file == nil {
		return nil
	}
	var err error
	if s.regular {
		err = s.file.Sync()
	}
	return errors.Join(err, s.file.Close())
}
