package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

const module = "github.com/failloud/failloud"

// packages are what a block may use without saying so, by the name in the code.
var packages = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "io": "io", "json": "encoding/json", "http": "net/http",
	"os": "os", "strings": "strings", "testing": "testing", "time": "time",
	"zap": "go.uber.org/zap", "require": "github.com/stretchr/testify/require",
	"escalation": module + "/escalation", "fault": module + "/fault", "faulttest": module + "/faulttest",
	"guard": module + "/guard", "idempotency": module + "/idempotency", "policy": module + "/policy", "runrecord": module + "/runrecord",
	"toolkit": module + "/toolkit", "tools": module + "/toolkit/tools", "webhook": module + "/escalation/webhook",
	"sqlite": module + "/store/sqlite", "postgres": module + "/store/postgres", "runs": module + "/store/runs",
}

// source is the block as a Go file of package pkg. A block of declarations gets
// imports; statements get a function around them besides, with the results that
// their first return has. Errors in it name the line of the page.
func (b block) source(pkg string) string {
	if strings.HasPrefix(b.code, "package ") {
		return b.code
	}
	at := fmt.Sprintf("//line %s:%d\n", b.page.name, b.line)
	if file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+b.code, 0); err == nil {
		return "package " + pkg + "\n" + imports(file) + at + b.code
	}
	body := func(results, end string) string {
		return "func snippet() " + results + " {\n" + at + b.code + end + "}\n"
	}
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+body("", ""), 0) // the checker reports the error
	text := body("", "")
	switch returned(file) {
	case 1:
		text = body("error", "return nil\n")
	case 2:
		text = body("(any, error)", "return nil, nil\n")
	}
	return "package " + pkg + "\n" + imports(file) + text
}

// imports declares the known packages that a file selects from.
func imports(file *ast.File) string {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && packages[x.Name] != "" {
				used[packages[x.Name]] = true
			}
		}
		return true
	})
	var text strings.Builder
	for _, path := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(&text, "import %q\n", path)
	}
	return text.String()
}

// returned is how many values the first return statement has that belongs to
// the function of the block itself.
func returned(file *ast.File) int {
	n, found := 0, false
	ast.Inspect(file, func(node ast.Node) bool {
		switch s := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if !found {
				n, found = len(s.Results), true
			}
		}
		return true
	})
	return n
}
