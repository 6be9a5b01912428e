package runrecord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

const (
	secretArgs   = `{"customer":"ACME","auth":{"api_key": "k-4711-secret"},"login":"{\"password\":\"k-4711-secret\"}"}`
	secretResult = `[{"id":"INV-1","total":1200},{"headers":{"Authorization":"Bearer k-4711-secret"}}]`
)

// captured is a whole run whose every payload has the secret in it.
func captured(t *testing.T, cfg runrecord.Config) []runrecord.Event {
	t.Helper()
	var file bytes.Buffer
	cfg.Sinks = append(cfg.Sinks, runrecord.NewJSONLines(&file))
	_, run := start(t, newRecorder(t, cfg), t.Context(), runrecord.Task{Question: "my password=k-4711-secret, what do I owe?"})
	require.Equal(t, cfg.Capture != runrecord.CaptureOff, run.WantsPayload(fault.KindFailed))
	payload := runrecord.Payload{Args: secretArgs, Result: secretResult}
	finishes(t, run, fault.KindOK, payload)
	finishes(t, run, fault.KindFailed, runrecord.Payload{Args: secretArgs, Result: "TOOL_FAILED: get_invoices"})
	pending := finishes(t, run, fault.KindPending, runrecord.Payload{})
	run.SettleWith(pending, fault.Outcome{Kind: fault.KindOK}, payload)
	run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered, Draft: "You owe 1,200;\ntoken=k-4711-secret"})
	run.End()
	events, bad := []runrecord.Event{}, []error(nil)
	for e, err := range runrecord.ReadJSONLines(&file) {
		if err != nil {
			bad = append(bad, err)
		}
		events = append(events, e)
	}
	require.Empty(t, bad)
	require.Len(t, events, 7)
	return events
}

func TestNothingIsCapturedUnlessAskedFor(t *testing.T) {
	for _, e := range captured(t, runrecord.Config{}) {
		line, err := json.Marshal(e)
		require.NoError(t, err)
		for _, word := range []string{"ACME", "INV-1", "owe", "secret", "question", "args\"", "result\"", "draft"} {
			require.NotContains(t, string(line), word)
		}
	}
}

func TestCapturedPayloadsAreRedacted(t *testing.T) {
	events := captured(t, runrecord.Config{Capture: runrecord.CaptureRedacted})
	for _, e := range events {
		line, err := json.Marshal(e)
		require.NoError(t, err)
		require.NotContains(t, string(line), "k-4711")
	}
	require.Equal(t, "my password=[REDACTED], what do I owe?", events[0].Question)
	for _, i := range []int{1, 4} {
		require.JSONEq(t, `{"customer":"ACME","auth":{"api_key":"[REDACTED]"},"login":"{\"password\":\"[REDACTED]\"}"}`, events[i].Args)
		require.JSONEq(t, `[{"id":"INV-1","total":1200},{"headers":{"Authorization":"[REDACTED]"}}]`, events[i].Result)
	}
	require.Equal(t, runrecord.EventSettled, events[4].Type)
	require.Equal(t, "TOOL_FAILED: get_invoices", events[2].Result)
	require.Empty(t, events[3].Result)
	require.Equal(t, "You owe 1,200;\ntoken=[REDACTED]", events[5].Draft, "its lines stay lines")
	require.Empty(t, events[6].Draft)
}

func TestCaptureFullTakesTextsAsTheyAre(t *testing.T) {
	events := captured(t, runrecord.Config{Capture: runrecord.CaptureFull})
	require.Equal(t, "my password=k-4711-secret, what do I owe?", events[0].Question)
	require.Equal(t, secretArgs, events[1].Args)
	require.Equal(t, secretResult, events[1].Result)
}

func TestTheLogHasNoPayload(t *testing.T) {
	core, logs := observer.New(zapcore.DebugLevel)
	captured(t, runrecord.Config{Capture: runrecord.CaptureFull, Sinks: []runrecord.Sink{runrecord.NewZap(zap.New(core))}})
	require.NotZero(t, logs.Len())
	for _, line := range logs.All() {
		encoded, err := json.Marshal(line.ContextMap())
		require.NoError(t, err)
		require.NotContains(t, string(encoded), "k-4711")
		require.NotContains(t, string(encoded), "ACME")
	}
}

