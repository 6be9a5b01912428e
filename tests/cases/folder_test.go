package cases_test

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// read calls each for every line of a case file, or skips the test where there
// is no such file.
func read(t *testing.T, name string, each func(line []byte)) {
	t.Helper()
	file := filepath.Join(folder(t), name)
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no cases: %s does not exist; FAILLOUD_CASES names the folder to read", file)
	}
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if len(lines.Bytes()) > 0 {
			each(lines.Bytes())
		}
	}
	require.NoError(t, lines.Err())
}

func folder(t *testing.T) string {
	t.Helper()
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := cmp.Or(os.Getenv("FAILLOUD_CASES"), filepath.Join("..", "shared", "cases"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(repository, dir)
	}
	return dir
}

// count is how many of a set were right.
type count struct{ right, all int }

func (c *count) add(right bool) {
	c.all++
	if right {
		c.right++
	}
}

// share is the right part, 1 of nothing.
func (c *count) share() float64 {
	if c.all == 0 {
		return 1
	}
	return float64(c.right) / float64(c.all)
}

// figure prints one measured number for whoever collects them.
func figure(name string, c *count) {
	fmt.Printf("figure %s %d/%d=%.1f%%\n", name, c.right, c.all, 100*c.share())
}
