package escalation

import (
	"context"
	"errors"

	"go.uber.org/zap"
)

// Notifier tells somebody that a case was opened. It is called at least once a
// case, in one process at a time, never under a lock; its context ends after a
// minute. An error means that nobody was told, and it is called again. It may decide
// the case by itself.
type Notifier interface {
	Notify(ctx context.Context, c Case) error
}

// NotifierFunc makes a function a [Notifier].
type NotifierFunc func(ctx context.Context, c Case) error

// Notify calls f.
func (f NotifierFunc) Notify(ctx context.Context, c Case) error { return f(ctx, c) }

// NewLog returns a notifier that writes a WARN "case opened" for each case, without
// arguments, error texts and the reason, which may quote arguments. A nil logger is one that writes nothing. Safe for
// concurrent use.
func NewLog(logger *zap.Logger) Notifier {
	if logger == nil {
		logger = zap.NewNop()
	}
	return NotifierFunc(func(_ context.Context, c Case) error {
		fields := []zap.Field{
			zap.String("case", c.ID), zap.Stringer("state", c.State),
			zap.String("tool", c.Tool), zap.String("tenant", c.Tenant), zap.String("task", c.Task),
			zap.String("run_id", c.RunID), zap.Time("opened", c.Opened),
		}
		if !c.Deadline.IsZero() {
			fields = append(fields, zap.Time("deadline", c.Deadline))
		}
		logger.Warn("case opened", fields...)
		return nil
	})
}

// Notifiers returns a notifier that tells all of them, in order, and joins their
// errors: where one fails all are told again, so each must bear that. One that
// panics does not keep the others from being told; nil ones are left out.
func Notifiers(all ...Notifier) Notifier {
	return NotifierFunc(func(ctx context.Context, c Case) error {
		var failed []error
		for _, n := range all {
			if n != nil {
				failed = append(failed, tell(ctx, n, c))
			}
		}
		return errors.Join(failed...)
	})
}

// tell calls a notifier and makes an error of its panic.
func tell(ctx context.Context, n Notifier, c Case) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("escalation: the notifier panicked")
		}
	}()
	return n.Notify(ctx, c)
}
