package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A test that sleeps in real time is slow on a good day and red on a bad one. So
// what a test sleeps, itself or in a function that it uses, lies in a bubble of
// testing/synctest.
func TestTestsSleepOnlyInABubble(t *testing.T) {
	t.Parallel()
	folders := map[string][]ast.Decl{}
	for _, s := range sources(t) {
		if s.test || strings.HasSuffix(s.dir, "test") {
			folders[s.dir] = append(folders[s.dir], s.decls...)
		}
	}
	for dir, decls := range folders {
		for _, name := range awake(decls) {
			assert.Fail(t, "a test sleeps in real time", "%s in %s", name, dir)
		}
	}
}

// awake lists the tests, benchmarks, fuzz targets and examples of a folder that
// sleep without a bubble, or use something that does.
func awake(decls []ast.Decl) (names []string) {
	bodies := map[string][]ast.Node{} // by name, that of a method with a dot before it, whatever it is of
	for _, decl := range decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = "." + name
			}
			if d.Body != nil {
				bodies[name] = append(bodies[name], d.Body)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					for _, n := range v.Names {
						bodies[n.Name] = append(bodies[n.Name], v)
					}
				}
			}
		}
	}
	bubbles := map[string]bool{} // what runs a function that it is given in a bubble
	for name, all := range bodies {
		for _, body := range all {
			ast.Inspect(body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				bubbles[name] = bubbles[name] || ok && isCall(call, "synctest", "Test")
				return true
			})
		}
	}
	sleeps, uses := map[string]bool{}, map[string]map[string]bool{}
	for name, all := range bodies {
		uses[name] = map[string]bool{}
		for _, body := range all {
			// A function that a test with a bubble only writes down, in a table,
			// is taken to be called in it.
			look(body, bubbles, bubbles[name], func() { sleeps[name] = true }, uses[name])
		}
	}
	for changed := true; changed; {
		changed = false
		for name, used := range uses {
			for other := range used {
				if sleeps[other] && !sleeps[name] {
					sleeps[name], changed = true, true
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sleeps)) {
		for _, kind := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
			if strings.HasPrefix(name, kind) {
				names = append(names, name)
			}
		}
	}
	return names
}

// look finds what a body does outside of bubbles: it sleeps, or uses a name.
func look(body ast.Node, bubbles map[string]bool, table bool, sleeps func(), uses map[string]bool) {
	members := map[string]bool{}
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return !table
		case *ast.CallExpr:
			if isCall(n, "time", "Sleep") {
				sleeps()
			}
			called, plain := n.Fun.(*ast.Ident)
			return !isCall(n, "synctest", "Test") && !(plain && bubbles[called.Name])
		case *ast.SelectorExpr:
			if name := "." + n.Sel.Name; !members[name] {
				uses[name] = true
			}
			ast.Inspect(n.X, visit)
			return false
		case *ast.StructType: // of a table: its members are no methods
			for _, f := range n.Fields.List {
				for _, member := range f.Names {
					members["."+member.Name] = true
				}
			}
			return false
		case *ast.Ident:
			uses[n.Name] = true
		}
		return true
	}
	ast.Inspect(body, visit)
}

func isCall(call *ast.CallExpr, pkg, name string) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

func TestASleepOutsideABubbleIsFound(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"package p",
		"func TestBare(t *testing.T) { time.Sleep(1) }",
		"func TestBoth(t *testing.T) { synctest.Test(t, func(*testing.T) { time.Sleep(1) }); time.Sleep(1) }",
		"func TestIn(t *testing.T) { synctest.Test(t, func(*testing.T) { time.Sleep(1); nap() }) }",
		"func nap() { time.Sleep(1) }",
		"func longNap() { nap() }",
		"func TestThrough(t *testing.T) { longNap() }",
		"func TestMethod(t *testing.T) { new(bed).lie() }",
		"func (bed) lie() { time.Sleep(1) }",
		"func bubble(t *testing.T, f func()) { synctest.Test(t, func(*testing.T) { f() }) }",
		"func TestByWayOf(t *testing.T) { bubble(t, func() { nap() }) }",
		"func TestGo(t *testing.T) { go func() { time.Sleep(1) }() }",
	}, "\n")
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"TestBare", "TestBoth", "TestGo", "TestMethod", "TestThrough"}, awake(file.Decls))
}
