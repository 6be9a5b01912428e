package runrecord

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/failloud/failloud/fault"
)

// Config of a [Recorder]. The zero value keeps the record in memory only.
type Config struct {
	// Sinks receive the events of every run, each event after the record has it.
	Sinks []Sink
	// KeepCalls bounds how many finished calls a run and its children hold;
	// older ones are dropped after the sinks have seen them, counts stay exact.
	// Plain successes go first, calls that are not resolved last. Default 1024.
	KeepCalls int
	// Redact is applied to every text of an error or a judgment before it is
	// kept; the result is bounded and its control characters are escaped
	// whatever it returns. Of a text on which it panics nothing is kept. It must
	// be safe for concurrent use. Default: [RedactSecrets].
	Redact func(string) string
	// Capture says what the sinks get of payloads: questions, arguments, results
	// and drafts. Default: [CaptureOff], nothing.
	Capture Capture
	// CaptureLimit bounds each captured field in bytes; what is longer is cut and
	// ends in a mark that says so. From 256 bytes to 256 KiB; default 64 KiB.
	CaptureLimit int
	// ErrorHandler is told of the first error or panic of each sink, and of the
	// first panic of a watcher and of Redact, possibly from several goroutines at once.
	// Default: none; [Recorder.Errors] counts them all.
	ErrorHandler func(error)
}

// Recorder starts runs. It holds none of them, so a run that is no longer
// referenced is gone. Safe for concurrent use.
type Recorder struct {
	sinks   []*guarded
	wishes  wishes // of all sinks together
	keep    int
	redact  func(string) string
	capture Capture
	most    int // bytes of a captured field
	onError func(error)
	failed  atomic.Uint64
	watcher atomic.Bool // a watcher's panic was reported
	hiding  atomic.Bool // a panic of redact was reported
}

// NewRecorder validates cfg.
func NewRecorder(cfg Config) (*Recorder, error) {
	if cfg.KeepCalls < 0 {
		return nil, fmt.Errorf("runrecord: Config.KeepCalls is negative: %d", cfg.KeepCalls)
	}
	if err := cfg.validateCapture(); err != nil {
		return nil, err
	}
	rec := &Recorder{
		keep: cfg.KeepCalls, redact: cfg.Redact, onError: cfg.ErrorHandler,
		capture: cfg.Capture, most: cfg.CaptureLimit,
	}
	if rec.most == 0 {
		rec.most = defaultCapture
	}
	if rec.keep == 0 {
		rec.keep = defaultKeepCalls
	}
	if rec.redact == nil {
		rec.redact = RedactSecrets
	}
	for i, s := range cfg.Sinks {
		if s == nil {
			return nil, fmt.Errorf("runrecord: Config.Sinks[%d] is nil", i)
		}
		g, err := newGuarded(s)
		if err != nil {
			return nil, fmt.Errorf("runrecord: Config.Sinks[%d]: Wants: %w", i, err)
		}
		rec.sinks = append(rec.sinks, g)
		for t := range g.wishes {
			rec.wishes[t] |= g.wishes[t]
		}
	}
	return rec, nil
}

// Start begins a run, asks the task's judge, and puts the run into the
// context. tools are the bound ones; the slice is kept and must not be changed
// afterwards. A run found in ctx becomes the parent, and a parent that has
// ended or was aborted starts no child: the error is its [HaltError].
//
// Where Start returns an error the context is ctx and the run is nil, whose
// [Run.End] may still be called.
func (rec *Recorder) Start(ctx context.Context, task Task, tools []*ToolInfo) (context.Context, *Run, error) {
	if err := ctx.Err(); err != nil {
		return ctx, nil, err
	}
	if err := task.Limits.validate(); err != nil {
		return ctx, nil, err
	}
	for i, t := range tools {
		if t == nil {
			return ctx, nil, fmt.Errorf("runrecord: tools[%d] is nil", i)
		}
	}
	id, err := uuid.NewV7()
	if err != nil {
		return ctx, nil, fmt.Errorf("runrecord: no id for the run: %w", err)
	}
	r := &Run{rec: rec, id: id.String(), task: task, tools: tools, start: time.Now(), leg: 1}
	if r.parent = FromContext(ctx); r.parent != nil {
		if err := r.parent.Halted(); err != nil {
			return ctx, nil, fmt.Errorf("runrecord: the run in the context starts no child: %w; for a new run use the context from before its start", err)
		}
		r.family = r.parent.family
	} else {
		r.root.keep = uint32(min(rec.keep, math.MaxInt32))
		r.family = &r.root
	}
	r.ctx = ctx
	r.asked()
	with := &runContext{ctx, r}
	if err := r.begin(with); err != nil {
		return ctx, nil, err
	}
	if e := r.startedEvent(); e != nil {
		e.Question = rec.captured(task.Question)
		rec.emit(e)
	}
	return with, r, nil
}

// begin asks the judge. A judge that panics has not agreed.
func (r *Run) begin(ctx context.Context) (err error) {
	if r.task.Judge == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = errors.Join(errJudgePanicked, panicError(p))
		}
		if err != nil {
			// Whoever kept the run from inside Begin finds it closed.
			r.family.mu.Lock()
			r.state, r.abortReason, r.ctx = Aborted, fault.ReasonUnknown, nil
			r.aside.Store(nil)
			r.family.mu.Unlock()
		}
	}()
	return r.task.Judge.Begin(ctx, r)
}

var errJudgePanicked = errors.New("runrecord: the judge panicked at the start of the run")

// Errors is how often a sink, a watcher or Config.Redact has failed since the
// recorder was made.
func (rec *Recorder) Errors() uint64 { return rec.failed.Load() }
