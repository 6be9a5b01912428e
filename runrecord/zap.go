package runrecord

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/failloud/failloud/fault"
)

// Zap is a [Sink] that writes log lines, and none for a success:
//
//	WARN  tool call failed   a call failed, was denied, was not run, or may have run;
//	                         "replaced": a tool failed for which another stood in
//	WARN  tool retry         an attempt failed and will be repeated after "wait"
//	ERROR answer refused     the guard kept an answer back ("reported": it would have)
//	INFO  call settled       a pending or unknown call became what it was
//	INFO  run ended          once a leg, with exact counts, so that rates can be computed
//
// Every line has run_id and task. A line never carries a payload, and the error
// text in it is redacted and bounded. Safe for concurrent use.
//
// The configuration of [zap.NewProduction] samples: of lines with one message
// it drops all but the first hundred of a second and every hundredth after
// them, and rates computed from the rest are wrong. Set its Sampling to nil for
// this logger.
type Zap struct{ logger *zap.Logger }

// NewZap writes to logger; nil writes nothing. The lines are about a run and
// not about the code that writes them, so they have no caller and no stack.
func NewZap(logger *zap.Logger) *Zap {
	if logger == nil {
		logger = zap.NewNop()
	}
	none := zap.LevelEnablerFunc(func(zapcore.Level) bool { return false })
	return &Zap{logger.WithOptions(zap.WithCaller(false), zap.AddStacktrace(none))}
}

// Wants implements [Selective]: successes are not even looked at.
func (z *Zap) Wants(t EventType, outcome fault.Kind) bool {
	switch t {
	case EventCall:
		return outcome != fault.KindOK && outcome != fault.KindPending
	case EventRunStarted:
		return false
	}
	return true
}

// Write logs the event where it has a line. It never fails: what a logger does
// with its lines is the logger's.
func (z *Zap) Write(e Event) error {
	if !z.Wants(e.Type, e.Outcome) {
		return nil
	}
	switch e.Type {
	case EventCall, EventReplaced:
		z.log(zap.WarnLevel, "tool call failed", &e)
	case EventRetry:
		z.log(zap.WarnLevel, "tool retry", &e)
	case EventSettled:
		z.log(zap.InfoLevel, "call settled", &e)
	case EventJudged:
		if e.Decision == decisionRefuse {
			z.log(zap.ErrorLevel, "answer refused", &e)
		}
	case EventRunEnded:
		z.log(zap.InfoLevel, "run ended", &e)
	}
	return nil
}

// decisionRefuse is the decision that [Judgment] and the views know by name.
const decisionRefuse = "refuse"

// usualFields is how many fields the line of a failed call has.
const usualFields = 16

// log builds the fields only where the level is enabled.
func (z *Zap) log(level zapcore.Level, message string, e *Event) {
	line := z.logger.Check(level, message)
	if line == nil {
		return
	}
	f := make([]zap.Field, 0, usualFields)
	f = append(f, zap.String("run_id", e.Run), zap.String("task", e.Task))
	f = text(f, "task_key", e.Key)
	f = text(f, "tenant", e.Tenant)
	f = text(f, "parent_id", e.Parent)
	f = append(f, zap.Int("leg", e.Leg))
	switch e.Type {
	case EventJudged:
		f = judgmentFields(f, e)
	case EventRunEnded:
		f = endFields(f, e)
	default:
		f = callFields(f, e)
	}
	line.Write(f...)
}

func callFields(f []zap.Field, e *Event) []zap.Field {
	f = append(f, zap.String("tool", e.Tool), zap.Int("status", e.Status), zap.String("outcome", e.Outcome.String()),
		zap.String("reason", e.Reason.String()), zap.String("action", e.Action.String()), zap.String("ran", e.Ran.String()),
		zap.Int("attempts", e.Attempts), zap.Uint32("seq", e.Seq), zap.Duration("duration", e.Duration))
	if e.Was != fault.KindNone {
		f = append(f, zap.Stringer("was", e.Was))
	}
	if e.Wait != 0 || e.Type == EventRetry {
		f = append(f, zap.Duration("wait", e.Wait))
	}
	if e.Type == EventReplaced {
		f = append(f, zap.Bool("replaced", true))
	}
	f = text(f, "qualifiers", e.Qualifiers.String())
	f = text(f, "name", e.Name)
	f = text(f, "upstream", e.Upstream)
	f = text(f, "fallback_of", e.FallbackOf)
	f = text(f, "case", e.Case)
	f = text(f, "code", e.Code)
	f = text(f, "rule", e.Rule)
	return text(f, "error", e.Error)
}

func judgmentFields(f []zap.Field, e *Event) []zap.Field {
	return append(f, zap.Stringer("state", e.State), zap.Int("step", e.Step), zap.Bool("reported", e.Reported),
		zap.Strings("unmet", e.Unmet), zap.Strings("findings", e.Findings))
}

func endFields(f []zap.Field, e *Event) []zap.Field {
	f = append(f, zap.Stringer("state", e.State), zap.Stringer("reason", e.Reason), zap.Duration("duration", e.Duration))
	f = text(f, "decision", e.Decision)
	if e.Reported {
		f = append(f, zap.Bool("reported", true))
	}
	f = text(f, "error", e.Error)
	if len(e.Cases) > 0 {
		f = append(f, zap.Strings("cases", e.Cases))
	}
	if n := e.Counts; n != nil {
		f = append(f, zap.Int("calls", n.Calls), zap.Int("ok", n.OK), zap.Int("failed", n.Failed),
			zap.Int("denied", n.Denied), zap.Int("not_run", n.NotRun), zap.Int("pending", n.Pending),
			zap.Int("unknown", n.Unknown), zap.Int("attempts", n.Attempts), zap.Int("retries", n.Retries))
	}
	return f
}

// text adds a field that says something.
func text(f []zap.Field, key, value string) []zap.Field {
	if value == "" {
		return f
	}
	return append(f, zap.String(key, value))
}
