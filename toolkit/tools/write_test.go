package tools_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
	"github.com/failloud/failloud/toolkit/tools"
)

func TestWriteFileCreatesReplacesAndLeavesAlone(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	write := dir.WriteFile()
	name := filepath.Join(root, "notes", "deep", "a.txt")

	out, err := write.Call(t.Context(), tools.WriteFileIn{Path: "notes/deep/a.txt", Content: "one"})
	require.NoError(t, err)
	require.True(t, out.Created)
	require.Equal(t, "one", get(t, name))
	require.Equal(t, "created notes/deep/a.txt (3 B)", out.ModelText())

	require.NoError(t, os.Chmod(name, 0o666))
	out, err = write.Call(t.Context(), tools.WriteFileIn{Path: "notes/deep/a.txt", Content: "two!"})
	require.NoError(t, err)
	require.False(t, out.Created)
	require.Equal(t, "two!", get(t, name))
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o666), info.Mode().Perm(), "the permissions stay")

	out, err = write.Call(t.Context(), tools.WriteFileIn{Path: "notes/deep/a.txt", Content: "two!"})
	require.NoError(t, err)
	require.True(t, out.Unchanged)
	again, err := os.Stat(name)
	require.NoError(t, err)
	require.True(t, os.SameFile(info, again), "nothing was written")

	left, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	require.Len(t, left, 1, "no temporary file stays behind")
}

func TestWriteFileCreateDoesNotReplace(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "a.txt"), "mine")
	_, err := dir.WriteFile().Call(t.Context(), tools.WriteFileIn{Path: "a.txt", Content: "yours", Create: true})
	require.Equal(t, "exists", code(err))
	f, _ := fault.As(err)
	require.Equal(t, fault.ReasonConflict, f.Reason)
	require.Equal(t, "mine", get(t, filepath.Join(root, "a.txt")))
	out, err := dir.WriteFile().Call(t.Context(), tools.WriteFileIn{Path: "a.txt", Content: "mine", Create: true})
	require.NoError(t, err, "a repeated create finds its own work")
	require.True(t, out.Unchanged)
}

// Of many that create one file with different contents exactly one wins.
func TestWriteFileCreateHasOneWinner(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	write := dir.WriteFile()
	var wg sync.WaitGroup
	won := make(chan string, 32)
	for i := range 32 {
		wg.Go(func() {
			content := strings.Repeat("x", i+1)
			if _, err := write.Call(t.Context(), tools.WriteFileIn{Path: "one.txt", Content: content, Create: true}); err == nil {
				won <- content
			}
		})
	}
	wg.Wait()
	close(won)
	require.Len(t, won, 1)
	require.Equal(t, <-won, get(t, filepath.Join(root, "one.txt")))
}

func TestWriteFileWritesThroughALink(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	put(t, filepath.Join(root, "docs", "real.md"), "old")
	require.NoError(t, os.Symlink("docs/real.md", filepath.Join(root, "alias.md")))
	out, err := dir.WriteFile().Call(t.Context(), tools.WriteFileIn{Path: "alias.md", Content: "new"})
	require.NoError(t, err)
	require.Equal(t, "docs/real.md", out.Path)
	require.Equal(t, "new", get(t, filepath.Join(root, "docs", "real.md")))
	info, err := os.Lstat(filepath.Join(root, "alias.md"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink, "the link is still one")

	require.NoError(t, os.Symlink("loop", filepath.Join(root, "loop")))
	_, err = dir.WriteFile().Call(t.Context(), tools.WriteFileIn{Path: "loop", Content: "new"})
	require.Equal(t, "bad_path", code(err))
}

func TestWriteFileRefusals(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{MaxWrite: 10})
	put(t, filepath.Join(root, "file"), "x")
	for _, tc := range []struct {
		in   tools.WriteFileIn
		want string
	}{
		{tools.WriteFileIn{Path: ".", Content: "x"}, "is_a_directory"},
		{tools.WriteFileIn{Path: "file/below", Content: "x"}, "not_a_directory"},
		{tools.WriteFileIn{Path: "a", Content: "12345678901"}, "content_too_large"},
	} {
		_, err := dir.WriteFile().Call(t.Context(), tc.in)
		require.Equal(t, tc.want, code(err), "%+v: %v", tc.in, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := dir.WriteFile().Call(ended, tools.WriteFileIn{Path: "late", Content: "x"})
	require.ErrorIs(t, err, context.Canceled)
	require.NoFileExists(t, filepath.Join(root, "late"))
}

func TestWriteFileCheckComparesContent(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	write := dir.WriteFile()
	in := tools.WriteFileIn{Path: "a.txt", Content: "new"}

	found, err := write.Check(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, toolkit.NotDone, found.Happened, "no file")

	put(t, filepath.Join(root, "a.txt"), "old")
	found, err = write.Check(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, toolkit.NotDone, found.Happened, "same length, other content")

	put(t, filepath.Join(root, "a.txt"), "new")
	found, err = write.Check(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, toolkit.Done, found.Happened)
	require.Equal(t, 3, found.Result.Bytes)
}
