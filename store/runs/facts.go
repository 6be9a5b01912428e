package runs

import (
	"maps"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// fact is what the views need of one event: of a call, whose failure it was, or of
// the end of a run without a parent, how it ended and the tally of its calls.
type fact struct {
	run  int64 // number of the run that it is pruned with
	end  bool
	time time.Time
	task, tenant,
	tool string // of a call
	status      int
	reason      fault.Reason
	isNew, fail bool
	state       runrecord.State // of an end
	reported    bool            // the guard would have refused
	exact       bool            // the run has counted for itself: total
	total       runrecord.Tally
	shares      shares
}

const (
	factEnd = 1 << iota
	factNew
	factFail
	factReported
	factExact
)

const blockSize = 16 << 10 // bytes of a block; a new one is begun beyond it

// block is a part of the stream of facts as it is kept, and what it takes to go on
// with it: times and numbers are kept as the difference from those before. A copy
// is independent once forked.
type block struct {
	packer
	id           int64 // of its row; 0: it has none yet
	run, sec     int64 // of the last fact
	since, until int64 // seconds; all its times are within
}

// fork lets the copy be added to without touching the original.
func (b *block) fork() {
	b.data = b.data[:len(b.data):len(b.data)]
	b.names = maps.Clone(b.names)
}

func (b *block) add(f *fact) {
	var flags byte
	for i, set := range []bool{f.end, f.isNew, f.fail, f.reported, f.exact} {
		if set {
			flags |= 1 << i
		}
	}
	sec := f.time.Unix()
	if len(b.data) == 0 {
		b.since, b.until = math.MaxInt64, math.MinInt64
	}
	b.since, b.until = min(b.since, sec), max(b.until, sec)
	b.octet(flags)
	b.signed(f.run - b.run)
	b.signed(sec - b.sec)
	b.run, b.sec = f.run, sec
	b.figure(uint64(f.time.Nanosecond()))
	b.name(f.task)
	b.name(f.tenant)
	if !f.end {
		b.name(f.tool)
		b.figure(uint64(f.status))
		b.octet(byte(f.reason))
		return
	}
	b.octet(byte(f.state))
	if f.exact {
		b.tally(f.total)
	}
	b.packer.shares(f.shares)
}

// factReader reads a block.
type factReader struct {
	unpacker
	run, sec int64
}

// next reads one fact and reports whether there was one. The shares are those of
// the fact until the next call.
func (r *factReader) next(f *fact) bool {
	if len(r.data) == 0 || r.err != nil {
		return false
	}
	flags := r.octet()
	f.end, f.isNew, f.fail = flags&factEnd != 0, flags&factNew != 0, flags&factFail != 0
	f.reported, f.exact = flags&factReported != 0, flags&factExact != 0
	r.run += r.signed()
	r.sec += r.signed()
	nanos := r.figure()
	if nanos >= 1e9 {
		r.fail(errRange)
	}
	f.run, f.time = r.run, time.Unix(r.sec, int64(nanos)).UTC()
	f.task, f.tenant = r.name(), r.name()
	if !f.end {
		f.tool, f.status, f.reason = r.name(), r.count(), fault.Reason(r.octet())
		return r.err == nil
	}
	f.state = runrecord.State(r.octet())
	if f.exact {
		f.total = r.tally()
	}
	f.shares = r.sharesInto(f.shares[:0])
	return r.err == nil
}

// valid is a text as a record that was written out and read again has it.
func valid(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }
