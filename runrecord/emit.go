package runrecord

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/redact"
)

const (
	maxText = 1024     // bytes of one text in the record
	maxName = 128      // bytes of a name or an id that a model made up
	maxRead = 4 * 1024 // bytes of an error text that are looked at
	maxKept = 8 * 1024 // bytes of a value that is compared: a list of some hundred ids
)

// guarded is a sink that cannot break a run.
type guarded struct {
	sink     Sink
	wishes   wishes
	reported atomic.Bool
}

// wishes has, for each type of event, a bit for each outcome that is wanted.
type wishes [len(eventTypes)]uint8

var eventTypes = [...]EventType{EventRunStarted, EventCall, EventRetry, EventReplaced, EventSettled, EventHeard, EventJudged, EventRunEnded}

func (w *wishes) has(t EventType, outcome fault.Kind) bool {
	for i := range eventTypes {
		if eventTypes[i] == t {
			return w[i]&(1<<outcome) != 0
		}
	}
	return false
}

// newGuarded asks a selective sink once for all, so that nothing of the user's
// runs when an event is only considered.
func newGuarded(s Sink) (g *guarded, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError(p)
		}
	}()
	g = &guarded{sink: s}
	wants := func(EventType, fault.Kind) bool { return true }
	if sel, ok := s.(Selective); ok {
		wants = sel.Wants
	}
	for i, t := range eventTypes {
		for k := fault.KindNone; k <= fault.KindUnknown; k++ {
			if wants(t, k) {
				g.wishes[i] |= 1 << k
			}
		}
	}
	return g, nil
}

// wants reports whether any sink has a use for such an event.
func (rec *Recorder) wants(t EventType, outcome fault.Kind) bool { return rec.wishes.has(t, outcome) }

// emit hands the event to every sink that wants it. No lock is held.
func (rec *Recorder) emit(e *Event) {
	for _, g := range rec.sinks {
		if g.wishes.has(e.Type, e.Outcome) {
			if err := g.write(e); err != nil {
				rec.report(&g.reported, fmt.Errorf("runrecord: sink %T: %w", g.sink, err))
			}
		}
	}
}

// emitAll emits the events that there are.
func (rec *Recorder) emitAll(events ...*Event) {
	for _, e := range events {
		if e != nil {
			rec.emit(e)
		}
	}
}

func (g *guarded) write(e *Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError(p)
		}
	}()
	return g.sink.Write(*e)
}

// tell calls one watcher.
func (rec *Recorder) tell(f func(*Run, Call), r *Run, c Call) {
	defer func() {
		if p := recover(); p != nil {
			rec.report(&rec.watcher, fmt.Errorf("runrecord: watcher: %w", panicError(p)))
		}
	}()
	f(r, c)
}

// report counts an error and passes on the first of its source.
func (rec *Recorder) report(once *atomic.Bool, err error) {
	rec.failed.Add(1)
	if rec.onError == nil || once.Swap(true) {
		return
	}
	defer func() { _ = recover() }() // the handler is the last to be told; nobody is left to tell of its panic
	rec.onError(err)
}

