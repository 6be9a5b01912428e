package arch_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/failloud/failloud"

// source is one Go file of the repository, nested modules included.
type source struct {
	file    string // slash-separated, relative to the repository
	dir     string // folder of the file: "." or "toolkit" or "cmd/failloud"
	test    bool
	lines   int
	imports []string
	doc     *ast.CommentGroup
	decls   []ast.Decl
	line    func(token.Pos) int // of a position in the file
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	return root
}

func sources(t *testing.T) []source {
	t.Helper()
	root := repository(t)
	var all []source
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != root && (strings.HasPrefix(base, ".") || base == "testdata" || base == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s := source{
			file:  filepath.ToSlash(relative),
			test:  strings.HasSuffix(name, "_test.go"),
			lines: bytes.Count(text, []byte("\n")),
			doc:   file.Doc,
			decls: file.Decls,
			line:  func(at token.Pos) int { return fset.Position(at).Line },
		}
		s.dir = path.Dir(s.file)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, imported)
		}
		all = append(all, s)
		return nil
	}))
	require.NotEmpty(t, all)
	return all
}
