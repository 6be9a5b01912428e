package guard

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// Trouble is what is wrong with a call, or missing, as the texts tell it.
type Trouble uint8

const (
	TroubleFailed      Trouble = iota // it failed, or was never entered
	TroubleDenied                     // a person or a policy said no
	TroubleUnknown                    // it may have happened
	TroublePending                    // accepted, not done
	TroublePartial                    // only part of what was asked for
	TroubleTruncated                  // cut by a limit
	TroubleStale                      // older than asked for
	TroubleNeverCalled                // required and never called
	TroubleSubstitute                 // required of the tool itself, and only another tool stood in

	lastTrouble = TroubleSubstitute
)

var troubleNames = [...]string{"failed", "was denied", "may have run", "is pending", "is partial", "is truncated", "is stale", "was never called", "had a substitute"}

// String names the trouble in a few words.
func (t Trouble) String() string {
	if int(t) < len(troubleNames) {
		return troubleNames[t]
	}
	return fmt.Sprintf("trouble(%d)", uint8(t))
}

// trouble is one call that did not do all it was asked to and was never made
// good, or what is left of calls that the record no longer holds.
type trouble struct {
	Trouble
	tool     string // "" for an invented name
	call     uint32 // 0 where the record no longer holds it
	times    int    // how many calls that are no longer held; 0: it is one call
	invented bool
	unkeyed  bool // it was not done, since nothing would keep it from being done twice
	effect   fault.Effect
	reason   fault.Reason
	wait     time.Duration // left of what the upstream asked for
	age      time.Duration
	kept     map[string]string
}

func (t *trouble) describe() string {
	s := t.Trouble.String()
	if t.reason != fault.ReasonNone {
		s += " (" + t.reason.String() + ")"
	}
	if t.call == 0 {
		s = "an earlier call " + s
	}
	return s
}

// findTroubles fills in what was never made good, once.
func (j *judgment) findTroubles() {
	if j.troubles != nil {
		return
	}
	ev := j.ev
	good := ev.good()
	whole := ev.successes(succeededWhole, serves)
	for i := range ev.calls {
		c := &ev.calls[i]
		if !succeeded(c) {
			if !good.madeGood(i) && !(ev.halt != fault.ReasonNone && neverStarted(c)) {
				j.troubles = append(j.troubles, troubleOf(c, failureOf(c), ev.now))
			}
			continue
		}
		if !c.Qualifiers.Degraded() || whole.madeGood(i) {
			continue
		}
		for _, q := range degradations {
			if c.Qualifiers.Has(q.qualifier) {
				j.troubles = append(j.troubles, troubleOf(c, q.trouble, ev.now))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ev.stats)) {
		s := ev.stats[name]
		lost := func(kind Trouble, times int) {
			if times > 0 {
				j.troubles = append(j.troubles, &trouble{Trouble: kind, tool: name, times: times, invented: name == "", effect: ev.effect(name)})
			}
		}
		lost(TroubleFailed, s.DroppedNotOK-s.DroppedDegraded-s.DroppedUnresolved)
		lost(TroubleUnknown, s.DroppedUnresolved)
		for _, q := range degradations {
			if s.DroppedQualifiers.Has(q.qualifier) {
				lost(q.trouble, s.DroppedDegraded)
			}
		}
	}
}

var degradations = []struct {
	qualifier fault.Qualifier
	trouble   Trouble
}{
	{fault.Partial, TroublePartial},
	{fault.Truncated, TroubleTruncated},
	{fault.Stale, TroubleStale},
}

// neverStarted holds for a call that an ended run turned away: the end of the
// run is what has to be told, not each call after it.
func neverStarted(c *runrecord.Call) bool {
	return c.Kind == fault.KindNotRun && (c.Reason == fault.ReasonLoop || c.Reason == fault.ReasonBudget)
}

func failureOf(c *runrecord.Call) Trouble {
	switch c.Kind {
	case fault.KindDenied:
		return TroubleDenied
	case fault.KindUnknown:
		return TroubleUnknown
	case fault.KindPending:
		return TroublePending
	default:
		return TroubleFailed
	}
}

func troubleOf(c *runrecord.Call, kind Trouble, now time.Duration) *trouble {
	d := detail(c)
	t := &trouble{Trouble: kind, tool: toolName(c), call: c.Seq, reason: reasonOf(c), age: d.Age, kept: d.Args}
	t.invented, t.unkeyed = invented(c), d.Rule == "ledger:no_key"
	if c.Tool != nil {
		t.effect = c.Tool.Effect
	}
	if d.Wait > 0 {
		t.wait = max(0, d.Wait-(now-c.Start-c.Duration))
	}
	return t
}
