package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// When to wake somebody. Choose the share from what is normal for your agent; a
// handful of runs keeps one refusal at night from being 100 %.
const (
	alertShare = 0.2
	alertRuns  = 5
)

// window is what the log tells of a span of time.
type window struct {
	start    time.Time
	ended    int // runs that ended for good
	refused  int
	unjudged int // the guard was not asked
	retries  int
	failures map[failure]int
}

// failure is a tool with the status, or without one the reason, of its failure.
type failure struct{ tool, how string }

func (f failure) String() string { return f.tool + " " + f.how }

// line is what is read of a log line; every other field is passed over.
type line struct {
	TS       stamp  `json:"ts"`
	Msg      string `json:"msg"`
	RunID    string `json:"run_id"`
	ParentID string `json:"parent_id"`
	Tool     string `json:"tool"`
	Status   int    `json:"status"`
	Outcome  string `json:"outcome"`
	Reason   string `json:"reason"`
	State    string `json:"state"`
	Retries  int    `json:"retries"`
}

// stamp is zap's time: seconds since 1970, or a text in ISO 8601.
type stamp struct{ time.Time }

func (s *stamp) UnmarshalJSON(data []byte) (err error) {
	var seconds float64
	if json.Unmarshal(data, &seconds) == nil {
		s.Time = time.UnixMilli(int64(seconds * 1000)).UTC()
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if s.Time, err = time.Parse("2006-01-02T15:04:05.999Z0700", text); err != nil {
		s.Time, err = time.Parse(time.RFC3339Nano, text)
	}
	return err
}

// readLog sorts the lines of runs into windows of this size, the earliest first.
// Other lines, of other programs or torn, are counted and passed over.
func readLog(r io.Reader, size time.Duration) (windows []*window, skipped int, err error) {
	byStart := map[time.Time]*window{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var l line
		if json.Unmarshal(scanner.Bytes(), &l) != nil || l.RunID == "" {
			skipped++
			continue
		}
		start := l.TS.Truncate(size)
		w := byStart[start]
		if w == nil {
			w = &window{start: start, failures: map[failure]int{}}
			byStart[start] = w
		}
		w.add(l)
	}
	windows = slices.SortedFunc(maps.Values(byStart), func(a, b *window) int { return a.start.Compare(b.start) })
	return windows, skipped, scanner.Err()
}

// add counts one line. Refusals are counted where a run ends, because a run may
// be judged more than once. The runs of sub-agents count to their parents, and a
// leg that ends as waiting or deferred is no end. A call that was not run says
// that something had failed before: after a 401 the tool is dead for the run.
func (w *window) add(l line) {
	switch l.Msg {
	case "tool call failed":
		if l.Outcome == "not_run" {
			return
		}
		f := failure{l.Tool, l.Reason}
		if l.Status != 0 {
			f.how = fmt.Sprint(l.Status)
		}
		w.failures[f]++
	case "run ended":
		if l.ParentID != "" || l.State == "waiting" || l.State == "deferred" {
			return
		}
		w.ended++
		w.retries += l.Retries
		switch l.State {
		case "refused":
			w.refused++
		case "unjudged":
			w.unjudged++
		}
	}
}

// share is the rate of refusals.
func (w *window) share() float64 { return float64(w.refused) / float64(max(w.ended, 1)) }

// worst is the failure that was seen most often.
func (w *window) worst() (failure, int) {
	if len(w.failures) == 0 {
		return failure{}, 0
	}
	worst := slices.MaxFunc(slices.Collect(maps.Keys(w.failures)), func(a, b failure) int {
		return cmp.Or(cmp.Compare(w.failures[a], w.failures[b]), cmp.Compare(b.String(), a.String()))
	})
	return worst, w.failures[worst]
}

// alert says what is wrong in the window, "" where nothing is.
func (w *window) alert() string {
	if w.unjudged > 0 {
		return fmt.Sprintf("%d of %d runs ended without the guard: it is not wired on every exit", w.unjudged, w.ended)
	}
	if w.ended < alertRuns || w.share() < alertShare {
		return ""
	}
	worst, n := w.worst()
	text := fmt.Sprintf("%.0f %% of the answers were refused (%d of %d); most failures: %s (%d)", 100*w.share(), w.refused, w.ended, worst, n)
	if worst.how == "401" {
		text += ": has its credential expired?"
	}
	return text
}
