package toolkit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

// Kit holds the tools of an agent and everything their calls share. Make one
// with [New] for the life of the process; it is safe for concurrent use.
type Kit struct {
	cfg      Config
	recorder *runrecord.Recorder
	ledger   *idempotency.Ledger
	desk     *escalation.Desk
	waiting  waiting // calls whose work has not come to its end
	anew     anew    // what tools that do new work each time have done
	problem  error   // of the config

	draining  sync.Mutex // held by a pass of Drain
	mu        sync.Mutex // serialises additions
	tools     atomic.Pointer[toolset]
	warned    sync.Once   // of undeclared effects
	keyless   atomic.Bool // warned of writes without a key
	abandoned atomic.Int64
}

// New returns a kit without tools. What is wrong with cfg is reported by the
// first [Kit.Start]; until it is put right, no run starts.
func New(cfg Config) *Kit {
	k := &Kit{problem: cfg.problems(), cfg: cfg.withDefaults(), ledger: cfg.Ledger}
	k.tools.Store(&toolset{})
	sinks := cfg.Sinks
	if cfg.Logger != nil {
		sinks = append(sinks[:len(sinks):len(sinks)], runrecord.NewZap(cfg.Logger))
	}
	var err error
	k.recorder, err = runrecord.NewRecorder(runrecord.Config{
		Sinks: sinks, KeepCalls: max(cfg.KeepCalls, 0), Redact: cfg.Redact, ErrorHandler: cfg.OnSinkError,
		Capture: cfg.Capture, CaptureLimit: cfg.CaptureLimit,
	})
	if err != nil { // a kit that answers, and says at the start what is wrong with it
		k.note(err)
		k.recorder, _ = runrecord.NewRecorder(runrecord.Config{})
	}
	if k.ledger == nil {
		k.ledger, err = idempotency.New(idempotency.Config{})
		k.note(err)
	}
	k.note(k.openDesk())
	return k
}

func (k *Kit) note(err error) {
	if err != nil {
		k.problem = errors.Join(k.problem, fmt.Errorf("toolkit: %w", err))
	}
}

// made tells a kit from a nil or zero one, which can do nothing.
func (k *Kit) made() bool { return k != nil && k.recorder != nil }

// Start begins a run of task: one try of the agent, from the question to the
// answer. The context it returns belongs to the run; tools are invoked with it,
// and the run ends by [runrecord.Run.End]. A run found in ctx is its parent.
//
// The error joins everything that is wrong with the kit and its tools, by the
// tools' names, and what the task's judge and the recorder object to. The run is
// then nil, whose End may still be called.
//
// The first start logs one warning that names the tools of undeclared effect, and
// the first one without a key another that names the tools it cannot execute.
func (k *Kit) Start(ctx context.Context, task runrecord.Task) (context.Context, *runrecord.Run, error) {
	if !k.made() {
		return ctx, nil, errUnmade
	}
	set := k.tools.Load()
	if err := errors.Join(k.problem, set.problems()); err != nil {
		return ctx, nil, err
	}
	k.warned.Do(func() { k.warnUndeclared(set) })
	k.warnKeyless(ctx, set, task)
	return k.recorder.Start(ctx, task, set.infos)
}

// SinkErrors is how often a sink, or Config.Redact, has failed since the kit was
// made. A record that is not written should be an alert.
func (k *Kit) SinkErrors() uint64 { return k.recorder.Errors() }

// Abandoned is how many isolated functions are still running after their call
// has ended, see [Tool].Isolate.
func (k *Kit) Abandoned() int { return int(k.abandoned.Load()) }
