package tools_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/toolkit/tools"
)

func TestReadFileShowsWhatItWasAskedFor(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "five.txt"), "one\ntwo\nthree\nfour\nfive\n")
	put(t, filepath.Join(root, "open.txt"), "one\ntwo")
	put(t, filepath.Join(root, "empty.txt"), "")
	put(t, filepath.Join(root, "latin1.txt"), "caf\xe9\n")

	for _, tc := range []struct {
		name     string
		in       tools.ReadFileIn
		text     string // Result.Text
		shown    string // String()
		from, to int
		lines    int
	}{
		{"whole file", tools.ReadFileIn{Path: "five.txt"}, "one\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nfive\n", 1, 5, 5},
		{"no newline at the end", tools.ReadFileIn{Path: "open.txt"}, "one\ntwo", "one\ntwo", 1, 2, 2},
		{"a range", tools.ReadFileIn{Path: "five.txt", StartLine: 2, EndLine: 3}, "two\nthree\n", "two\nthree\n[lines 2 to 3; the file goes on]", 2, 3, 0},
		{"to the end", tools.ReadFileIn{Path: "five.txt", StartLine: 4}, "four\nfive\n", "four\nfive\n[lines 4 to 5 of 5]", 4, 5, 5},
		{"beyond the end", tools.ReadFileIn{Path: "five.txt", StartLine: 4, EndLine: 99}, "four\nfive\n", "four\nfive\n[lines 4 to 5 of 5]", 4, 5, 5},
		{"the last line by number", tools.ReadFileIn{Path: "five.txt", StartLine: 5, EndLine: 5}, "five\n", "five\n[lines 5 to 5 of 5]", 5, 5, 5},
		{"empty", tools.ReadFileIn{Path: "empty.txt"}, "", "[the file is empty]", 0, 0, 0},
		{"another encoding", tools.ReadFileIn{Path: "latin1.txt"}, "caf\uFFFD\n", "caf\uFFFD\n[bytes that are not UTF-8 were replaced]", 1, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			out, err := dir.ReadFile().Call(t.Context(), tc.in)
			require.NoError(t, err)
			require.Equal(t, tc.text, out.Text)
			require.Equal(t, tc.shown, out.ModelText())
			require.Equal(t, [3]int{tc.from, tc.to, tc.lines}, [3]int{out.StartLine, out.EndLine, out.Lines})
		})
	}
}

func TestReadFileRefusals(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "a.txt"), "one\n")
	put(t, filepath.Join(root, "logo.png"), "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	for path, want := range map[string]string{
		"logo.png": "binary_file", ".": "is_a_directory", "a.txt/b": "not_a_directory", "a\x00b": "bad_path",
	} {
		_, err := dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: path})
		require.Equal(t, want, code(err), "%q: %v", path, err)
	}
	for _, in := range []tools.ReadFileIn{{StartLine: -1}, {EndLine: -1}, {StartLine: 3, EndLine: 2}} {
		in.Path = "a.txt"
		_, err := dir.ReadFile().Call(t.Context(), in)
		require.Equal(t, "bad_range", code(err))
	}
	_, err := dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: "a.txt", StartLine: 2})
	require.Equal(t, "past_end", code(err))
	_, err = dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: "missing.txt"})
	require.ErrorIs(t, err, fs.ErrNotExist)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = dir.ReadFile().Call(ended, tools.ReadFileIn{Path: "a.txt"})
	require.ErrorIs(t, err, context.Canceled)
}

// A cut is marked, and reading on from where the mark says gives the whole file.
func TestReadFileInPiecesGivesTheWholeFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(8, 64).Draw(rt, "limit")
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-zé€]{0,5}`), 1, 40).Draw(rt, "lines")
		content := strings.Join(lines, "\n")
		if content == "" {
			return
		}
		// Every line has room in one answer, so nothing but whole lines is cut off.
		for _, l := range lines {
			if len(l)+1 > limit {
				return
			}
		}
		dir, root := workspace(t, tools.DirConfig{MaxRead: limit})
		put(t, filepath.Join(root, "f"), content)
		var got strings.Builder
		for next := 1; ; {
			out, err := dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: "f", StartLine: next})
			require.LessOrEqual(rt, len(out.Text), limit)
			got.WriteString(out.Text)
			if !out.Cut {
				require.NoError(rt, err)
				break
			}
			require.ErrorContains(rt, err, "truncated")
			require.Contains(rt, out.ModelText(), fmt.Sprintf("start_line %d", out.EndLine+1))
			require.Greater(rt, out.EndLine, next-1, "every call gets on")
			next = out.EndLine + 1
		}
		require.Equal(rt, content, got.String())
	})
}

// One line of a megabyte costs neither the memory nor the answer of one.
func TestReadFileCutsALongLineInsideACharacter(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{MaxRead: 100_000})
	put(t, filepath.Join(root, "min.js"), strings.Repeat("é", 1<<19)+"\nnext\n")
	out, err := dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: "min.js"})
	require.ErrorContains(t, err, "truncated")
	require.True(t, out.Cut)
	require.Equal(t, 1, out.EndLine)
	require.LessOrEqual(t, len(out.Text), 100_000)
	require.Greater(t, len(out.Text), 90_000)
	require.True(t, utf8.ValidString(out.Text))
	require.NotContains(t, out.Text, "\uFFFD")

	out, err = dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: "min.js", StartLine: 2})
	require.NoError(t, err)
	require.Equal(t, "next\n", out.Text)
}
