package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// A mistake of ours must neither end the program nor let a draft leave unjudged.
func TestAGuardThatBreaksRefuses(t *testing.T) {
	s := begin(t, guard.Broken(), read("get_invoices"))
	s.call("get_invoices", "1", failed(fault.ReasonAuth))
	v := s.final("All 4711 paid.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, "All 4711 paid.", v.Draft)
	require.NotContains(t, v.Text, "4711")
	require.Contains(t, v.Text, "I am not going to guess")
	require.Len(t, v.Findings, 1)
	require.Equal(t, guard.KindSettings, v.Findings[0].Kind)
	require.Contains(t, v.Findings[0].What, "by a mistake of failloud")
	require.Regexp(t, `with \w+\.go:\d+$`, v.Findings[0].What)
	require.NotContains(t, v.Findings[0].What, "4711")
	s.run.End()
	require.Equal(t, runrecord.Refused, s.run.State())
}

func TestAGuardThatBreaksAndOnlyReportsLetsTheDraftLeave(t *testing.T) {
	g := guard.Broken(guard.Report())
	s := begin(t, g, read("get_invoices"))
	s.call("get_invoices", "1", failed(fault.ReasonAuth))
	v := s.final("All 4711 paid.")
	require.Equal(t, guard.Answer, v.Decision)
	require.Equal(t, guard.Refuse, v.Would)
	require.True(t, v.Reported)
	require.Equal(t, "All 4711 paid.", v.Text)
	s.run.End()
	require.Equal(t, runrecord.Answered, s.run.State())
}

// A function of the program's own that panics has said no.
func TestCallersFunctionsMayPanic(t *testing.T) {
	resembles := guard.Resembles(func(*runrecord.Run, *runrecord.Call, *runrecord.Call) bool { panic("4711") })
	concerns := guard.Concerns(func(*runrecord.Run, uint32, []string) bool { panic("4711") })
	s := begin(t, guard.New(resembles, concerns), read("fetch"), read("search"))
	s.call("fetch", "1", failed(fault.ReasonPermission))
	s.call("search", "2")
	v := s.final("I can't open the red door.")
	require.Equal(t, guard.Disclose, v.Decision)
	require.Equal(t, []uint32{1}, v.Unrecovered)
	notes := 0
	for _, f := range s.final("I can't open the red door.").Findings {
		require.NotContains(t, f.What, "4711")
		if f.Kind == guard.KindNote {
			require.Contains(t, f.What, "Resembles or Concerns has panicked")
			notes++
		}
	}
	require.Equal(t, 1, notes)
}
