package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// wrote is a line with a message of the model; more are further fields.
func wrote(id, content, more string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s",%s"message":{"id":%q,"role":"assistant","content":[%s]}}`, more, id, content) + "\n"
}

func returned(id, text string) string {
	return fmt.Sprintf(`{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}}`, id, text) + "\n"
}

func TestAnswerOfAClaudeCodeSession(t *testing.T) {
	t.Parallel()
	answer := wrote("m1", `{"type":"text","text":"answer"}`, "")
	use := `{"type":"tool_use","id":"t1","name":"Bash","input":{}}`
	for name, c := range map[string]struct {
		in       string
		final    string
		problems []string
	}{
		"the last text":              {answer, "answer", nil},
		"not that of a sub-agent":    {answer + wrote("m2", `{"type":"text","text":"sub"}`, `"isSidechain":true,`), "answer", nil},
		"not before a call":          {answer + wrote("m2", use, "") + returned("t1", "ok"), "", nil},
		"not before a call cut off":  {answer + wrote("m2", use, ""), "", []string{`the call "t1" has no result`}},
		"not that of an API failure": {wrote("m1", `{"type":"text","text":"API Error: 529"}`, `"isApiErrorMessage":true,`), "", nil},
		"not what the program wrote": {strings.Replace(answer, `"role"`, `"model":"<synthetic>","role"`, 1), "", nil},
		"not when interrupted":       {answer + said("s", "[Request interrupted by user for tool use]"), "", nil},
		"also when thanked":          {answer + said("s", "thanks"), "answer", nil},
		"pieces that come twice":     {wrote("m1", use, "") + wrote("m1", use, "") + returned("t1", "ok") + answer, "answer", nil},
		"an id that comes again":     {wrote("m0", use, "") + returned("t1", "ok") + wrote("m9", use, "") + returned("t1", "ok") + answer, "answer", []string{`the id "t1" is that of an earlier call too`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, loose, _, err := readAll(t, strings.NewReader(said("s", "question")+c.in), transcript.Options{})
			require.NoError(t, err)
			require.Empty(t, loose)
			require.Len(t, all, 1)
			require.Equal(t, c.final, all[0].Final)
			require.Equal(t, c.final != "", all[0].HasFinal)
			var problems []string
			for _, p := range all[0].Problems {
				problems = append(problems, p.What)
			}
			require.Equal(t, c.problems, problems)
		})
	}
}
