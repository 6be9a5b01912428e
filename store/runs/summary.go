package runs

import (
	"slices"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// Summary is how a run stands, by the events of it that are in the store.
type Summary struct {
	ID       string           `json:"id"`                  // of the run
	Parent   string           `json:"parent_id,omitempty"` // id of the run that it is a sub-agent of
	Task     string           `json:"task,omitempty"`      // name of the task
	Key      string           `json:"task_key,omitempty"`  // the caller's key of the task
	Tenant   string           `json:"tenant,omitempty"`    // of the task
	State    runrecord.State  `json:"state"`
	Decision string           `json:"decision,omitempty"` // of the guard
	Step     int              `json:"step,omitempty"`     // of the guard that decided
	Reported bool             `json:"reported,omitempty"` // the guard only reported it: the answer left anyway
	Reason   fault.Reason     `json:"reason,omitempty"`   // why it was aborted
	Cases    []string         `json:"cases,omitempty"`    // open ones
	Started  time.Time        `json:"started"`            // of its first event, where its start is lost
	Ended    time.Time        `json:"ended,omitzero"`     // for good; zero: it has not, or that was lost
	Last     time.Time        `json:"last"`               // of its last event or that of a child
	Legs     int              `json:"legs"`               // so far; more than one where it was resumed
	Counts   runrecord.Counts `json:"counts"`             // children included; of the end of a leg, and what came since
	Tools    []string         `json:"tools,omitempty"`    // the first 100 that were called, children's included
	Erased   time.Time        `json:"erased,omitzero"`    // when its payloads were erased
}

const maxTools = 100

// Refused reports whether the guard refused the answer, or would have.
func (s *Summary) Refused() bool {
	return s.State == runrecord.Refused || s.Reported && s.Decision == refuse
}

const refuse = "refuse"

// tell takes over what an event says about its run.
func (s *Summary) tell(e *runrecord.Event) {
	if s.Started.IsZero() {
		s.Started = e.Time
	}
	s.Parent, s.Task, s.Key, s.Tenant = e.Parent, e.Task, e.Key, e.Tenant
	s.Legs = max(s.Legs, e.Leg)
	if s.State.Ended() {
		return // it has no exit: a second end, or what came late
	}
	switch e.Type {
	case runrecord.EventRunStarted:
		s.State = runrecord.Running
	case runrecord.EventJudged, runrecord.EventRunEnded:
		s.Decision, s.Step, s.Reported = e.Decision, e.Step, e.Reported
	}
	if e.Type != runrecord.EventRunEnded {
		return
	}
	s.State, s.Reason, s.Cases = e.State, e.Reason, e.Cases
	if e.State.Ended() {
		s.Ended = e.Time
	}
	if e.Counts != nil {
		s.Counts = *e.Counts
	}
}

// count counts a call of the run or of a child.
func (s *Summary) count(e *runrecord.Event) {
	n := &s.Counts
	switch e.Type {
	case runrecord.EventCall:
		n.Calls++
		n.Attempts += e.Attempts
		n.Retries += max(0, e.Attempts-1)
	case runrecord.EventSettled:
		if p := ended(n, e.Was); p != nil && *p > 0 {
			*p--
		}
	default:
		return
	}
	if p := ended(n, e.Outcome); p != nil {
		*p++
	}
	if e.Tool != "" && len(s.Tools) < maxTools && !slices.Contains(s.Tools, e.Tool) {
		s.Tools = append(s.Tools, e.Tool)
	}
}

// ended is the count of the calls that ended so, nil where there is none.
func ended(n *runrecord.Counts, how fault.Kind) *int {
	switch how {
	case fault.KindOK:
		return &n.OK
	case fault.KindFailed:
		return &n.Failed
	case fault.KindDenied:
		return &n.Denied
	case fault.KindNotRun:
		return &n.NotRun
	case fault.KindPending:
		return &n.Pending
	case fault.KindUnknown:
		return &n.Unknown
	}
	return nil
}

// toolList is the tools as a text that one of them can be looked for in.
func (s *Summary) toolList() string {
	var b strings.Builder
	for _, t := range s.Tools {
		b.WriteString(toolMark(t))
	}
	return b.String()
}

func toolMark(tool string) string { return "\n" + searchable(tool) + "\n" }
