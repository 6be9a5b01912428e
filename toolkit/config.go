package toolkit

import (
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/internal/backoff"
	"github.com/failloud/failloud/runrecord"
)

// Backoff is a policy of waiting between attempts. The zero value is
// [StandardBackoff].
type Backoff = backoff.Policy

// StandardBackoff waits 1 s, 2 s, doubling up to 30 s, plus 0 to 1 s at random.
func StandardBackoff() Backoff { return backoff.Tool }

// GentleBackoff waits 1 s, doubling up to 30 s, plus up to 10 % at random.
func GentleBackoff() Backoff { return backoff.Gentle }

// Defaults of [Config].
const (
	DefaultMaxAttempts = 3
	DefaultMaxWait     = 30 * time.Second
	DefaultBatch       = 8
	DefaultMaxResult   = 32 << 10
	DefaultApprovedFor = 24 * time.Hour
)

// Config of a [Kit]. The zero value works: an in-memory ledger, a record in
// memory, no log.
type Config struct {
	// Logger is shorthand for a zap sink beside Sinks. Default: no log.
	Logger *zap.Logger
	// Sinks receive the events of every run, see [runrecord.Sink].
	Sinks []runrecord.Sink
	// KeepCalls bounds how many finished calls a run holds. Default 1024.
	KeepCalls int
	// Capture hands payloads to the sinks: the question of a run, the arguments
	// and results of calls, the drafts that were judged. The record in memory and
	// the log have none of them. Default: [runrecord.CaptureOff].
	Capture runrecord.Capture
	// CaptureLimit bounds each captured text in bytes. Default 64 KiB.
	CaptureLimit int
	// Redact is applied to every error text before it is kept or shown.
	// Default: [runrecord.RedactSecrets].
	Redact func(string) string

	// Classify is asked about the calls of every tool, after the tool's own
	// Classify and before the built-in detectors.
	Classify []fault.Detector
	// OnSinkError is told of the first error or panic of each sink and of Redact,
	// possibly from several goroutines at once. Default: nobody;
	// [Kit.SinkErrors] counts them all.
	OnSinkError func(error)

	// Ledger remembers what was intended and what happened. Default: in memory,
	// which forgets with the process.
	Ledger *idempotency.Ledger
	// Notify is told about every case that needs a person, at least once, see
	// [escalation.Desk.Announce]. Default: nobody; cases are found by [Kit.Cases].
	Notify escalation.Notifier
	// DecideWithin is the deadline that a case is shown with. Work that may have
	// happened stays blocked after it, a call that waits for approval is denied as
	// expired. Default: none.
	DecideWithin time.Duration
	// ApprovedFor is how long after an approval the call may be started; then the
	// person is asked again, who may no longer be of that mind. Default 24 h.
	ApprovedFor time.Duration

	// MaxAttempts bounds the attempts of a call, the first included. Default 3.
	MaxAttempts int
	// MaxWait is the longest single wait between attempts where the context has
	// no nearer deadline. A longer one is not slept: the call fails and says
	// how long it would have been. Default 30 s.
	MaxWait time.Duration
	// Backoff says how long to wait where the service does not. Default:
	// [StandardBackoff].
	Backoff Backoff
	// Retries is the budget that the retries of all tools draw on. Default:
	// [SharedRetries], that of the process.
	Retries *RetryBudget

	// Batch is how many calls of one batch, or deferred calls of one upstream, run
	// at the same time. Default 8.
	Batch int

	// Declare is asked by [Wrap] what is said about a tool outside of the code,
	// in a policy, say; that holds over what the code says. Default: nothing is.
	Declare func(tool string) Declaration
}

// problems names every field that cannot be used.
func (c Config) problems() error {
	var errs []error
	negative := func(field string, v int64) {
		if v < 0 {
			errs = append(errs, fmt.Errorf("toolkit: Config.%s is negative: %d", field, v))
		}
	}
	negative("KeepCalls", int64(c.KeepCalls))
	negative("MaxAttempts", int64(c.MaxAttempts))
	negative("MaxWait", int64(c.MaxWait))
	negative("Batch", int64(c.Batch))
	negative("DecideWithin", int64(c.DecideWithin))
	negative("ApprovedFor", int64(c.ApprovedFor))
	for i, d := range c.Classify {
		if d == nil {
			errs = append(errs, fmt.Errorf("toolkit: Config.Classify[%d] is nil", i))
		}
	}
	if err := c.Backoff.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("toolkit: Config.Backoff: %w", err))
	}
	return errors.Join(errs...)
}

// withDefaults fills what was left out or cannot be used.
func (c Config) withDefaults() Config {
	if c.MaxAttempts <= 0 {
		c.MaxAttempts = DefaultMaxAttempts
	}
	if c.MaxWait <= 0 {
		c.MaxWait = DefaultMaxWait
	}
	if c.Batch <= 0 {
		c.Batch = DefaultBatch
	}
	if c.ApprovedFor <= 0 {
		c.ApprovedFor = DefaultApprovedFor
	}
	if c.Backoff == (Backoff{}) || c.Backoff.Validate() != nil {
		c.Backoff = StandardBackoff()
	}
	if c.Retries == nil {
		c.Retries = shared
	}
	if c.Redact == nil {
		c.Redact = runrecord.RedactSecrets
	}
	return c
}
