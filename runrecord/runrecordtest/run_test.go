package runrecordtest_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/runrecord/runrecordtest"
)

func TestMemory(t *testing.T) {
	runrecordtest.Run(t, func(*testing.T) runrecordtest.Harness {
		m := runrecord.NewMemory(0)
		return runrecordtest.Harness{Sink: m, Read: func() ([]runrecord.Event, error) { return m.Events(), nil }}
	})
}

func TestJSONLines(t *testing.T) {
	runrecordtest.Run(t, func(t *testing.T) runrecordtest.Harness {
		path := filepath.Join(t.TempDir(), "runs.jsonl")
		s, err := runrecord.OpenJSONLines(path)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return runrecordtest.Harness{Sink: s, Close: s.Close, Read: func() (events []runrecord.Event, err error) {
			file, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer file.Close()
			for e, bad := range runrecord.ReadJSONLines(file) {
				if bad != nil {
					err = errors.Join(err, bad)
					continue
				}
				events = append(events, e)
			}
			return events, err
		}}
	})
}

// flawed is a sink in memory that goes wrong in one way.
type flawed struct {
	mu     sync.Mutex
	events []runrecord.Event
	closed bool
	change func(*runrecord.Event)                                            // on the way in
	read   func([]runrecord.Event) []runrecord.Event                         // on the way out
	accept func(events []runrecord.Event, e runrecord.Event) (kept, ok bool) // what is written
}

func (f *flawed) Write(e runrecord.Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return runrecord.ErrSinkClosed
	}
	if f.change != nil {
		f.change(&e)
	}
	if f.accept != nil {
		kept, ok := f.accept(f.events, e)
		if !ok {
			return errors.New("refused")
		}
		if !kept {
			return nil
		}
	}
	f.events = append(f.events, e)
	return nil
}

func (f *flawed) Close() error { f.closed = true; return nil }

func (f *flawed) Read() ([]runrecord.Event, error) {
	events := slices.Clone(f.events)
	if f.read != nil {
		events = f.read(events)
	}
	return events, nil
}

// A suite that passes everything is worth nothing: each flaw must be found by
// the check that names it, and a sink without one by none.
func TestTheSuiteFindsFlaws(t *testing.T) {
	for _, tt := range []struct {
		flaw    string
		sink    *flawed
		harness func(*runrecordtest.Harness)
		found   string
	}{
		{"none", &flawed{}, nil, ""},
		{"forgets a field", &flawed{change: func(e *runrecord.Event) { e.Was = 0 }}, nil, "every field"},
		{"forgets a count", &flawed{change: func(e *runrecord.Event) {
			if e.Counts != nil {
				c := *e.Counts
				c.Money = 0
				e.Counts = &c
			}
		}}, nil, "every field"},
		{"cuts the time to seconds", &flawed{change: func(e *runrecord.Event) { e.Time = e.Time.Truncate(1e9) }}, nil, "every field"},
		{"invents a field", &flawed{change: func(e *runrecord.Event) { e.Tool = cmp.Or(e.Tool, "unknown") }}, nil, "few fields"},
		{"breaks lines", &flawed{change: func(e *runrecord.Event) { e.Error, _, _ = strings.Cut(e.Error, "\n") }}, nil, "awkward text"},
		{"reads backwards", &flawed{read: func(e []runrecord.Event) []runrecord.Event { slices.Reverse(e); return e }}, nil, "order"},
		{"loses one event in a hundred", &flawed{accept: func(have []runrecord.Event, e runrecord.Event) (bool, bool) { return e.Seq != 40, true }}, nil, "concurrent"},
		{"doubles what it reads", &flawed{read: func(e []runrecord.Event) []runrecord.Event { return append(e, e...) }}, nil, "order"},
		{"knows calls only", &flawed{accept: func(_ []runrecord.Event, e runrecord.Event) (bool, bool) { return e.Type == runrecord.EventCall, true }}, nil, "real run"},
		{"takes events after its close", &flawed{}, func(h *runrecordtest.Harness) { h.Close = func() error { return nil } }, "after it was closed"},
		{"is empty after its close", &flawed{}, func(h *runrecordtest.Harness) {
			f := h.Sink.(*flawed)
			h.Close = func() error { f.closed, f.events = true, nil; return nil }
		}, "after it was closed"},
		{"passes a newer schema off as its own", &flawed{change: func(e *runrecord.Event) { e.Schema = runrecord.SchemaVersion }}, nil, "newer schema"},
		{"refuses a newer schema", &flawed{accept: func(_ []runrecord.Event, e runrecord.Event) (bool, bool) {
			return true, e.Schema <= runrecord.SchemaVersion
		}}, nil, ""},
	} {
		t.Run(tt.flaw, func(t *testing.T) {
			found := runrecordtest.Failures(func() runrecordtest.Harness {
				s := &flawed{change: tt.sink.change, read: tt.sink.read, accept: tt.sink.accept}
				h := runrecordtest.Harness{Sink: s, Read: s.Read, Close: s.Close}
				if tt.harness != nil {
					tt.harness(&h)
				}
				return h
			})
			if tt.found == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, strings.Join(found, "; "), tt.found)
		})
	}
}
