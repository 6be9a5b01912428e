package toolkit

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/canonjson"
	"github.com/failloud/failloud/internal/valuehash"
	"github.com/failloud/failloud/runrecord"
)

// core is a wrapped tool with its types erased. It is built once by [Wrap] and
// not changed afterwards. Its functions take pointers to In and Out as any: the
// pointers come from the call's own state, so nothing is boxed on the way.
type core struct {
	kit         *Kit
	name        string
	description string
	info        atomic.Pointer[runrecord.ToolInfo] // replaced when the tool becomes a substitute
	upstream    *Upstream
	timeout     time.Duration
	isolate     bool
	keyTTL      time.Duration
	defers      time.Duration // 0: its calls may not wait
	anew        bool
	volatile    []string
	rules       *fault.Rules // nil: none declared
	classifier  fault.Classifier
	detail      bool
	prints      bool
	maxResult   int
	links       []Fallback
	schema      *schema
	invalid     error       // why the tool cannot be used; nil for a good one
	outside     atomic.Bool // it was said that a call outside a run is recorded nowhere

	call    func(ctx context.Context, in, out any) error
	keyOf   func(in any) string                                      // nil: not given
	part    func(in any) string                                      // nil: not given
	approve func(in any) string                                      // nil: not given
	check   func(ctx context.Context, in, out any) (Happened, error) // nil: not given
	await   func(ctx context.Context, in, out any) error             // nil: not given
	clear   func(out any)                                            // *out = zero
	newOut  func() any                                               // a *Out
	fresh   func() execution                                         // of a call with zero arguments
	move    func(dst, src any)                                       // *dst = *src, both *Out
	empty   func(out any) bool                                       // nil: an Out is never empty
	inspect bool                                                     // a successful Out has to be looked at
	loose   bool                                                     // an In has room for numbers of no given type

	looseOut bool // so has an Out

	hashIn, hashOut valuehash.Func
	byName          func(ctx context.Context, call request) Response
}

func (c *core) effect() fault.Effect { return c.info.Load().Effect }

func (c *core) problem() error {
	if c.invalid == nil {
		return nil
	}
	return &ToolError{c.name, c.invalid}
}

// execution is the state of one link of one call: the tool itself, or a tool
// that stands in for it. That of the tool itself lives on the stack of its
// caller, so it is handed to nobody who could keep it: functions of the tool's
// owner get the pointers below, which lead to a [state].
type execution struct {
	first *attempt // context of the first attempt; later ones get their own
	now   *attempt // of the latest attempt; nil before the first

	// How the latest attempt ended, and in the end the call. The layers that every
	// call passes leave it here: handing so wide a value up through each of them
	// costs more than all that they do.
	outcome fault.Outcome

	tool        *core
	up          *Upstream      // the part of the tool's upstream that this call goes to
	run         *runrecord.Run // nil: a call outside a run
	generation  uint64         // of the credential that the latest attempt used
	seq         uint32         // of the call in its run, 0 outside
	in, out     any            // *In, *Out
	hash        uint64         // of the arguments
	attempts    int            // how often the function was entered
	ended       time.Duration  // of the latest attempt, since the start of the run
	waited      time.Duration
	refusal     *fault.Fault    // why the arguments cannot be used; nil: they can
	remote      string          // idempotency key for the service, set by the ledger before an attempt
	claimed     *claimed        // what the ledger knows about it; nil where it is not asked
	why         string          // a person must allow it first; "": nobody needs to
	waits       string          // row whose end the call wants to hear of, "" for none
	keeps       bool            // it is to be kept for later, and needs a row for that
	drained     *drained        // it was deferred, and is released; nil for other calls
	replaced    *replaced       // how the tool itself has ended; nil unless a substitute was tried
	doubt       bool            // an attempt ended without anybody knowing whether it took effect
	handle      string          // of a pending call
	notRecorded error           // matches [idempotency.ErrNotRecorded]: the ledger does not know yet how it ended
	canon       json.RawMessage // canonical arguments, see [execution.args]
}

// attemptFunc runs one attempt of a call and says how it ended. On success the
// value is in its execution's out.
type attemptFunc func(ctx context.Context) fault.Outcome

// args returns the arguments as canonical JSON, written once.
func (ex *execution) args() (json.RawMessage, error) {
	if ex.canon == nil {
		raw, err := marshal(ex.in)
		if err != nil {
			return nil, fmt.Errorf("toolkit: the arguments cannot be written as JSON: %w", err)
		}
		if ex.canon, err = canonjson.Canonicalize(raw); err != nil {
			return nil, fmt.Errorf("toolkit: the arguments have no canonical form: %w", err)
		}
	}
	return ex.canon, nil
}

// notRun is the outcome of a call whose function was not entered.
func notRun(f fault.Fault) fault.Outcome {
	f.Ran = fault.RanNo
	if f.Action == fault.NoAction && f.Reason != fault.ReasonCancelled {
		f.Action = fault.FailFast
	}
	return fault.Outcome{Kind: fault.KindNotRun, Fault: &f}
}
