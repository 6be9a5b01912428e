package tools_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/toolkit/tools"
)

func TestListDirectory(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{MaxEntries: 5})
	put(t, filepath.Join(root, "b.txt"), "12345")
	put(t, filepath.Join(root, "a", "deep", "x.txt"), "1")
	put(t, filepath.Join(root, ".git", "config"), "1")
	require.NoError(t, os.Symlink("b.txt", filepath.Join(root, "link")))
	require.NoError(t, os.Mkdir(filepath.Join(root, "a", "none"), 0o755))

	out, err := dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{})
	require.NoError(t, err)
	require.Equal(t, ".git/\na/\nb.txt  5 B\nlink  (link)", out.ModelText())

	out, err = dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Path: "a", Depth: 2})
	require.NoError(t, err)
	require.Equal(t, "deep/\ndeep/x.txt  1 B\nnone/", out.ModelText())

	out, err = dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Path: "a/none"})
	require.NoError(t, err, "an empty directory is an answer")
	require.Equal(t, "[the directory is empty]", out.ModelText())

	out, err = dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Depth: 3})
	require.ErrorContains(t, err, "truncated")
	require.Len(t, out.Entries, 5)
	require.Contains(t, out.ModelText(), "[cut after 5 entries")

	_, err = dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Path: "b.txt"})
	require.Equal(t, "not_a_directory", code(err))
	_, err = dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Path: "missing"})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Depth: 9})
	require.Equal(t, "bad_depth", code(err))
}

func TestSearchFiles(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{MaxMatches: 4, MaxFile: 1000, Skip: []string{"vendor"}})
	put(t, filepath.Join(root, "z.go"), "package z\r\n// TODO(a): first\r\n")
	put(t, filepath.Join(root, "a", "b.go"), "package b\n// todo: second\n// TODO third")
	put(t, filepath.Join(root, "a", "c.md"), "TODO in prose")
	put(t, filepath.Join(root, ".git", "hidden.go"), "TODO")
	put(t, filepath.Join(root, "vendor", "hidden.go"), "TODO")
	put(t, filepath.Join(root, "image.go"), "TODO\x00TODO")

	search := dir.SearchFiles()
	for _, tc := range []struct {
		name string
		in   tools.SearchFilesIn
		want string
	}{
		{"everywhere, by path and line", tools.SearchFilesIn{Pattern: "TODO"}, "a/b.go:3: // TODO third\na/c.md:1: TODO in prose\nz.go:2: // TODO(a): first"},
		{"regular expression", tools.SearchFilesIn{Pattern: `TODO\(\w\)`}, "z.go:2: // TODO(a): first"},
		{"plain text", tools.SearchFilesIn{Pattern: "TODO(a)", Literal: true}, "z.go:2: // TODO(a): first"},
		{"end of line", tools.SearchFilesIn{Pattern: `first$`}, "z.go:2: // TODO(a): first"},
		{"ignoring case, in a directory", tools.SearchFilesIn{Pattern: "todo|zzz", IgnoreCase: true, Path: "a", Glob: "*.go"}, "a/b.go:2: // todo: second\na/b.go:3: // TODO third"},
		{"one file", tools.SearchFilesIn{Pattern: "TODO", Path: "a/c.md"}, "a/c.md:1: TODO in prose"},
		{"by name alone", tools.SearchFilesIn{Glob: "a/**"}, "a/b.go\na/c.md"},
		{"no match is an answer", tools.SearchFilesIn{Pattern: "nowhere"}, "[no match in 3 files]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			out, err := search.Call(t.Context(), tc.in)
			require.NoError(t, err)
			require.Equal(t, tc.want, out.ModelText())
		})
	}
	for want, in := range map[string]tools.SearchFilesIn{
		"bad_pattern": {Pattern: "("}, "bad_glob": {Glob: "["}, "no_pattern": {Path: "a"},
	} {
		_, err := search.Call(t.Context(), in)
		require.Equal(t, want, code(err))
	}
	_, err := search.Call(t.Context(), tools.SearchFilesIn{Pattern: "x", Path: "missing"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestSearchFilesSaysWhatItLeftOut(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{MaxMatches: 3, MaxFile: 1000})
	put(t, filepath.Join(root, "many.txt"), strings.Repeat("hit\n", 10))
	out, err := dir.SearchFiles().Call(t.Context(), tools.SearchFilesIn{Pattern: "hit"})
	require.ErrorContains(t, err, "truncated")
	require.Len(t, out.Matches, 3)
	require.Contains(t, out.ModelText(), "[cut after 3 matches; there may be more]")

	put(t, filepath.Join(root, "large.txt"), strings.Repeat("needle\n", 1000))
	out, err = dir.SearchFiles().Call(t.Context(), tools.SearchFilesIn{Pattern: "needle"})
	require.ErrorContains(t, err, "truncated", "no match is not the whole truth")
	require.Contains(t, out.ModelText(), "[1 files were too large to search]")

	if os.Getuid() != 0 {
		locked := filepath.Join(root, "locked")
		require.NoError(t, os.Mkdir(locked, 0o000))
		out, err = dir.SearchFiles().Call(t.Context(), tools.SearchFilesIn{Pattern: "nowhere"})
		require.ErrorContains(t, err, "partial")
		require.Contains(t, out.ModelText(), "could not be read")
	}
}

func TestSearchFilesShowsTheLineAroundTheMatch(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "min.js"), strings.Repeat("é", 1000)+"needle"+strings.Repeat("ü", 1000))
	out, err := dir.SearchFiles().Call(t.Context(), tools.SearchFilesIn{Pattern: "needle"})
	require.NoError(t, err)
	text := out.Matches[0].Text
	require.Contains(t, text, "needle")
	require.LessOrEqual(t, len(text), 310)
	require.NotContains(t, text, "\uFFFD")
	require.True(t, strings.HasPrefix(text, "…é") && strings.HasSuffix(text, "ü…"), text)
}

// Out of time with nothing found, "no match" would be a lie.
func TestSearchFilesOutOfTimeIsAFailure(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "a.txt"), "x\n")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := dir.SearchFiles().Call(ctx, tools.SearchFilesIn{Pattern: "y"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestSearchFilesHandsItsDirectoryToTheFallback(t *testing.T) {
	t.Parallel()
	dir, _ := workspace(t, tools.DirConfig{})
	link := dir.SearchFiles().Fallback[0]
	require.Equal(t, "list_directory", link.Tool)
	args, err := link.Adapt(json.RawMessage(`{"pattern":"x","path":"src","literal":true}`))
	require.NoError(t, err)
	require.JSONEq(t, `{"path":"src","depth":3}`, string(args))
}
