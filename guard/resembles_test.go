package guard_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// Where nobody declared an identity, a caller may know what a call was about.
func TestACallerSaysWhatResemblesAFailedCall(t *testing.T) {
	sameThing := false
	g := guard.New(guard.Resembles(func(_ *runrecord.Run, failed, later *runrecord.Call) bool {
		return sameThing && failed.Tool.Name == "read_file" && later.Tool.Name == "cat_file"
	}))
	s := begin(t, g, read("read_file"), read("cat_file"))
	s.call("read_file", "a.txt", failed(fault.ReasonTimeout))
	s.call("cat_file", "a.txt")
	v := s.final("Here it is.")
	require.Equal(t, guard.Disclose, v.Decision)
	require.Equal(t, []uint32{1}, v.Unrecovered)
	sameThing = true
	v = s.final("Here it is.")
	require.Equal(t, guard.Answer, v.Decision)
	require.Equal(t, []uint32{1}, v.Failed)
	require.Empty(t, v.Unrecovered)
}

// A draft that tells of a failure in words of the subject matter tells of the
// call that a caller says it does.
func TestACallerSaysWhichCallAFailureConcerns(t *testing.T) {
	const draft = "I can't open the red door."
	s := begin(t, guard.New(), read("fetch"), read("search"))
	s.call("search", "1")
	s.call("fetch", "https://a.test/red-door", failed(fault.ReasonPermission))
	require.Equal(t, guard.Disclose, s.final(draft).Decision)

	s = begin(t, guard.New(guard.Concerns(func(_ *runrecord.Run, call uint32, words []string) bool {
		return call == 2 && slices.Contains(words, "door")
	})), read("fetch"), read("search"))
	s.call("search", "1")
	s.call("fetch", "https://a.test/red-door", failed(fault.ReasonPermission))
	require.Equal(t, guard.Answer, s.final(draft).Decision)
	require.Equal(t, guard.Disclose, s.final("I can't open the red box.").Decision)
	require.Equal(t, guard.Disclose, s.final("## Typical door problems\n\nHere is all about the red door.").Decision, "a title tells of nothing")
	require.Equal(t, guard.Answer, s.final("There were problems with the red door.").Decision)
}

func TestCallersFunctionsMustBeThere(t *testing.T) {
	for name, o := range map[string]guard.Option{"Resembles": guard.Resembles(nil), "Concerns": guard.Concerns(nil), "EvidenceLimit": guard.EvidenceLimit(0), "Known": guard.Known(" ")} {
		_, err := tryBegin(t, guard.New(o))
		require.ErrorContains(t, err, name)
		require.ErrorIs(t, err, guard.ErrSetting)
	}
}
