package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// Read hands the transcripts in r to yield, in the order in which they end. The
// formats are recognised value by value; see [Formats]. Runs that are written
// value by value end with the array they stand in, when the bounds of o demand
// it, or with the input.
//
// What is wrong with the input is reported and counted, and the rest goes on.
// An error is that of yield, of the context, of r, or [ErrEncoding]; what had
// arrived before an error of r or the context was handed on. The context is
// looked at between reads of r, which may block for as long as r does.
func Read(ctx context.Context, r io.Reader, o Options, yield func(*Transcript) error) (Stats, error) {
	in := &source{ctx: ctx, r: r, told: o.OnBytes}
	text, err := decode(in)
	if err != nil {
		return Stats{Bytes: in.total}, err
	}
	o = o.withDefaults()
	rd := &reading{
		o:       o,
		formats: Formats(),
		yield:   yield,
		values:  rawjson.NewReader(text, rawjson.Config{MaxValue: o.MaxLine, Mark: recordMark}),
		unknown: map[string]int{},
	}
	err = rd.all(ctx)
	rd.stats.Bytes = in.total
	rd.stats.Lines = rd.values.Lines()
	return rd.stats, err
}

// reading is one run of [Read].
type reading struct {
	o       Options
	formats []Format
	yield   func(*Transcript) error
	values  *rawjson.Reader
	stats   Stats

	value    Value
	names    names
	fields   rawjson.Index
	sessions sessions
	array    int // of the value before
	whole    map[string]*call
	unknown  map[string]int // values by their kind
	listed   bool           // the formats were
	line     int            // where the last run began
	onLine   int            // runs that began there
}

// all reads to the end.
func (rd *reading) all(ctx context.Context) error {
	for {
		item, err := rd.values.Next()
		if ctx.Err() != nil && err != nil {
			return rd.end(ctx.Err()) // a value that was cut by that is not torn
		}
		if bad, ok := errors.AsType[*rawjson.ValueError](err); ok {
			rd.stats.Broken++
			rd.report(bad.Line, "the value "+bad.Err.Error()+" and was passed over")
			continue
		}
		if err != nil {
			return rd.end(err)
		}
		if item.Array != rd.array {
			if err := rd.closeArray(rd.array); err != nil {
				return err
			}
			rd.array = item.Array
		}
		rd.value.Raw, rd.value.Line, rd.value.Array, rd.value.Spans = item.Value, item.Line, item.Array, item.Spans
		rd.value.Reset(item.Value)
		rd.value.talk.found = false
		if item.Repaired {
			rd.report(item.Line, "bytes that are no UTF-8 were replaced")
		}
		if err := rd.add(); err != nil {
			return err
		}
	}
}

