// Package traces collects what runs leave behind for people and programs to read.
package traces

import (
	"bytes"
	"slices"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// Traces are the log, the record as JSON lines and the live events of every run
// of the kits that were made with its Config. It is safe for concurrent use.
type Traces struct {
	log, lines buffer
	memory     *runrecord.Memory
}

// New returns empty traces.
func New() *Traces { return &Traces{memory: runrecord.NewMemory(0)} }

// Config is a kit's configuration that leaves its traces here, the log as a
// production logger writes it.
func (tr *Traces) Config() toolkit.Config {
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	return toolkit.Config{
		Logger: zap.New(zapcore.NewCore(encoder, zapcore.AddSync(&tr.log), zapcore.DebugLevel)),
		Sinks:  []runrecord.Sink{tr.memory, runrecord.NewJSONLines(&tr.lines)},
	}
}

// Log is the text of the log.
func (tr *Traces) Log() string { return tr.log.String() }

// Lines is the record as JSON lines.
func (tr *Traces) Lines() string { return tr.lines.String() }

// Events are the live events of the given types, all where none is given.
func (tr *Traces) Events(types ...runrecord.EventType) (found []runrecord.Event) {
	for _, e := range tr.memory.Events() {
		if len(types) == 0 || slices.Contains(types, e.Type) {
			found = append(found, e)
		}
	}
	return found
}

// buffer is a bytes.Buffer for many goroutines.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
