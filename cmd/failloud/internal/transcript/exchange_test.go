package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// request is a line of a log: what was said so far, and the answer to it.
func request(answer string, said ...string) string {
	var messages []string
	for i, s := range said {
		messages = append(messages, fmt.Sprintf(`{"role":%q,"content":%q}`, []string{"user", "assistant"}[i%2], s))
	}
	return fmt.Sprintf(`{"request":{"messages":[%s]},"response":{"choices":[{"message":{"role":"assistant","content":%q}}]}}`,
		strings.Join(messages, ","), answer) + "\n"
}

func TestRequestsOfOneConversationAreOneRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []string // the finals, with the number of events
	}{
		"each goes on from the one before": {request("b", "a") + request("d", "a", "b", "c") + request("f", "a", "b", "c", "d", "e"), []string{"f 6"}},
		"two at a time":                    {request("b", "a") + request("2", "1") + request("d", "a", "b", "c") + request("4", "1", "2", "3"), []string{"d 4", "4 4"}},
		"the same question again":          {request("b", "a") + request("x", "a"), []string{"b 2", "x 2"}},
		"another way from the same start":  {request("d", "a", "b", "c") + request("z", "a", "x", "y", "y", "y"), []string{"d 4", "z 6"}},
		"history that was cut":             {request("d", "a", "b", "c") + request("f", "a"), []string{"d 4", "f 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, loose, stats, err := readAll(t, strings.NewReader(c.in), transcript.Options{})
			require.NoError(t, err)
			require.Empty(t, loose)
			require.Zero(t, stats.Problems)
			var got []string
			for _, tr := range all {
				got = append(got, fmt.Sprint(tr.Final, " ", len(tr.Events)))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestARunOfRequestsIsWholeAtAnyTime(t *testing.T) {
	t.Parallel()
	all, _, stats, err := readAll(t, strings.NewReader(request("b", "a")+request("2", "1")+request("y", "x")), transcript.Options{MaxOpen: 1})
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Zero(t, stats.Problems, "each could have been the end")
}

func TestASystemMessageSplitsLinesButNoArray(t *testing.T) {
	t.Parallel()
	lines := `{"role":"user","content":"a"}` + "\n" + `{"role":"system","content":"b"}`
	all, _, _, err := readAll(t, strings.NewReader(lines), transcript.Options{})
	require.NoError(t, err)
	require.Len(t, all, 2)
	all, _, _, err = readAll(t, strings.NewReader("["+strings.Replace(lines, "\n", ",", 1)+"]"), transcript.Options{})
	require.NoError(t, err)
	require.Len(t, all, 1)
}

func TestLinesOfAPrettyPrintedRunAreThoseOfItsParts(t *testing.T) {
	t.Parallel()
	in := "\n{\n\"messages\": [\n{\"role\": \"user\",\n\"content\": \"a\"},\n\n{\"role\": \"assistant\", \"content\": \"b\"}\n]}"
	all, _, _, err := readAll(t, strings.NewReader(in), transcript.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, all[0].Line)
	require.Equal(t, 4, all[0].Events[0].Line)
	require.Equal(t, 7, all[0].FinalLine)

	in = "{\"response\":{\n\"choices\":[{\"message\":{\"role\":\"assistant\",\n\"content\":\"b\"}}]},\n\n\"messages\":[\n{\"role\":\"user\",\"content\":\"a\"}]}"
	all, _, _, err = readAll(t, strings.NewReader(in), transcript.Options{})
	require.NoError(t, err)
	require.Equal(t, 6, all[0].Events[0].Line)
	require.Equal(t, 2, all[0].FinalLine, "the answer stands in front of the question")
}