func TestCapturedTextsAreBoundedAndSaySo(t *testing.T) {
	const limit = 1024
	for _, capture := range []runrecord.Capture{runrecord.CaptureRedacted, runrecord.CaptureFull} {
		mem := runrecord.NewMemory(0)
		_, run := start(t, newRecorder(t, runrecord.Config{Capture: capture, CaptureLimit: limit, Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
		last := func(result string) string {
			shows(t, run, result)
			events := mem.Events()
			return events[len(events)-1].Result
		}
		fits := strings.Repeat("x", limit)
		require.Equal(t, fits, last(fits))
		for shift := range 4 {
			got := last(strings.Repeat("x", shift) + strings.Repeat("ế", 1000))
			require.LessOrEqual(t, len(got), limit)
			require.Greater(t, len(got), limit-50)
			require.True(t, utf8.ValidString(got))
			require.Regexp(t, `ế… \[cut: 300\d bytes in all\]$`, got)
		}
		require.Equal(t, "a\uFFFDb", last("a\xffb"))
	}
}

// A secret that the bound runs through is hidden first: its half is not what
// anybody's pattern looks for.
func TestASecretAtTheBoundIsHidden(t *testing.T) {
	const secret = "customer-7788-9900-1122-3344-5566-7788-9900-1122-3344-5566-7788"
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{
		Capture: runrecord.CaptureRedacted, CaptureLimit: 512, Sinks: []runrecord.Sink{mem},
		Redact: func(s string) string { return strings.ReplaceAll(s, secret, "(hidden)") },
	}), t.Context(), runrecord.Task{})
	for at := 400; at < 520; at++ {
		shows(t, run, strings.Repeat("x", at)+" "+secret+strings.Repeat(" tail", 2000))
		events := mem.Events()
		require.NotContains(t, events[len(events)-1].Result, "customer", at)
	}
}

// What a user's redaction does is the user's; it must not deadlock or break a run.
func TestRedactionOfPayloadsIsUnderNoLock(t *testing.T) {
	var run *runrecord.Run
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{Capture: runrecord.CaptureRedacted, Sinks: []runrecord.Sink{mem}, Redact: func(s string) string {
		run.Calls()
		if strings.Contains(s, "boom") {
			panic("redact")
		}
		return strings.ToUpper(s)
	}})
	_, run = start(t, rec, t.Context(), runrecord.Task{
		Question: "q", Judge: runrecord.JudgeFunc(func(_ context.Context, r *runrecord.Run) error { run = r; return nil }),
	})
	seq := finishes(t, run, fault.KindPending, runrecord.Payload{Args: "a"})
	run.SettleWith(seq, fault.Outcome{Kind: fault.KindOK}, runrecord.Payload{Result: "boom"})
	run.Judged(runrecord.Judgment{Draft: "d", Decision: "answer"})
	events := mem.Events()
	require.Equal(t, "Q", events[0].Question)
	require.Equal(t, "A", events[1].Args)
	require.Equal(t, "[REDACTED]", events[2].Result)
	require.Equal(t, "D", events[3].Draft)
}

func TestTheQuestionIsWithTheFirstLeg(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Capture: runrecord.CaptureFull, Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{Question: "q"})
	run.Wait("case")
	run.End()
	run.Resume("case")
	var questions []string
	for _, e := range mem.Events() {
		if e.Type == runrecord.EventRunStarted {
			questions = append(questions, e.Question)
		}
	}
	require.Equal(t, []string{"q", ""}, questions)
}

func TestTheLargestEventCanBeReadBack(t *testing.T) {
	var file bytes.Buffer
	rec := newRecorder(t, runrecord.Config{Capture: runrecord.CaptureFull, CaptureLimit: 256 << 10, Sinks: []runrecord.Sink{runrecord.NewJSONLines(&file)}})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	worst := strings.Repeat("\x01", 300<<10) // six bytes each, once escaped
	finishes(t, run, fault.KindOK, runrecord.Payload{Args: worst, Result: worst})
	notes := make([]string, 64)
	for i := range notes {
		notes[i] = strings.Repeat("<", 1024)
	}
	run.Judged(runrecord.Judgment{Decision: "refuse", State: runrecord.Refused, Draft: worst, Unmet: notes, Findings: notes})
	n := 0
	for e, err := range runrecord.ReadJSONLines(&file) {
		require.NoError(t, err)
		for _, text := range []string{e.Args, e.Result, e.Draft} {
			n += len(text)
		}
	}
	require.Equal(t, 3*256<<10, n)
}

func TestCaptureSettingsThatCannotBeMeant(t *testing.T) {
	for _, cfg := range []runrecord.Config{{Capture: 9}, {CaptureLimit: -1}, {CaptureLimit: 20}, {CaptureLimit: 1 << 30}} {
		_, err := runrecord.NewRecorder(cfg)
		require.ErrorContains(t, err, "Config.Capture")
	}
	newRecorder(t, runrecord.Config{CaptureLimit: 256})
}
