package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever reads a package in an editor or on a page of documentation sees the
// sentence beside a name and nothing else. So every exported name has one: types,
// functions, methods, fields, methods of interfaces, variables and constants. It
// may stand behind the name on its line, above a whole group of constants or
// variables, or above fields that follow each other without a blank line. A field
// that a model fills in has the sentence that the model reads, in its tag. A field
// that is called what its type is called is documented there, the one method of an
// interface with the interface.
func TestEveryExportedNameHasASentence(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || top(s.dir) == "internal" || isAbove(s.dir) {
			continue
		}
		for _, name := range undocumented(s.decls, s.line) {
			assert.Fail(t, "exported and not documented", "%s: %s", s.file, name)
		}
	}
}

// undocumented lists the exported names of a file that have no comment.
func undocumented(decls []ast.Decl, line func(token.Pos) int) (names []string) {
	for _, decl := range decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if name, exported := method(d); exported && d.Doc == nil {
				names = append(names, name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
							names = append(names, n.Name)
						}
					}
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					if s.Doc == nil && s.Comment == nil && (d.Doc == nil || d.Lparen != token.NoPos) {
						names = append(names, s.Name.Name)
					}
					names = append(names, members(s.Name.Name, s.Type, line)...)
				}
			}
		}
	}
	return names
}

// members lists the exported fields and methods of a type that have no comment.
func members(of string, typ ast.Expr, line func(token.Pos) int) (names []string) {
	var list *ast.FieldList
	switch t := typ.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		if list = t.Methods; len(list.List) == 1 {
			return nil
		}
	default:
		return nil
	}
	spoken, last := false, 0 // whether a comment above speaks of the fields that follow it
	for _, f := range list.List {
		spoken = f.Doc != nil || spoken && line(f.Pos()) == last+1
		last = line(f.End())
		if spoken || f.Comment != nil || f.Tag != nil && strings.Contains(f.Tag.Value, `jsonschema:"`) {
			continue
		}
		for _, n := range f.Names { // none: embedded, documented where it is declared
			if n.IsExported() && n.Name != called(f.Type) {
				names = append(names, of+"."+n.Name)
			}
		}
	}
	return names
}

// called is the name of a type, without its package and whether it is a pointer.
func called(typ ast.Expr) string {
	switch t := typ.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.StarExpr:
		return called(t.X)
	}
	return ""
}

// method is the name of a function as a reader writes it, and whether it can be
// seen from outside: a method of a type that cannot is not.
func method(f *ast.FuncDecl) (name string, exported bool) {
	if f.Recv == nil {
		return f.Name.Name, f.Name.IsExported()
	}
	on := f.Recv.List[0].Type
	for {
		switch t := on.(type) {
		case *ast.StarExpr:
			on = t.X
		case *ast.IndexExpr:
			on = t.X
		case *ast.IndexListExpr:
			on = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name, t.IsExported() && f.Name.IsExported()
		default:
			return f.Name.Name, f.Name.IsExported()
		}
	}
}

func TestUndocumentedNamesAreFound(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"package p",
		"// T is one.", "type T struct {", "// A and B are two.", "A int", "B int", "", "C, c int", "D int // behind", "F *p.F", "E int `jsonschema:\"the e\"`", "}",
		"type U interface { M(); N() }", "// V is one.", "type V interface{ M() }",
		"func (t *T) M() {}", "func (t *T) m() {}", "func (t *hidden) M() {}",
		"type hidden struct{ X int }",
		"// G are some.", "const (", "G1 = 1", "G2 = 2", ")",
		"const (", "H1 = 1 // first", "H2 = 2", ")",
		"func F() {}",
	}, "\n")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	require.NoError(t, err)
	assert.Equal(t, []string{"T.C", "U", "U.M", "U.N", "T.M", "H2", "F"}, undocumented(file.Decls, func(at token.Pos) int { return fset.Position(at).Line }))
}
