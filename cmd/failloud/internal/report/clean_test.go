package report_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/report"
)

func TestALineIsOneLineThatNothingObeys(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                     "plain",
		"  two\nlines\tand  ":       "two lines and",
		"\x1b[2Jgone":               `\x1b[2Jgone`,
		"turned \u202e around":      `turned \u202e around`,
		"Xin chào":                  "Xin chào",
		"password=hunter2hunter2 x": "password=[REDACTED] x",
	} {
		require.Equal(t, want, report.Cleaner{}.Line(in, 100))
	}
	require.Equal(t, "password=hunter2hunter2", report.Cleaner{Bare: true}.Line("password=hunter2hunter2", 100))
}

func TestABlockKeepsItsLines(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\nb\n\n    c", report.Cleaner{}.Block("a\r\nb\n\n\tc", 100))
	require.Equal(t, "one two …", report.Cleaner{}.Block("one two three", 8))
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[2J\xff\u202e password=x\n\r\u2028", 20)
	f.Add(strings.Repeat("日本", 40), 7)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = min(max(limit, 0), 4096)
		line, block := report.Cleaner{}.Line(s, limit), report.Cleaner{}.Block(s, limit)
		if len(line) > limit {
			t.Fatalf("%d bytes for %d", len(line), limit)
		}
		for _, out := range []string{line, strings.ReplaceAll(block, "\n", "")} {
			if !utf8.ValidString(out) {
				t.Fatalf("%q is not valid", out)
			}
			for _, r := range out {
				if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
					t.Fatalf("%U in %q", r, out)
				}
			}
		}
	})
}
