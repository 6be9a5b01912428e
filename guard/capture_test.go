package guard_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// recorded is what a guarded run leaves in a file.
func recorded(t *testing.T, capture runrecord.Capture, play func(*scenario)) []runrecord.Event {
	t.Helper()
	var file bytes.Buffer
	s, err := beginLimited(t, runrecord.Config{Capture: capture, Sinks: []runrecord.Sink{runrecord.NewJSONLines(&file)}}, guard.New(guard.OnStep(guard.StepSources, guard.PolicyDisclose)), read("get_total"))
	require.NoError(t, err)
	play(s)
	s.run.End()
	var events []runrecord.Event
	for e, err := range runrecord.ReadJSONLines(&file) {
		require.NoError(t, err)
		events = append(events, e)
	}
	return events
}

// replayed judges what a record has of a run once more.
func replayed(t *testing.T, events []runrecord.Event) guard.Verdict {
	t.Helper()
	s := begin(t, guard.New(guard.OnStep(guard.StepSources, guard.PolicyDisclose)), read("get_total"))
	for _, e := range events {
		switch e.Type {
		case runrecord.EventRunStarted, runrecord.EventHeard:
			s.run.Hear(e.Question)
		case runrecord.EventCall:
			s.run.FinishWith(runrecord.Call{Tool: s.run.Tool(e.Tool), Kind: e.Outcome, Attempts: 1, ResultHash: uint64(e.Seq)}, runrecord.Payload{Args: e.Args, Result: e.Result})
		case runrecord.EventJudged:
			if e.Reason != fault.ReasonNone {
				s.run.Abort(e.Reason, "")
			}
			return s.final(e.Draft)
		}
	}
	t.Fatal("nothing was judged")
	return guard.Verdict{}
}

func TestWhatIsCapturedCanBeJudgedAgain(t *testing.T) {
	plays := map[string]func(*scenario) guard.Verdict{
		"a figure of a result": func(s *scenario) guard.Verdict {
			s.run.FinishWith(runrecord.Call{Tool: s.run.Tool("get_total"), Kind: fault.KindOK, Attempts: 1}, runrecord.Payload{Args: "{}", Result: `{"total":17.25}`})
			return s.final("It is 17.25 EUR.")
		},
		"a figure of nobody's": func(s *scenario) guard.Verdict {
			s.run.FinishWith(runrecord.Call{Tool: s.run.Tool("get_total"), Kind: fault.KindOK, Attempts: 1}, runrecord.Payload{Args: "{}", Result: `{"total":17.25}`})
			return s.final("It is 99.75 EUR.")
		},
		"what the user said later": func(s *scenario) guard.Verdict {
			s.run.FinishWith(runrecord.Call{Tool: s.run.Tool("get_total"), Kind: fault.KindOK, Attempts: 1}, runrecord.Payload{Args: "{}", Result: `{"total":17.25}`})
			s.run.Hear("make it 4,321.55 EUR")
			return s.final("The total is 17.25 EUR, you asked for 4,321.55 EUR.")
		},
		"a run that was ended early": func(s *scenario) guard.Verdict {
			s.run.FinishWith(runrecord.Call{Tool: s.run.Tool("get_total"), Kind: fault.KindOK, Attempts: 1}, runrecord.Payload{Args: "{}", Result: `{"total":17.25}`})
			s.run.Abort(fault.ReasonLoop, "the same again and again")
			return s.final("It is 17.25 EUR.")
		},
	}
	for name, play := range plays {
		t.Run(name, func(t *testing.T) {
			for _, capture := range []runrecord.Capture{runrecord.CaptureRedacted, runrecord.CaptureFull} {
				var live guard.Verdict
				again := replayed(t, recorded(t, capture, func(s *scenario) { live = play(s) }))
				require.Equal(t, live.Draft, again.Draft)
				require.Equal(t, live.Decision, again.Decision)
				require.Equal(t, live.Text, again.Text)
				require.Equal(t, len(live.Findings), len(again.Findings), "%v\n%v", live.Findings, again.Findings)
			}
		})
	}
}

func TestTheDraftIsNotRecordedUnlessAskedFor(t *testing.T) {
	for _, e := range recorded(t, runrecord.CaptureOff, func(s *scenario) {
		s.call("get_total", "1")
		s.run.Hear("make it 4,321.55 EUR")
		s.final("It is 17.25 EUR.")
	}) {
		require.Empty(t, e.Draft)
		require.Empty(t, e.Question)
		require.NotEqual(t, runrecord.EventHeard, e.Type)
	}
}

func TestTheCapturedDraftIsRedacted(t *testing.T) {
	found := false
	for _, e := range recorded(t, runrecord.CaptureRedacted, func(s *scenario) {
		s.call("get_total", "1")
		s.final("The password=k-4711-secret is set.")
	}) {
		require.NotContains(t, e.Draft, "k-4711")
		found = found || e.Draft == "The password=[REDACTED] is set."
	}
	require.True(t, found)
}
