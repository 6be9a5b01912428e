package rawjson

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Config are the settings of a [Reader]. The zero value is ready to use.
type Config struct {
	// MaxValue bounds the bytes of one value, and with them the memory of the
	// reader. Default: 16 MiB.
	MaxValue int
	// Mark is how every value of a certain writer begins and what can stand
	// nowhere else, such as {"schema": with its quotes. Where a line is torn
	// and the next value was written behind it, reading goes on there.
	// Default: none; what is left of a torn line is passed over.
	Mark string
}

// Item is one value of the stream.
type Item struct {
	// Value is valid until the next call of Next.
	Value Value
	// Line is where the value begins, from 1.
	Line int
	// Array is the number, from 1, of the array of the top level of which the
	// value is an element; 0 where it stands alone.
	Array int
	// Repaired is set where bytes that are no UTF-8 were replaced by U+FFFD.
	Repaired bool
	// Spans is set where the value goes over more than one line.
	Spans bool
}

// Reader cuts a stream into values, in constant memory. Make one with
// [NewReader]. Not safe for concurrent use.
type Reader struct {
	src    io.Reader
	config Config
	buf    []byte
	end    int   // of what was read into buf
	pos    int   // where reading goes on
	err    error // of src, once it has come
	eol    int   // there is no line break between pos and here

	line  int // at pos
	array int // the array that is open, else 0
	count int // arrays so far
	since int // the line where the open array began

	scan  scanner
	start int // of the value that is being read
	first int // the line of start

	total   int  // bytes read
	last    byte // of them
	rescans int  // bytes that are looked at again behind a torn value
}

const (
	defaultMaxValue = 16 << 20
	minBuffer       = 256 << 10
)

// NewReader returns a reader of src.
func NewReader(src io.Reader, config Config) *Reader {
	if config.MaxValue <= 0 {
		config.MaxValue = defaultMaxValue
	}
	return &Reader{src: src, config: config, line: 1, buf: make([]byte, minBuffer)}
}

// Line returns the line reading has come to, from 1.
func (r *Reader) Line() int { return r.line }

// Lines returns how many lines were read in all, an unfinished last one too.
func (r *Reader) Lines() int {
	if r.total > 0 && r.last != '\n' {
		return r.line
	}
	return r.line - 1
}

// Next returns the next value. After a *[ValueError] it can be called again.
// Any other error is the end: [io.EOF], or that of the input, before which all
// values that did arrive were returned.
func (r *Reader) Next() (Item, error) {
	for {
		c, ok := r.peek()
		switch {
		case !ok && r.array != 0:
			r.array = 0
			return Item{}, &ValueError{r.since, ErrTorn}
		case !ok:
			return Item{}, r.err
		case c == '[' && r.array == 0:
			r.count++
			r.array, r.since = r.count, r.line
			r.pos++
		case c == ']' && r.array != 0:
			r.array = 0
			r.pos++
		case c == ',':
			r.pos++
		default:
			return r.value()
		}
	}
}

// peek returns the first byte from pos on that is no space.
func (r *Reader) peek() (byte, bool) {
	for {
		for ; r.pos < r.end; r.pos++ {
			switch c := r.buf[r.pos]; c {
			case '\n':
				r.line++
			case ' ', '\t', '\r':
			default:
				return c, true
			}
		}
		r.start = r.pos
		if filled, _ := r.fill(); !filled {
			return 0, false
		}
	}
}

// value reads the value that begins at pos.
func (r *Reader) value() (Item, error) {
	r.scan.reset()
	r.start, r.first = r.pos, r.line
	var skip error // why the value is not held
	from := r.pos  // of the line in which pos is
	for {
		eol, newline := r.lineEnd()
		at, v := r.scan.feed(r.buf, r.pos, eol)
		r.pos = at
		if v == more && newline && r.scan.state == inScalar {
			v = r.scan.endScalar(r.buf, at)
		}
		switch {
		case v == done:
			if skip != nil {
				return Item{}, &ValueError{r.first, skip}
			}
			return r.item()
		case v == bad:
			return Item{}, r.broken(from, skip)
		case v == deep:
			skip, r.scan.blind = ErrTooDeep, true
			continue
		case newline && (r.scan.quoted || r.scan.over > 0 && r.line == r.first):
			return Item{}, r.broken(from, skip)
		case newline:
			r.line++
			r.pos++
			from = r.pos
			continue
		}
		if skip == nil && r.pos-r.start > r.config.MaxValue {
			skip = ErrTooLong
			r.buf, r.pos, r.end, r.eol = make([]byte, minBuffer), 0, 0, 0 // do not keep what one bad value needed
		}
		if skip != nil {
			r.start, r.scan.blind = r.pos, true
			from = r.pos
		}
		filled, moved := r.fill()
		from -= moved
		r.scan.token -= moved
		if !filled {
			if r.scan.state == inScalar && r.scan.endScalar(r.buf, r.pos) == done && skip == nil {
				return r.item()
			}
			return Item{}, r.broken(from, skip)
		}
	}
}

