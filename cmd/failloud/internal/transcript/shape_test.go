package transcript_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// only reads an input of one run.
func only(t *testing.T, in string) *transcript.Transcript {
	t.Helper()
	all, problems, _, err := readAll(t, strings.NewReader(in), transcript.Options{})
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Len(t, all, 1)
	return all[0]
}

func TestAResultIsFoundUnderEachOfItsNames(t *testing.T) {
	t.Parallel()
	const run = `{"events":[{"type":"call","id":"a","tool":"t"},{"type":"result","id":"a",X}],"final":"f"}`
	for x, want := range map[string]string{
		`"content":"17"`: "17", `"text":"17"`: "17", `"result":{"n":17}`: `{"n":17}`, `"output":"17"`: "17", `"content":null`: "", `"content":""`: "",
	} {
		got := only(t, strings.Replace(run, "X", x, 1))
		require.Equal(t, want, got.Events[1].Text, x)
		require.Empty(t, got.Problems, x)
	}
	got := only(t, strings.Replace(run, "X", `"body":"17"`, 1))
	require.Contains(t, got.Problems[0].What, "a result has none of")
}

func TestEmptyEvidenceIsNone(t *testing.T) {
	t.Parallel()
	for _, evidence := range []string{`""`, `" \n"`, `[]`, `null`, `["",null]`} {
		got := only(t, `{"evidence":`+evidence+`,"prompt":"p","answer":"49.99"}`)
		require.NotNil(t, got.Evidence, evidence)
		require.Empty(t, got.Evidence, evidence)
	}
}

func TestFurtherChoicesAreTold(t *testing.T) {
	t.Parallel()
	got := only(t, `{"request":{"messages":[{"role":"user","content":"q"}]},"response":{"choices":[{"message":{"role":"assistant","content":"a"}},{"message":{"role":"assistant","content":"b"}}]}}`)
	require.Equal(t, "a", got.Final)
	require.Contains(t, got.Problems[0].What, "1 further choices were not judged")
}

func TestAResponseThatFailedIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		`{"request":{"input":"x"},"response":{"object":"response","status":"failed","error":{"code":"server_error"},"output":[]}}`,
		`{"object":"response","status":"failed","output":[]}`,
		`{"request":{"input":"x"},"response":{"object":"response","status":"cancelled","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"half"}]}]}}`,
	} {
		require.False(t, only(t, in).HasFinal, in)
	}
}

func TestAnAbsurdIdIsShortenedAndStaysItsOwn(t *testing.T) {
	t.Parallel()
	x := strings.Repeat("x", 100_000)
	got := only(t, `{"id":"`+x+`","events":[{"type":"call","id":"`+x+`1","tool":"t"},{"type":"call","id":"`+x+`2","tool":"t"},{"type":"result","id":"`+x+`2","content":"2"},{"type":"result","id":"`+x+`1","content":"1"}],"final":"f"}`)
	require.Empty(t, got.Problems)
	require.Less(t, len(got.ID), 300)
	require.NotEqual(t, got.Events[0].ID, got.Events[1].ID)
	require.Equal(t, got.Events[0].ID, got.Events[3].ID)
}
