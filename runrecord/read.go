package runrecord

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// What can be wrong with a line of a record, for errors.Is on a [LineError].
var (
	ErrTorn        = errors.New("the line ends too early")
	ErrForeign     = errors.New("the line is no event")
	ErrTooLong     = errors.New("the line is too long")
	ErrNewerSchema = errors.New("the line has a newer schema")
)

// LineError is a line that was passed over. It quotes nothing of the line.
type LineError struct {
	Line int   // 1 for the first
	Err  error // what is wrong with it
}

// Error names the line and what is wrong with it.
func (e *LineError) Error() string { return fmt.Sprintf("runrecord: line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// maxLine bounds a line that is read: an event at its largest, a call with two
// captured texts of 256 KiB, stays below even if every byte had to be escaped.
const maxLine = 4 << 20

// ReadJSONLines reads the events that a [JSONLines] sink wrote, in constant
// memory. A line that cannot be used (torn by a crash, from another program, of
// a newer schema, longer than 4 MiB) is yielded as a *[LineError] with a zero
// event, and reading goes on behind it. Where several processes append to one
// file, a line torn by one of them may have an event of another behind it in
// the same line: that event is read. Empty lines are passed over. Any other
// error is the reader's and comes last.
func ReadJSONLines(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		in := bufio.NewReaderSize(r, 64*1024)
		var buf []byte
		for n := 1; ; n++ {
			line, long, err := readLine(in, buf[:0])
			buf = line
			if long && !yield(Event{}, &LineError{n, ErrTooLong}) || !yieldLine(n, bytes.TrimSpace(line), yield) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Event{}, fmt.Errorf("runrecord: after line %d: %w", n-1, err))
				return
			}
		}
	}
}

// firstField begins every event. Inside of a text its quotes would be escaped,
// so where it stands in the middle of a line, another event was written there.
var firstField = []byte(`{"schema":`)

// yieldLine yields what is in line n, nothing where it is empty, and reports
// whether to go on.
func yieldLine(n int, line []byte, yield func(Event, error) bool) bool {
	for len(line) > 0 {
		e, err := decode(line)
		piece := len(line)
		if errors.Is(err, ErrTorn) || errors.Is(err, ErrForeign) {
			if next := bytes.Index(line[1:], firstField); next >= 0 {
				piece = next + 1
				e, err = decode(bytes.TrimSpace(line[:piece]))
			}
		}
		if err != nil {
			e, err = Event{}, &LineError{n, err}
		}
		if !yield(e, err) {
			return false
		}
		line = line[piece:]
	}
	return true
}

// readLine appends one line to buf. Of a line beyond the bound only the length
// is wrong: the rest is read and thrown away.
func readLine(in *bufio.Reader, buf []byte) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > maxLine {
			long, buf = true, buf[:0]
		}
		if !long {
			buf = append(buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, long, err
		}
	}
}

// decode looks at the schema first: a newer event may not even parse.
func decode(line []byte) (Event, error) {
	var head struct {
		Schema int       `json:"schema"`
		Type   EventType `json:"type"`
	}
	if !json.Valid(line) {
		return Event{}, whyInvalid(line)
	}
	if err := json.Unmarshal(line, &head); err != nil || head.Schema < 1 || head.Type == "" {
		return Event{}, ErrForeign
	}
	if head.Schema > SchemaVersion {
		return Event{}, fmt.Errorf("%w: %d, this reader knows %d", ErrNewerSchema, head.Schema, SchemaVersion)
	}
	var e Event
	if err := e.UnmarshalJSON(line); err != nil {
		return Event{}, ErrForeign
	}
	return e, nil
}

// whyInvalid tells the beginning of an object from anything else.
func whyInvalid(line []byte) error {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(line)).Decode(&v)
	if line[0] == '{' && errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTorn
	}
	return ErrForeign
}
