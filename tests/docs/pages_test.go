package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the folder of the repository.
const root = "../.."

// page is a Markdown file.
type page struct {
	name  string // relative to the repository, with slashes
	lines []string
}

// block is a fenced block of Go.
type block struct {
	page *page
	line int // of its first line of code, from 1
	code string
}

// pages returns README.md and every page of docs.
func pages(t *testing.T) []*page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	decisions, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	require.NoError(t, err)
	names = append(append(names, decisions...), filepath.Join(root, "README.md"))
	var all []*page
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		relative, err := filepath.Rel(root, name)
		require.NoError(t, err)
		all = append(all, &page{name: filepath.ToSlash(relative), lines: strings.Split(string(text), "\n")})
	}
	return all
}

// blocks returns the Go blocks of a page.
func (p *page) blocks() []block {
	var found []block
	var code []string
	start, fence, isGo := 0, "", false
	for i, line := range p.lines {
		text := strings.TrimSpace(line)
		marks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence, isGo = marks, strings.TrimSpace(text[len(marks):]) == "go"
			start, code = i+2, nil
		case fence != "" && text == fence:
			if isGo {
				found = append(found, block{page: p, line: start, code: strings.Join(code, "\n") + "\n"})
			}
			fence = ""
		case fence != "":
			code = append(code, line)
		}
	}
	return found
}

func TestBlocksAreFound(t *testing.T) {
	t.Parallel()
	p := &page{name: "p.md", lines: strings.Split("a\n```go\nx := 1\n```\n```sh\nls\n```\n````go\ny := \"```\"\n````", "\n")}
	got := p.blocks()
	require.Len(t, got, 2)
	require.Equal(t, "x := 1\n", got[0].code)
	require.Equal(t, 3, got[0].line)
	require.Equal(t, "y := \"```\"\n", got[1].code)
}
