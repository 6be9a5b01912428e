package runs

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/failloud/failloud/runrecord"
)

var (
	errRest  = errors.New("there is more than there should be")
	errShort = errors.New("it ends too early")
	errRange = errors.New("a figure is out of bounds")
)

// packer writes figures and names as few bytes. A name is written once and then
// named by its number.
type packer struct {
	data  []byte
	names map[string]uint64
}

func (w *packer) figure(n uint64) { w.data = binary.AppendUvarint(w.data, n) }
func (w *packer) signed(n int64)  { w.data = binary.AppendVarint(w.data, n) }
func (w *packer) octet(b byte)    { w.data = append(w.data, b) }

func (w *packer) name(s string) {
	n, known := w.names[s]
	if known {
		w.figure(n)
		return
	}
	if w.names == nil {
		w.names = make(map[string]uint64)
	}
	n = uint64(len(w.names))
	w.names[s] = n
	w.figure(n)
	w.figure(uint64(len(s)))
	w.data = append(w.data, s...)
}

func (w *packer) tally(t runrecord.Tally) {
	for _, n := range []int{t.Calls, t.OK, t.Bad, t.Retries} {
		w.figure(uint64(n))
	}
}

func (w *packer) shares(all shares) {
	w.figure(uint64(len(all)))
	for i := range all {
		w.name(all[i].tool)
		w.figure(uint64(all[i].status))
		w.tally(all[i].Tally)
	}
}

// unpacker reads what a packer wrote. After the first error everything is zero.
type unpacker struct {
	data  []byte
	names []string
	err   error
}

func (r *unpacker) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.data = nil
}

func (r *unpacker) figure() uint64 {
	if len(r.data) > 0 && r.data[0] < 0x80 { // most of them
		n := r.data[0]
		r.data = r.data[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.fail(errShort)
		return 0
	}
	r.data = r.data[size:]
	return n
}

func (r *unpacker) signed() int64 {
	n := r.figure()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *unpacker) count() int {
	n := r.figure()
	if n > math.MaxInt64 {
		r.fail(errRange)
		return 0
	}
	return int(n)
}

func (r *unpacker) octet() byte {
	if len(r.data) == 0 {
		r.fail(errShort)
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *unpacker) name() string {
	n := r.figure()
	switch {
	case n < uint64(len(r.names)):
		return r.names[n]
	case n > uint64(len(r.names)):
		r.fail(errRange)
		return ""
	}
	size := r.figure()
	if size > uint64(len(r.data)) {
		r.fail(errShort)
	}
	if r.err != nil {
		return ""
	}
	s := string(r.data[:size])
	r.data = r.data[size:]
	r.names = append(r.names, s)
	return s
}

func (r *unpacker) tally() runrecord.Tally {
	return runrecord.Tally{Calls: r.count(), OK: r.count(), Bad: r.count(), Retries: r.count()}
}

// shares reuses nothing: what it returns stays.
func (r *unpacker) shares() shares { return r.sharesInto(nil) }

func (r *unpacker) sharesInto(all shares) shares {
	n := r.count()
	if n > maxShares+1 {
		r.fail(errRange)
	}
	for range n {
		if r.err != nil {
			return nil
		}
		all = append(all, share{tool: r.name(), status: r.count(), Tally: r.tally()})
	}
	return all
}