func panicError(p any) error {
	if err, ok := p.(error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return errors.New("panic: " + fmt.Sprint(p))
}

// clean makes a text from outside fit for the record.
func (rec *Recorder) clean(s string, limit int) string {
	if s == "" {
		return ""
	}
	return redact.Escape(rec.hide(redact.Cut(s, maxRead)), limit)
}

// hide asks Config.Redact. A text that it cannot look at is not kept.
func (rec *Recorder) hide(s string) string {
	hidden, panicked := redact.By(rec.redact, s)
	if panicked != nil {
		rec.report(&rec.hiding, fmt.Errorf("runrecord: Config.Redact: %w", panicError(panicked)))
	}
	return hidden
}

func (rec *Recorder) cleanAll(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	out := make([]string, 0, min(len(texts), maxNotes))
	for _, s := range texts[:min(len(texts), maxNotes)] {
		out = append(out, rec.clean(s, maxText))
	}
	return out
}

// kept returns the record's own copy of a detail. Names and codes that a model
// or an upstream made up are redacted, bounded and escaped like errors; of an id,
// which looks like a key by its nature, a secret could not be told.
func (rec *Recorder) kept(d *Detail) *Detail {
	if d == nil {
		return nil
	}
	own := *d
	own.Error = rec.clean(d.Error, maxText)
	own.Name = rec.clean(d.Name, maxName)
	own.CallID = redact.Escape(d.CallID, maxName)
	own.Code = rec.clean(d.Code, maxName)
	own.Rule = rec.clean(d.Rule, maxName)
	own.Fields = rec.cleanFields(d.Fields)
	own.Key = shortened(d.Key)
	own.Args = shortenedArgs(d.Args)
	return &own
}

// shortened bounds a value that tells calls apart: what differs in a long one
// differs in the hash at its end.
func shortened(s string) string {
	if len(s) <= maxKept {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return redact.Cut(s, maxText) + "…sha256:" + hex.EncodeToString(sum[:])
}

func shortenedArgs(args map[string]string) map[string]string {
	long := false
	for _, v := range args {
		long = long || len(v) > maxKept
	}
	if !long {
		return args
	}
	own := make(map[string]string, len(args))
	for field, v := range args {
		own[field] = shortened(v)
	}
	return own
}

func (rec *Recorder) cleanFields(fields []fault.FieldError) []fault.FieldError {
	if len(fields) == 0 {
		return nil
	}
	out := make([]fault.FieldError, 0, min(len(fields), maxNotes))
	for _, f := range fields[:min(len(fields), maxNotes)] {
		out = append(out, fault.FieldError{
			Field: rec.clean(f.Field, maxName), Rule: rec.clean(f.Rule, maxName), Want: rec.clean(f.Want, maxName),
		})
	}
	return out
}

// failure is the text of a failure with the fields that were wrong.
func (d *Detail) failure() string {
	if len(d.Fields) == 0 {
		return d.Error
	}
	wrong := make([]string, len(d.Fields))
	for i, f := range d.Fields {
		rule := f.Rule
		if f.Want != "" {
			rule += ": " + f.Want
		}
		if wrong[i] = rule; f.Field != "" {
			wrong[i] = f.Field + " (" + rule + ")"
		}
	}
	text := strings.Join(wrong, ", ")
	if d.Error != "" {
		text = d.Error + ": " + text
	}
	return redact.Escape(text, maxText)
}

// event is what all events of a run have in common. The names are the caller's
// own and usually come out as they are.
func (r *Run) event(t EventType, leg uint16) Event {
	e := Event{
		Schema: SchemaVersion, Type: t, Time: time.Now(),
		Run: r.id, Task: redact.Escape(r.task.Name, maxText), Key: redact.Escape(r.task.Key, maxText),
		Tenant: redact.Escape(r.task.Tenant, maxText), Leg: int(leg),
	}
	if r.parent != nil {
		e.Parent = r.parent.id
	}
	return e
}

// startedEvent describes the start of the current leg, nil where no sink wants
// it. The lock is held, or nobody else knows the run yet.
func (r *Run) startedEvent() *Event {
	if !r.rec.wants(EventRunStarted, fault.KindNone) {
		return nil
	}
	e := r.event(EventRunStarted, r.leg)
	return &e
}

func (r *Run) callEvent(t EventType, c *Call) Event {
	e := r.event(t, c.Leg)
	e.Seq = c.Seq
	if c.Tool != nil {
		e.Tool, e.Upstream, e.Effect = c.Tool.Name, c.Tool.Upstream, c.Tool.Effect
	}
	e.Outcome, e.Qualifiers, e.Reason, e.Action, e.Ran = c.Kind, c.Qualifiers, c.Reason, c.Action, c.Ran
	e.Status, e.Attempts = int(c.Status), int(c.Attempts)
	e.Start, e.Duration, e.Waited = c.Start, c.Duration, c.Waited
	if c.ArgsHash != 0 {
		e.ArgsHash = strconv.FormatUint(c.ArgsHash, 16)
	}
	if d := c.Detail; d != nil {
		e.CallID, e.Name = d.CallID, d.Name
		e.FallbackOf, e.Case = redact.Escape(d.FallbackOf, maxText), redact.Escape(d.Case, maxText)
		e.Code, e.Rule, e.Error = d.Code, d.Rule, d.failure()
		e.Wait, e.Age, e.Correctable = d.Wait, d.Age, d.Correctable
	}
	return e
}

// endedEvent describes the end of the current leg, nil where no sink wants it.
// The lock is held.
func (r *Run) endedEvent(state State) *Event {
	if !r.rec.wants(EventRunEnded, fault.KindNone) {
		return nil
	}
	e := r.event(EventRunEnded, r.leg)
	e.State, e.Duration = state, r.Elapsed()
	e.Reason, e.Error = r.abortReason, r.abortDetail
	for _, id := range r.caseIDs() {
		e.Cases = append(e.Cases, redact.Escape(id, maxText))
	}
	if r.judgment != nil {
		e.setJudgment(r.judgment)
		e.State = state
	}
	n := &Counts{Turns: int(r.turns), Tokens: r.tokens, Money: r.money}
	for _, s := range r.stats() {
		n.Calls += s.Calls
		n.OK += s.OK
		n.Failed += s.Failed
		n.Denied += s.Denied
		n.NotRun += s.NotRun
		n.Pending += s.Pending
		n.Unknown += s.Unknown
		n.Attempts += s.Attempts
		n.Retries += s.Retries
	}
	e.Counts = n
	return &e
}

func (e *Event) setJudgment(j *Judgment) {
	e.Decision, e.Step, e.State = j.Decision, j.Step, j.State
	e.Unmet, e.Findings, e.Reported = j.Unmet, j.Findings, j.Reported
}
