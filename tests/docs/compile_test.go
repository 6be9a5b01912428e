package docs_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// world is what the pages take for granted: the reader's own code.
const world = "testdata/world.go"

func TestEveryBlockOfThePagesCompiles(t *testing.T) {
	t.Parallel()
	check := newChecker(t)
	count := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks() {
			count++
			for _, err := range check(b) {
				assert.Fail(t, "does not compile", "%s", err)
			}
		}
	}
	require.Positive(t, count)
}

// What keeps the test above from passing whatever the pages say.
func TestABlockThatDoesNotCompileIsNamedByItsLine(t *testing.T) {
	t.Parallel()
	check := newChecker(t)
	p := &page{name: "docs/wrong.md"}
	for code, want := range map[string]string{
		"kit := toolkit.New(toolkit.Config{Loger: logger})\n": "docs/wrong.md:7: unknown field Loger",
		"kit.Nothing(ctx)\n":             "kit.Nothing undefined",
		"x := 1\nreturn x\n":             "cannot use x",
		"func F() { guard.Nothing() }\n": "undefined: guard.Nothing",
		"toolkit.Wrap(kit, toolkit.Tool[string, int]{\n\tName: 3,}": "docs/wrong.md:8",
		"if {\n": "docs/wrong.md:7",
	} {
		problems := check(block{page: p, line: 7, code: code})
		require.NotEmpty(t, problems, code)
		require.Contains(t, fmt.Sprint(problems), want, code)
	}
	require.Empty(t, check(block{page: p, line: 7, code: "unused := toolkit.New(toolkit.Config{})\n"}))
}

// newChecker returns a function that type-checks a block as a file beside world,
// against the compiled library. A variable that nothing uses is no error: a block
// is a part of something.
func newChecker(t *testing.T) func(block) []error {
	t.Helper()
	fset := token.NewFileSet()
	text, err := os.ReadFile(world)
	require.NoError(t, err)
	around, err := parser.ParseFile(fset, world, text, 0)
	require.NoError(t, err)
	compiled := importer.ForCompiler(fset, "gc", exports(t))
	return func(b block) (problems []error) {
		file, err := parser.ParseFile(fset, "", b.source("world"), 0)
		if err != nil {
			return []error{err}
		}
		cfg := types.Config{Importer: compiled, Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && !e.Soft {
				problems = append(problems, fmt.Errorf("%s: %s", fset.Position(e.Pos), e.Msg))
			}
		}}
		_, _ = cfg.Check("world", fset, []*ast.File{around, file}, nil) // errors are collected above
		return problems
	}
}

// exports finds the compiled form of every package that a block or world uses.
func exports(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, slices.Sorted(maps.Values(packages))...)
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no compiled form of %s", path)
		}
		return os.Open(files[path])
	}
}
