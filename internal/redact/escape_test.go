package redact_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/redact"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"plain", "plain text", 20, "plain text"},
		{"exactly as long", "abcdef", 6, "abcdef"},
		{"too long", "abcdefg", 6, "abc…"},
		{"on a rune boundary", "ééééé", 8, "éé…"},
		{"escape that would not fit", "abc\x1bdef", 8, "abc…"},
		{"line breaks", "a\r\nb\tc", 20, `a\r\nb\tc`},
		{"terminal sequence", "\x1b[2J", 20, `\x1b[2J`},
		{"invalid byte", "a\xffb", 20, `a\xffb`},
		{"turned around", "a\u202eb\u2066", 20, `a\u202eb\u2066`},
		{"separators and C1", "a\u2028b\u0085c", 30, `a\u2028b\u0085c`},
		{"other scripts", "tiếng Việt 日本 🙂", 40, "tiếng Việt 日本 🙂"},
		{"a real replacement character", "a\ufffdb", 20, "a\ufffdb"},
		{"no room at all", "abc", 0, ""},
		{"room for nothing but dots", "abcd", 3, "…"},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, redact.Escape(tt.in, tt.limit)) })
	}
}

func TestCutLeavesOutAHalvedWord(t *testing.T) {
	require.Equal(t, "short", redact.Cut("short", 10))
	require.Equal(t, "token is ", redact.Cut("token is sk-0123456789abcdef", 18))
	require.Equal(t, `{"k":"`, redact.Cut(`{"k":"0123456789abcdef"}`, 12))
	require.Equal(t, "whole words", redact.Cut("whole words stay", 11))
	require.Len(t, redact.Cut(strings.Repeat("A", 5000), 1000), 1000, "a blob is no word")
	require.Equal(t, "", redact.Cut("éé", 1))
	require.Equal(t, "", redact.Cut("abc", -1))
}

func TestTextHidesWhatTheCutWouldHaveHalved(t *testing.T) {
	for pad := range 200 {
		in := strings.Repeat("x ", 128-50) + strings.Repeat("y", pad) + " key ghp_0123456789abcdefghijklmnopqrstuvwxyz and more " + strings.Repeat("z", 500)
		require.NotContains(t, redact.Text(in, 64), "ghp_0")
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[2J\xff\u202e password=x", 20)
	f.Add(strings.Repeat("é", 40), 7)
	f.Add("0", -67)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit %= 4096
		for _, out := range []string{redact.Text(s, limit), redact.Escape(s, limit)} {
			if len(out) > max(limit, 0) || !utf8.ValidString(out) {
				t.Fatalf("%q of %d bytes for %d", out, len(out), limit)
			}
			if i := strings.IndexFunc(out, unicode.IsControl); i >= 0 {
				t.Fatalf("control character at %d of %q", i, out)
			}
		}
		if cut := redact.Cut(s, limit); !strings.HasPrefix(s, cut) {
			t.Fatalf("%q is no beginning of %q", cut, s)
		}
	})
}
