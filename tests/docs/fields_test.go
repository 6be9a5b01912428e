package docs_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/toolkit"
)

// The page promises every field of a tool.
func TestThePageOnToolsHasEveryField(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(strings.Join(named(t, "docs/tools.md").lines, "\n"), "\n## Every field\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	for _, f := range reflect.VisibleFields(reflect.TypeFor[toolkit.Tool[string, string]]()) {
		row := "\n| `" + f.Name + "`"
		require.True(t, strings.Contains(section, row) || strings.Contains(section, ", `"+f.Name+"` |"), f.Name)
	}
}
