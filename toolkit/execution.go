package toolkit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// core is a wrapped tool with its types erased. It is built once by [Wrap] and
// not changed afterwards, except that links are resolved at the first start.
// Its functions take pointers to In and Out as any: the pointers come from the
// call's own state, so nothing is boxed on the way.
type core struct {
	kit         *Kit
	info        *runrecord.ToolInfo
	description string
	upstream    *Upstream
	timeout     time.Duration
	isolate     bool
	keyTTL      time.Duration
	volatile    []string
	rules       *fault.Rules
	classifier  *fault.Classifier
	detail      bool
	maxResult   int
	links       []Fallback
	schema      *schema
	invalid     error // why the tool cannot be used; nil for a good one

	call    func(ctx context.Context, in, out any) error
	keyOf   func(in any) string                                      // nil: not given
	check   func(ctx context.Context, in, out any) (Happened, error) // nil: not given
	await   func(ctx context.Context, in, out any) error             // nil: not given
	newOut  func() any                                               // *Out
	move    func(dst, src any)                                       // *dst = *src, both *Out
	empty   func(out any) bool                                       // nil: an Out is never empty
	inspect bool                                                     // a successful Out has to be looked at
	byName  func(ctx context.Context, call admitted, raw json.RawMessage) Response
}

// execution is the state of one link of one call: the tool itself, or a tool
// that stands in for it. It lives in the same allocation as the arguments and
// the result, see [state].
type execution struct {
	first attempt // context of the first attempt; later ones get their own
	now   *attempt

	tool     *core
	run      *runrecord.Run // nil: a call outside a run
	seq      uint32         // of the call in its run, 0 outside
	link     int            // 0 for the tool itself, 1 for its first substitute, …
	in, out  any            // *In, *Out
	hash     uint64         // of the arguments
	attempts int            // started so far
	waited   time.Duration
	answered bool            // out holds what an attempt returned
	handle   string          // of a pending call
	canon    json.RawMessage // canonical arguments, see [execution.args]
}

// attemptFunc runs one attempt and says how it ended. On success the value is
// in ex.out.
type attemptFunc func(ctx context.Context, ex *execution) fault.Outcome