// end hands on what is open. cause is why reading has ended.
func (rd *reading) end(cause error) error {
	for s := rd.sessions.oldest(); s != nil; s = rd.sessions.oldest() {
		if err := rd.close(s); err != nil {
			return err
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(rd.unknown)) {
		if more := rd.unknown[kind] - 1; more > 0 {
			rd.report(0, fmt.Sprintf("no known format: %s, %d times more", kind, more))
		}
	}
	switch {
	case errors.Is(cause, io.EOF):
		return nil
	case errors.Is(cause, io.ErrUnexpectedEOF):
		rd.report(rd.values.Line(), "the compressed data ends too early")
	}
	return cause
}

// add gives the value to its format.
func (rd *reading) add() error {
	v := &rd.value
	for i := range rd.formats {
		if !rd.formats[i].Recognise(v) {
			continue
		}
		rd.stats.Taken++
		if rd.formats[i].Session == nil {
			return rd.single(i)
		}
		return rd.part(i)
	}
	rd.stats.Unknown++
	rd.foreign()
	return nil
}

// single makes a transcript of one value.
func (rd *reading) single(format int) error {
	const many = 1024 // a map that has grown is slow to clear
	if rd.whole == nil || len(rd.whole) > many {
		rd.whole = map[string]*call{}
	}
	clear(rd.whole)
	b := rd.begin(format, rd.whole)
	d := rd.formats[format].New(b)
	d.Add(&rd.value)
	d.End()
	return rd.hand(b)
}

// part adds the value to the session it is of.
func (rd *reading) part(format int) error {
	v := &rd.value
	key := rd.formats[format].Session(v)
	s, err := rd.session(format, key)
	if err != nil {
		return err
	}
	before := s.builder.held
	s.builder.at = newPlace(v)
	s.decoder.Add(v)
	rd.sessions.touched(s, before)
	return rd.bound(s)
}

// session finds the open session of that key, or opens one.
func (rd *reading) session(format int, key Key) (*session, error) {
	v := &rd.value
	s := rd.sessions.find(format, v.Array, key.ID)
	if s == nil && len(key.Parent) > 0 {
		s = rd.sessions.find(format, v.Array, key.Parent)
	}
	if s != nil {
		if d, ok := s.decoder.(interface{ Ends(*Value) bool }); ok && d.Ends(v) {
			if err := rd.close(s); err != nil {
				return nil, err
			}
			s = nil
		}
	}
	if s == nil {
		b := rd.begin(format, map[string]*call{})
		if len(key.ID) > 0 && key.ID[0] != 0 {
			b.t.ID = string(key.ID)
		}
		s = &session{builder: b, decoder: rd.formats[format].New(b), array: v.Array}
		rd.sessions.add(s)
		if rd.sessions.continues(format, v.Array, key.ID) {
			b.Problem(v.Line, "the beginning of the run was handed on by itself: more was open than may be held")
			b.t.Partial = true
		}
	}
	rd.sessions.name(s, format, v.Array, key.ID)
	if len(key.Also) > 0 {
		rd.sessions.name(s, format, v.Array, key.Also)
	}
	return s, nil
}

// bound closes sessions until the rest is within the bounds; newest stays.
func (rd *reading) bound(newest *session) error {
	for rd.sessions.held > rd.o.MaxHeld || rd.sessions.order.Len() > rd.o.MaxOpen {
		s := rd.sessions.oldest()
		if s == newest {
			before := s.builder.held
			enough := s.builder.shed(rd.o.MaxHeld)
			rd.sessions.touched(s, before)
			if enough {
				return nil
			}
		}
		if d, ok := s.decoder.(interface{ Ended() bool }); !ok || !d.Ended() {
			s.builder.Problem(s.builder.t.Line, "handed on before its end: more was open than may be held")
			s.builder.t.Partial = true
			rd.sessions.split(s)
		}
		if err := rd.close(s); err != nil {
			return err
		}
	}
	return nil
}

// closeArray hands on the runs that end with an array.
func (rd *reading) closeArray(array int) error {
	if array == 0 {
		return nil
	}
	for e := rd.sessions.order.Front(); e != nil; {
		s := e.Value.(*session)
		if e = e.Next(); s.array != array {
			continue
		}
		if err := rd.close(s); err != nil {
			return err
		}
	}
	return nil
}

func (rd *reading) close(s *session) error {
	rd.sessions.remove(s)
	s.decoder.End()
	return rd.hand(s.builder)
}

// begin makes the builder of a transcript that begins with the value.
func (rd *reading) begin(format int, calls map[string]*call) *Builder {
	v := &rd.value
	return &Builder{
		t: &Transcript{
			ID:     rd.lineID(v.Line),
			Format: rd.formats[format].Name,
			File:   rd.o.File,
			Line:   v.Line,
		},
		names: &rd.names, fields: &rd.fields,
		calls: calls,
		at:    newPlace(v),
		most:  rd.o.MaxHeld / eventSize,
	}
}

// lineID is the id of a run that has none of its own.
func (rd *reading) lineID(line int) string {
	id := "line-" + strconv.Itoa(line)
	if line != rd.line {
		rd.line, rd.onLine = line, 0
	}
	if rd.onLine++; rd.onLine > 1 {
		id += "." + strconv.Itoa(rd.onLine)
	}
	return id
}

// hand completes a transcript and hands it on.
func (rd *reading) hand(b *Builder) error {
	t := b.end()
	rd.stats.Problems += len(t.Problems) + b.more
	if b.given || t.HasFinal || t.Record || len(t.Events) > 0 || t.Evidence != nil || t.System != "" || len(t.Problems) > 0 {
		return rd.handOn(b)
	}
	rd.stats.Empty++
	return nil
}

// handOn hands on a transcript that is not too old.
func (rd *reading) handOn(b *Builder) error {
	if !rd.o.Since.IsZero() && !b.last.IsZero() && b.last.Before(rd.o.Since) {
		rd.stats.Old++
		return nil
	}
	rd.stats.Transcripts++
	return rd.yield(b.t)
}

// report tells of a problem that is of no transcript.
func (rd *reading) report(line int, what string) {
	rd.stats.Problems++
	if rd.o.OnProblem != nil {
		rd.o.OnProblem(Problem{File: rd.o.File, Line: line, What: what})
	}
}

const maxKinds = 64 // of unknown values that are told apart

// foreign reports a value of no known shape, once for each kind.
func (rd *reading) foreign() {
	v := &rd.value
	kind := v.Raw.Kind().String()
	if v.Len() > 0 {
		const some = 6
		kind += " with"
		for i := range min(v.Len(), some) {
			kind += " " + quote(string(v.Name(i)))
		}
	}
	if len(rd.unknown) >= maxKinds && rd.unknown[kind] == 0 {
		kind = "of many other kinds"
	}
	rd.unknown[kind]++
	if rd.unknown[kind] > 1 {
		return
	}
	for _, f := range rd.formats {
		if f.Lacks == nil {
			continue
		}
		if what := f.Lacks(v); what != "" {
			rd.report(v.Line, "no known format: it looks like "+f.Name+", but "+what)
			return
		}
	}
	what := "no known format: " + kind
	if !rd.listed {
		what += "; known are " + shapes(rd.formats)
		rd.listed = true
	}
	rd.report(v.Line, what)
}
