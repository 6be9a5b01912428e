package toolkit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/failloud/failloud/fault"
)

// Tool describes one tool to [Wrap]. Only Name and Call are needed; every other
// field has a zero value that is safe rather than convenient: an undeclared
// effect counts as a write, a tool without a key is not executed twice.
type Tool[In, Out any] struct {
	// Name is what models and requirements call the tool: letters, digits, and
	// any of _ - . : / , at most 64 bytes, unique in its kit.
	Name string
	// Description is exported to model SDKs by [Kit.Tools].
	Description string
	// Effect says what the tool does to the world. Left undeclared it counts as
	// a [fault.Write], and the first start names the tool in a warning.
	Effect fault.Effect
	// Call is the tool itself. It should respect its context, which ends at the
	// latest when it returns and, for a write, when its claim on the work is lost
	// (its cause is a [LeaseLostError] then). Beside a value it
	// may return [Partial], [Stale], [Truncated] or [Pending] as its error.
	// It is called concurrently when calls are.
	Call func(ctx context.Context, in In) (Out, error)
	// Timeout bounds one attempt, by the context. 0 means no limit of its own;
	// where the caller's deadline is nearer, that one rules.
	Timeout time.Duration
	// Isolate runs Call on a goroutine of its own and leaves it behind when it
	// ignores the end of its context; [Kit.Abandoned] counts those. Only for
	// reads: a write that was left behind may still happen. Default false.
	Isolate bool
	// Upstream is what the tool dies together with. Default: one of its own,
	// under the tool's name.
	Upstream *Upstream

	// KeyOf names the piece of work in business terms ("invoice 4711"), for the
	// key under which a write happens once. Default: the task's key and the
	// arguments. A write with neither is not executed.
	KeyOf func(in In) string
	// KeyTTL is how long the service honours the idempotency key it is handed.
	// 0: it does not, and a write in doubt is never repeated on its account.
	KeyTTL time.Duration
	// Check finds out whether an attempt in doubt did happen. Without it, a
	// write in doubt is a case for a person.
	Check func(ctx context.Context, in In) (Checked[Out], error)
	// Anew makes a call that was made before new work: the same command is run
	// again, not answered with the stored result of the first. Only while an
	// earlier one is running or in doubt is nothing started, and how that one ended
	// is told to one call that asks afterwards. Such a tool needs no key; the key of
	// the task, or else the run, keeps its work apart from that of others. Default
	// false.
	Anew bool
	// Volatile names argument fields that may differ between two requests for
	// the same piece of work (free text); they stay out of its fingerprint.
	Volatile []string

	// Approve says why a person must allow a call with these arguments first, ""
	// where nobody needs to. The call then ends pending with a case, and is made
	// when it is asked for again after an approval, or by [Kit.Recover]. It goes
	// through the ledger whatever its effect, so it needs a key. An approval holds
	// for these arguments, once, and for Config.ApprovedFor. The text is shown to
	// the person and must hold no secret. Default: nobody is asked.
	Approve func(in In) string
	// Defer is how long a call stays meaningful that cannot be made because its
	// upstream is down: it ends pending and is made by [Kit.Drain] once the upstream
	// is back, within that time; later a person is asked. Only a call that did
	// nothing waits, and it needs a key. 0: it may not wait, and fails.
	Defer time.Duration

	// Await polls a call that ended [Pending] until it is done. It is given the
	// last value and may return Pending again. Default: pending calls stay so.
	Await func(ctx context.Context, in In, last Out) (Out, error)
	// Fallback names the tools that stand in when this one fails, in order.
	Fallback []Fallback

	// Rules is what is known about the tool's results, as data.
	Rules fault.Rules
	// Classify is asked before those of the kit and the built-in detectors.
	Classify []fault.Detector
	// Schema is the JSON Schema of the arguments. Default: derived from In.
	Schema json.RawMessage
	// MaxResult is how many bytes of a result the model may see. Default 32 KiB.
	MaxResult int
	// Detail adds a redacted, fenced extract of at most 2 KB of the error after
	// the failure line. Default false: the line alone.
	Detail bool

	// Identity names the argument fields that say what a call is about; empty: all.
	// A write without a KeyOf that is about the same as another one of its task, in
	// other words, is not made until a person has allowed it.
	Identity []string
	// Claims are what a success lets an answer say was done: "send", "refund". A
	// judge of answers holds a claim against the calls that succeeded. Default:
	// inferred from the tool's name and effect.
	Claims []string
	// Poller exempts the tool from loop detection.
	Poller bool
	// Prints says that the result is what a program printed or a file holds: its
	// being empty does not mean that there is nothing.
	Prints bool
	// Invalid is why the tool cannot be used. A function that returns ready tools
	// says so what of its own configuration is wrong: [Kit.Start] reports it under
	// the tool's name. Default nil.
	Invalid error
	// Part names the part of the upstream that a call goes to, such as the host
	// of a URL; each part has a breaker, limits and a latch of its own. Default:
	// the upstream as a whole.
	Part func(in In) string
}

// Checked is what Check found out about an attempt in doubt.
type Checked[Out any] struct {
	Happened Happened
	Result   Out // of the attempt, where it is Done
}

// Happened is the answer of a Check. The zero value is [CannotTell].
type Happened uint8

const (
	CannotTell Happened = iota // nobody knows yet: a person is asked
	Done                       // it happened; Checked.Result is its result
	NotDone                    // it did not happen and will not: it may run again
)

// String returns the lower-case name.
func (h Happened) String() string {
	switch h {
	case Done:
		return "done"
	case NotDone:
		return "not_done"
	}
	return "cannot_tell"
}

// Fallback names a tool that stands in for another.
type Fallback struct {
	// Tool is the name of the substitute, in the same kit.
	Tool string
	// Adapt turns the arguments into those of the substitute, both as JSON.
	// Default: it is called with the same arguments.
	Adapt func(args json.RawMessage) (json.RawMessage, error)
}

// FallbackTo is the chain of the named tools, each called with the same arguments.
func FallbackTo(names ...string) []Fallback {
	chain := make([]Fallback, len(names))
	for i, name := range names {
		chain[i].Tool = name
	}
	return chain
}
