package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	rd.stats.Lines = rd.values.Line() - 1
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
	key      []byte
	names    names
	sessions sessions
	array    int // of the value before
	whole    map[string]*call
	unknown  map[string]int // values by their kind
}

// all reads to the end.
func (rd *reading) all(ctx context.Context) error {
	for {
		item, err := rd.values.Next()
		if bad, ok := errors.AsType[*rawjson.ValueError](err); ok {
			rd.stats.Broken++
			rd.report(bad.Line, "the value "+bad.Err.Error()+" and was passed over")
			continue
		}
		if err != nil {
			return rd.end(ctx, err)
		}
		if item.Array != rd.array {
			if err := rd.closeArray(rd.array); err != nil {
				return err
			}
			rd.array = item.Array
		}
		rd.value.Raw, rd.value.Line, rd.value.Array, rd.value.Spans = item.Value, item.Line, item.Array, item.Spans
		rd.value.Reset(item.Value)
		if item.Repaired {
			rd.report(item.Line, "bytes that are no UTF-8 were replaced")
		}
		if err := rd.add(); err != nil {
			return err
		}
	}
}

// end hands on what is open. cause is why reading has ended.
func (rd *reading) end(ctx context.Context, cause error) error {
	for s := rd.sessions.oldest(); s != nil; s = rd.sessions.oldest() {
		if err := rd.close(s); err != nil {
			return err
		}
	}
	for kind, n := range rd.unknown {
		if n > 1 {
			rd.report(0, fmt.Sprintf("%d more values of no known format: %s", n-1, kind))
		}
	}
	switch {
	case errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF):
		return ctx.Err()
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
	if rd.whole == nil {
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
	f := &rd.formats[format]
	key := f.Session(v)
	array := v.Array
	if len(key.ID) > 0 {
		array = 0
	}
	rd.key = rd.sessions.key(rd.key[:0], format, array, key.ID)
	s := rd.sessions.open[string(rd.key)]
	if s == nil && len(key.Parent) > 0 {
		own := string(rd.key)
		rd.key = rd.sessions.key(rd.key[:0], format, 0, key.Parent)
		if s = rd.sessions.open[string(rd.key)]; s != nil {
			rd.sessions.name(s, own)
		}
		rd.key = append(rd.key[:0], own...)
	}
	if s != nil {
		if d, ok := s.decoder.(interface{ Ends(*Value) bool }); ok && d.Ends(v) {
			if err := rd.close(s); err != nil {
				return err
			}
			s = nil
		}
	}
	if s == nil {
		b := rd.begin(format, map[string]*call{})
		if len(key.ID) > 0 {
			b.t.ID = string(key.ID)
		}
		s = &session{format: format, builder: b, decoder: f.New(b), array: array}
		rd.sessions.add(s, string(rd.key))
	}
	before := s.builder.held
	s.builder.at = newPlace(v)
	s.decoder.Add(v)
	rd.sessions.touched(s, before)
	return rd.bound(s)
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
			ID:     "line-" + strconv.Itoa(v.Line),
			Format: rd.formats[format].Name,
			File:   rd.o.File,
			Line:   v.Line,
		},
		names: &rd.names,
		count: func() { rd.stats.Problems++ },
		calls: calls,
		at:    newPlace(v),
	}
}

// hand completes a transcript and hands it on.
func (rd *reading) hand(b *Builder) error {
	t := b.end()
	if !rd.o.Since.IsZero() && !b.last.IsZero() && b.last.Before(rd.o.Since) {
		rd.stats.Old++
		return nil
	}
	rd.stats.Transcripts++
	return rd.yield(t)
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
	if rd.unknown[kind] == 1 {
		rd.report(v.Line, "no known format: "+kind+"; known are "+shapes(rd.formats))
	}
}
