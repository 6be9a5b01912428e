package runrecordtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// checks return what is wrong with a sink, so that the suite itself can be
// tested against sinks that are.
var checks = []struct {
	name  string
	check func(Harness) error
}{
	{"every field survives", everyField},
	{"an event of few fields survives", fewFields},
	{"awkward text survives", awkwardText},
	{"the order of a run is kept", order},
	{"concurrent writers lose nothing", concurrent},
	{"a real run can be read back", realRun},
	{"it can be read after it was closed", afterClose},
	{"a newer schema is not passed off as this one", newerSchema},
}

func everyField(h Harness) error { return roundTrip(h, fullEvent()) }

func fewFields(h Harness) error {
	return roundTrip(h, runrecord.Event{Schema: runrecord.SchemaVersion, Type: runrecord.EventRunStarted, Time: someTime, Run: "r", Leg: 1})
}

func awkwardText(h Harness) error {
	e := fullEvent()
	e.Error = `quoted "x" and \ and 'y', ` + "a newline\nand a tab\t, <html>&amp; tiếng Việt, 日本, 🙂, \u2028 and %s $1 ?"
	e.Task = strings.Repeat("long ", 200)
	e.Findings = []string{"", "one", "two\nlines", `a, b; "c"`}
	return roundTrip(h, e)
}

func roundTrip(h Harness, e runrecord.Event) error {
	if err := h.Sink.Write(e); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	got, err := h.Read()
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	if len(got) != 1 {
		return fmt.Errorf("one event was written and %d were read", len(got))
	}
	return same(e, got[0])
}

// same compares field by field, so that the report names what was lost.
func same(want, got runrecord.Event) error {
	if !want.Time.Equal(got.Time) {
		return fmt.Errorf("field Time: wrote %v, read %v", want.Time, got.Time)
	}
	want.Time, got.Time = time.Time{}, time.Time{}
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	var errs []error
	for i := range w.NumField() {
		if a, b := w.Field(i).Interface(), g.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			errs = append(errs, fmt.Errorf("%s: wrote %+v, read %+v", w.Type().Field(i).Name, indirect(a), indirect(b)))
		}
	}
	return errors.Join(errs...)
}

func indirect(v any) any {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && !r.IsNil() {
		return r.Elem().Interface()
	}
	return v
}

func order(h Harness) error {
	const n = 200
	for i := range n {
		for _, run := range []string{"a", "b"} {
			if err := h.Sink.Write(numbered(run, i)); err != nil {
				return fmt.Errorf("write: %w", err)
			}
		}
	}
	return complete(h, []string{"a", "b"}, n)
}

func concurrent(h Harness) error {
	const writers, n = 16, 50
	errs := make([]error, writers)
	runs := make([]string, writers)
	var wg sync.WaitGroup
	for w := range writers {
		runs[w] = fmt.Sprint("run-", w)
		wg.Go(func() {
			for i := range n {
				errs[w] = errors.Join(errs[w], h.Sink.Write(numbered(runs[w], i)))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return complete(h, runs, n)
}

func numbered(run string, i int) runrecord.Event {
	e := fullEvent()
	e.Run, e.Seq = run, uint32(i+1)
	return e
}

// complete asks for n events of each run, in order, and no others.
func complete(h Harness, runs []string, n int) error {
	got, err := h.Read()
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	seen := make(map[string]uint32)
	for _, e := range got {
		if e.Seq != seen[e.Run]+1 {
			return fmt.Errorf("run %q: event %d came after event %d", e.Run, e.Seq, seen[e.Run])
		}
		seen[e.Run] = e.Seq
	}
	for _, run := range runs {
		if int(seen[run]) != n {
			return fmt.Errorf("run %q: %d events of %d were read", run, seen[run], n)
		}
	}
	if len(got) != n*len(runs) {
		return fmt.Errorf("%d events were written and %d were read", n*len(runs), len(got))
	}
	return nil
}

func realRun(h Harness) error {
	failed := error(nil)
	rec, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{h.Sink}, ErrorHandler: func(err error) { failed = err }})
	if err != nil {
		return err
	}
	tool := &runrecord.ToolInfo{Name: "get_invoices", Upstream: "billing", Effect: fault.Read}
	_, run, err := rec.Start(context.Background(), runrecord.Task{Name: "invoice-question", Key: "ticket-4711"}, []*runrecord.ToolInfo{tool})
	if err != nil {
		return err
	}
	run.Finish(runrecord.Call{Tool: tool, Kind: fault.KindPending, Attempts: 1})
	run.Settle(1, fault.Outcome{Kind: fault.KindOK, Qualifiers: fault.Partial | fault.Stale})
	run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
	run.End()
	if failed != nil {
		return fmt.Errorf("write: %w", failed)
	}
	got, err := h.Read()
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	want := []runrecord.EventType{runrecord.EventRunStarted, runrecord.EventCall, runrecord.EventSettled, runrecord.EventJudged, runrecord.EventRunEnded}
	for i, e := range got {
		if i >= len(want) || e.Type != want[i] || e.Run != run.ID() {
			return fmt.Errorf("event %d is %s of run %s", i+1, e.Type, e.Run)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d events of %d were read", len(got), len(want))
	}
	if n := got[len(got)-1].Counts; n == nil || n.Calls != 1 || n.OK != 1 {
		return fmt.Errorf("the counts of the run are %+v", indirect(n))
	}
	return nil
}

func afterClose(h Harness) error {
	if h.Close == nil {
		return nil
	}
	e := fullEvent()
	if err := h.Sink.Write(e); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := h.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	if err := h.Sink.Write(e); err == nil {
		return errors.New("a write after the close was accepted")
	}
	got, err := h.Read()
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	if len(got) != 1 {
		return fmt.Errorf("%d events were read after the close, not 1", len(got))
	}
	return same(e, got[0])
}

// newerSchema leaves the choice: refuse it, report it, or keep its number.
func newerSchema(h Harness) error {
	e := fullEvent()
	e.Schema = runrecord.SchemaVersion + 1
	if h.Sink.Write(e) != nil {
		return nil
	}
	got, err := h.Read()
	if err != nil {
		return nil
	}
	if len(got) != 1 || got[0].Schema != e.Schema {
		return fmt.Errorf("an event of schema %d was taken and came back as %+v", e.Schema, got)
	}
	return nil
}

// someTime has microseconds and no less: that is what databases keep.
var someTime = time.Date(2026, 3, 1, 12, 30, 45, 123456000, time.UTC)

// fullEvent sets every field, also those that a later version adds, to
// something that is not its zero value.
func fullEvent() runrecord.Event {
	var e runrecord.Event
	fill(reflect.ValueOf(&e).Elem())
	e.Schema, e.Type, e.Time = runrecord.SchemaVersion, runrecord.EventCall, someTime
	e.Qualifiers = fault.Truncated | fault.Replayed
	return e
}

func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(v.Type().Field(i).Name + " text")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(1000 + i))
		case reflect.Uint32:
			f.SetUint(uint64(1000 + i))
		case reflect.Uint8:
			f.SetUint(2)
		case reflect.Float64:
			f.SetFloat(1.25)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{v.Type().Field(i).Name, "second"}))
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
			fill(f.Elem())
		}
	}
}
