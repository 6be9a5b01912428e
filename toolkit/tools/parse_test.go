package tools_test

import (
	"net/netip"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/toolkit/tools"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.go", "a.go", true},
		{"*.go", "deep/down/a.go", true}, // without a slash: the name alone
		{"./*.go", "a.go", true},
		{"cmd/*.go", "cmd/a.go", true},
		{"cmd/*.go", "cmd/x/a.go", false},
		{"**/*.go", "a.go", true},
		{"**/*.go", "x/y/a.go", true},
		{"docs/**/a.md", "docs/a.md", true},
		{"docs/**/a.md", "docs/x/y/a.md", true},
		{"docs/**/a.md", "docs/x/b.md", false},
		{"docs/**", "docs/x/y", true},
		{"docs/**", "other/x", false},
		{"**/x/**/y", "a/x/b/c/y", true},
		{"**/x/**/y", "a/b/c/y", false},
		{"[ab].txt", "b.txt", true},
		{"?.txt", "ab.txt", false},
	} {
		got, err := tools.MatchGlob(tc.pattern, tc.name)
		require.NoError(t, err)
		require.Equal(t, tc.want, got, "%s on %s", tc.pattern, tc.name)
	}
	_, err := tools.MatchGlob("a/[", "x")
	require.ErrorIs(t, err, path.ErrBadPattern)
}

// Patterns that send a naive matcher round for ever end at once.
func FuzzGlob(f *testing.F) {
	f.Add("**/**/**/**/**/**/**/a", strings.Repeat("b/", 60)+"c")
	f.Add("*a*a*a*a*a*a*a*a*b", strings.Repeat("a", 200))
	f.Fuzz(func(t *testing.T, pattern, name string) {
		_, _ = tools.MatchGlob(pattern, name)
		if ok, err := tools.MatchGlob("**/*", name); err == nil && name != "" && !ok && !strings.Contains(name, "//") {
			t.Errorf("**/* does not match %q", name)
		}
	})
}

func TestTheCommandThatDecidesTheExitCode(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`grep -rn foo src`:     "grep",
		`  grep foo x`:         "grep",
		`LC_ALL=C grep foo x`:  "grep",
		`cat x | grep foo`:     "grep",
		`grep foo x | wc -l`:   "wc",
		`grep -E "a|b;c" x`:    "grep",
		`grep 'a(b)' x`:        "grep",
		`grep a\;b x`:          "grep",
		`grep "$HOME" x`:       "grep",
		`grep foo x || exit 1`: "",
		`cd src && grep foo`:   "",
		`grep foo; false`:      "",
		`(grep foo)`:           "",
		"grep `pwd` x":         "",
		`grep "$(pwd)" x`:      "",
		`grep foo > out`:       "",
		"grep foo\nfalse":      "",
		`grep "open`:           "",
		`sleep 1 & grep foo`:   "",
		``:                     "",
	} {
		require.Equal(t, want, tools.Deciding(line), "%s", line)
	}
}

func FuzzDeciding(f *testing.F) {
	f.Add(`cat "x" | grep 'y'`)
	f.Fuzz(func(t *testing.T, line string) {
		if got := tools.Deciding(line); strings.ContainsAny(got, " \t\n") {
			t.Errorf("%q is not one word", got)
		}
		for _, tail := range []string{"; true", " && true", " || true", "\ntrue"} {
			if got := tools.Deciding("x" + tail); got != "" {
				t.Errorf("%q decides a list", got)
			}
		}
	})
}

func TestKeptOutputIsTheBeginningAndTheEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(2, 50).Draw(rt, "limit")
		parts := rapid.SliceOf(rapid.StringMatching(`[a-z]{0,30}`)).Draw(rt, "parts")
		w := tools.NewKept(limit)
		for _, p := range parts {
			n, err := w.Write([]byte(p))
			require.NoError(rt, err)
			require.Equal(rt, len(p), n)
		}
		all := strings.Join(parts, "")
		text, omitted := w.Text()
		if len(all) <= limit {
			require.Equal(rt, all, text)
			require.Zero(rt, omitted)
			return
		}
		head, tail, found := strings.Cut(text, "\n[… ")
		require.True(rt, found)
		_, tail, _ = strings.Cut(tail, "left out …]\n")
		require.Equal(rt, all[:limit/2], head)
		require.Equal(rt, all[len(all)-(limit-limit/2):], tail)
		require.EqualValues(rt, len(all)-limit, omitted)
	})
}

func TestKeptOutputIsCutAtLines(t *testing.T) {
	t.Parallel()
	w := tools.NewKept(40)
	for range 100 {
		_, _ = w.Write([]byte("line 1234\n"))
	}
	text, omitted := w.Text()
	require.Equal(t, "line 1234\nline 1234\n[… 970 bytes left out …]\nline 1234\n", text)
	require.EqualValues(t, 970, omitted)
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for _, a := range []string{"8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1", "::ffff:0:808:808"} {
		require.True(t, tools.Public(netip.MustParseAddr(a)), a)
	}
	for _, a := range []string{
		"127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.100.100.200",
		"0.0.0.0", "0.1.2.3", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.192",
		"::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
		"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1",
		"64:ff9b:1::a9fe:a9fe", "2001::a9fe:a9fe", "2001:20::1", "::ffff:0:a9fe:a9fe", "192.88.99.1", "168.63.129.16",
		"100::1", "3fff::1", "5f00::1", "fec0::1", "4000::1",
	} {
		require.False(t, tools.Public(netip.MustParseAddr(a)), a)
	}
}
