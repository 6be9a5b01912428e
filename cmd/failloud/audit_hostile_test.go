package main_test

import (
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// hostile is everything that a transcript should not be.
func hostile() io.Reader {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	return io.MultiReader(
		strings.NewReader(`{"id":"esc\u001b]0;title\u0007\u202e<script>alert(1)</script>","events":[{"type":"user","text":"\u001b[2J<img src=x onerror=alert(1)>"},{"type":"call","id":"c\u001b[31m","tool":"to\u009bol\"><script>","args":{"a":"</script><script>alert(2)</script>"}},{"type":"result","id":"c\u001b[31m","content":"{\"error\":\"boom\"}","is_error":true}],"final":"It is 12,345 \u001b[31mred\u2028</div><script>alert(3)</script> password=hunter2hunter2"}`+"\n"),
		strings.NewReader(`{"id":"huge","final":"`), io.LimitReader(endless('a'), 50<<20), strings.NewReader("\",\"events\":[]}\n"),
		strings.NewReader("{\"id\":\"latin\",\"evidence\":[\"caf\xe9 \xff\xfe 77123\"],\"prompt\":\"\",\"answer\":\"77123 caf\xe9\"}\n"),
		strings.NewReader(`{"id":"deep","evidence":[`+deep+`],"prompt":"","answer":"1"}`+"\n"),
		strings.NewReader(deep+"\n"),
		strings.NewReader(`{"id":"orphan","events":[{"type":"result","id":"zz","content":"1"},{"type":"call","id":"c1","tool":"a","args":{}},{"type":"call","id":"c1","tool":"a","args":{}}],"final":"ok"}`+"\n"),
		strings.NewReader("\x00\x01\x02 garbage\n"),
		strings.NewReader(`{"id":"last","evidence":["5"],"prompt":"","answer":"5"}`+"\n"),
		strings.NewReader(`{"id":"torn","events":[{"type":"us`),
	)
}

func TestAuditSurvivesAHostileFile(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"table", "json", "html"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			got := failloud(t, hostile(), "audit", "--format", format)
			require.Equal(t, 2, got.code, got.stderr)
			for _, text := range []string{got.stdout, got.stderr} {
				for _, r := range text {
					require.True(t, r == '\n' || unicode.IsPrint(r), "%U in %s", r, format)
				}
				require.NotContains(t, text, "hunter2hunter2")
			}
			require.Contains(t, got.stderr, "-:2: ", "the line of 50 MB")
			require.Contains(t, got.stderr, `the result "zz" has no call`)
			require.Less(t, len(got.stdout)+len(got.stderr), 100_000)
			if format == "json" {
				rows := audited(t, got.stdout)
				require.Contains(t, rows, "latin")
				require.Contains(t, rows, "last", "what comes behind is still read")
				require.Contains(t, rows, "esc\u001b]0;title\u0007\u202e<script>alert(1)</script>", "escaped, not lost")
			}
		})
	}
}

func TestAuditBoundsWhatItComplainsAbout(t *testing.T) {
	t.Parallel()
	got := failloud(t, strings.NewReader(oneRun(t, "weather")+strings.Repeat("{\"a\":\n", 500)), "audit")
	require.Equal(t, 2, got.code)
	require.Less(t, strings.Count(got.stderr, "\n"), 20, got.stderr)
	require.Contains(t, got.stderr, "more: ")
}