// lineEnd returns where the line of pos ends as far as it was read, and whether
// a line break stands there. Of many values in a line each byte is looked at once.
func (r *Reader) lineEnd() (eol int, newline bool) {
	r.eol = max(r.eol, r.pos)
	if i := bytes.IndexByte(r.buf[r.eol:r.end], '\n'); i >= 0 {
		r.eol += i
		return r.eol, true
	}
	r.eol = r.end
	return r.end, false
}

// item returns what is between start and pos.
func (r *Reader) item() (Item, error) {
	v := r.buf[r.start:r.pos]
	if len(v) > r.config.MaxValue {
		return Item{}, &ValueError{r.first, ErrTooLong}
	}
	item := Item{Value: v, Line: r.first, Array: r.array, Spans: r.line > r.first}
	if !utf8.Valid(v) {
		item.Value, item.Repaired = bytes.ToValidUTF8(v, []byte("\uFFFD")), true
	}
	return item, nil
}

// broken says what is wrong with the value that cannot go on at pos, and sets
// pos to where reading goes on. line is the index where the line of pos begins,
// as far as it is in the buffer.
func (r *Reader) broken(line int, skip error) error {
	why := skip
	if why == nil {
		why = ErrNotJSON
		atEnd := r.pos >= r.end || r.buf[r.pos] == '\n' || line > r.start && space(r.buf[:r.end], line) == r.pos
		if atEnd && (r.scan.quoted || len(r.scan.open) > 0) {
			why = ErrTorn
		}
	}
	if r.since == r.first {
		r.array = 0 // a torn line that was an array
	}
	err := &ValueError{r.first, why}
	if skip == nil && r.rewind(line) {
		return err
	}
	r.nextLine()
	return err
}

// rewind looks for a value that the broken one has swallowed: at a mark, or at
// the start of a later line. It reports whether there is one; reading then goes
// on with it. What may be looked at twice is bounded by what was read, so that
// the whole stays linear.
func (r *Reader) rewind(line int) bool {
	to, ok := r.afterMark(&line)
	if !ok {
		to, ok = r.afterLine(line)
	}
	if !ok {
		return false
	}
	if to < r.pos {
		if r.rescans += r.pos - to; r.rescans > 2*r.total+minBuffer {
			return false
		}
		r.line -= bytes.Count(r.buf[to:r.pos], []byte("\n"))
	}
	r.pos, r.eol = to, to
	return true
}

// afterMark finds the mark inside of the broken value. The error shows at most
// a few bytes behind the start of the mark, which must be read first.
func (r *Reader) afterMark(line *int) (int, bool) {
	mark := []byte(r.config.Mark)
	if len(mark) == 0 {
		return 0, false
	}
	for r.end < r.pos+len(mark) {
		filled, moved := r.fill()
		if *line -= moved; !filled {
			break
		}
	}
	i := bytes.Index(r.buf[r.start+1:min(r.pos+len(mark), r.end)], mark)
	return r.start + 1 + i, i >= 0
}

// afterLine finds the first line behind the one where the broken value began
// that begins like a value, up to the one that shows the error.
func (r *Reader) afterLine(line int) (int, bool) {
	for at := r.start; at < line; {
		newline := bytes.IndexByte(r.buf[at:line], '\n')
		if newline < 0 {
			break
		}
		at += newline + 1
		if at < r.end && (r.buf[at] == '{' || r.buf[at] == '[') {
			return at, true
		}
	}
	return 0, false
}

// nextLine goes to the end of the line without holding it.
func (r *Reader) nextLine() {
	for {
		eol, newline := r.lineEnd()
		r.pos = eol
		if newline {
			return
		}
		r.start = r.end
		if filled, _ := r.fill(); !filled {
			return
		}
	}
}

// fill reads more behind what is held from start on, and reports whether there
// was any, and by how much what is held has moved towards the front; start and
// pos have moved with it.
func (r *Reader) fill() (filled bool, moved int) {
	if r.err != nil {
		return false, 0
	}
	if moved = r.start; moved > 0 {
		copy(r.buf, r.buf[moved:r.end])
		r.end -= moved
		r.pos -= moved
		r.eol = max(r.eol-moved, 0)
		r.start = 0
	}
	if r.end == len(r.buf) {
		grown := make([]byte, r.grown())
		copy(grown, r.buf)
		r.buf = grown
	}
	for range 100 {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.total += n
		r.err = err
		if n > 0 {
			r.last = r.buf[r.end-1]
		}
		if n > 0 || err != nil {
			return n > 0, moved
		}
	}
	r.err = io.ErrNoProgress
	return false, moved
}

// grown is the next size of the buffer: twice as large, and at once what the
// longest value needs where that is not much more, for each step leaves the one
// before as garbage.
func (r *Reader) grown() int {
	const step = 4 << 10
	most := r.config.MaxValue + minBuffer
	if n := len(r.buf); n < most/4 {
		return 2 * n
	} else if n < most-step {
		return most
	}
	return len(r.buf) + step
}
