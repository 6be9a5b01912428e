package arch_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	longFile = 400 // lines; look twice
	longDoc  = 80  // lines of a package comment
)

// long lists the files that were looked at twice, each with the reason why it
// stays one file.
var long = map[string]string{}

func TestNoFileGrowsUnnoticed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range sources(t) {
		if s.lines <= longFile {
			continue
		}
		seen[s.file] = true
		assert.NotEmpty(t, long[s.file], "%s has %d lines: split it by concept, or say in long why not", s.file, s.lines)
	}
	for file := range long {
		assert.True(t, seen[file], "%s is not long any more: take it out of long", file)
	}
}

func TestNoFolderIsADrawer(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for part := range strings.SplitSeq(s.dir, "/") {
			assert.False(t, slices.Contains([]string{"util", "utils", "common", "types", "helpers", "misc"}, part), s.file)
		}
	}
}

// Every package that users import teaches itself: a package comment of less
// than a page, and an example that runs.
func TestEveryPackageTeaches(t *testing.T) {
	t.Parallel()
	type page struct{ docs, examples int }
	pages := map[string]*page{}
	for _, s := range sources(t) {
		if s.dir == "." || top(s.dir) == "internal" || isAbove(s.dir) {
			continue
		}
		p := pages[s.dir]
		if p == nil {
			p = &page{}
			pages[s.dir] = p
		}
		if s.doc != nil && !s.test {
			p.docs++
			assert.True(t, strings.HasSuffix(s.file, "/doc.go"), "%s: the package comment belongs into doc.go", s.file)
			assert.Less(t, strings.Count(s.doc.Text(), "\n"), longDoc, s.file)
		}
		for _, decl := range s.decls {
			if f, ok := decl.(*ast.FuncDecl); ok && s.test && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
				p.examples++
			}
		}
	}
	for dir, p := range pages {
		assert.Equal(t, 1, p.docs, "%s has no package comment, or several", dir)
		if !strings.HasSuffix(dir, "test") { // a suite is called from a test, an Example has none
			assert.Positive(t, p.examples, "%s has no Example", dir)
		}
	}
}
