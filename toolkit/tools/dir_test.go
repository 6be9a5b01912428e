package tools_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit/tools"
)

// workspace is a directory with some files, and a secret beside it.
func workspace(t *testing.T, cfg tools.DirConfig) (dir *tools.Dir, root string) {
	t.Helper()
	base := t.TempDir()
	root = filepath.Join(base, "root")
	require.NoError(t, os.Mkdir(root, 0o755))
	put(t, filepath.Join(base, "secret.txt"), "do not read me")
	dir, err := tools.OpenDir(root, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dir.Close()) })
	return dir, root
}

func put(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
}

func get(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(b)
}

// code is what the tool says about its refusal, "" where err is none.
func code(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Code
	}
	return ""
}

func TestNoPathLeadsOutOfTheDirectory(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "a.txt"), "inside")
	outside := filepath.Join(filepath.Dir(root), "secret.txt")
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "absolute")))
	require.NoError(t, os.Symlink("../secret.txt", filepath.Join(root, "relative")))
	require.NoError(t, os.Symlink("..", filepath.Join(root, "up")))

	for _, path := range []string{"../secret.txt", "x/../../secret.txt", outside, "absolute", "relative", "up/secret.txt"} {
		_, err := dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: path})
		require.Equal(t, "outside_root", code(err), "read %s: %v", path, err)
		_, err = dir.WriteFile().Call(t.Context(), tools.WriteFileIn{Path: path, Content: "overwritten"})
		require.Equal(t, "outside_root", code(err), "write %s: %v", path, err)
		f, _ := fault.As(err)
		require.Equal(t, fault.RanNo, f.Ran)
	}
	for _, path := range []string{"..", "up", filepath.Dir(root)} {
		_, err := dir.ListDirectory().Call(t.Context(), tools.ListDirectoryIn{Path: path})
		require.Equal(t, "outside_root", code(err), "list %s: %v", path, err)
		_, err = dir.SearchFiles().Call(t.Context(), tools.SearchFilesIn{Path: path, Pattern: "read"})
		require.Equal(t, "outside_root", code(err), "search %s: %v", path, err)
	}
	require.Equal(t, "do not read me", get(t, outside))

	found, err := dir.SearchFiles().Call(t.Context(), tools.SearchFilesIn{Pattern: "."})
	require.NoError(t, err)
	require.Equal(t, []tools.Match{{Path: "a.txt", Line: 1, Text: "inside"}}, found.Matches, "links are not followed")
}

func TestAPathMayBeWrittenInFull(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "src", "a.txt"), "inside")
	for _, path := range []string{"src/a.txt", "./src/a.txt", "src/../src/a.txt", filepath.Join(root, "src", "a.txt")} {
		out, err := dir.ReadFile().Call(t.Context(), tools.ReadFileIn{Path: path})
		require.NoError(t, err, path)
		require.Equal(t, "inside", out.Text)
		require.Equal(t, "src/a.txt", out.Path)
	}
}

func TestOpenDirRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	_, err := tools.OpenDir(filepath.Join(t.TempDir(), "missing"), tools.DirConfig{})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = tools.OpenDir(t.TempDir(), tools.DirConfig{MaxRead: -1})
	require.ErrorContains(t, err, "negative")
}
