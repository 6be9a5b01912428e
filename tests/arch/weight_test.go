package arch_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a program that imports one package gets linked. A new line here is a
// decision: it is in everybody's binary and in everybody's security scan.
func TestWhatAUserGetsLinked(t *testing.T) {
	t.Parallel()
	guard := []string{
		"github.com/google/uuid", // run ids
		"go.uber.org/multierr",   // of zap
		"go.uber.org/zap",        // the log lines of a run
		"golang.org/x/text",      // unicode/norm: letters with accents in one form, whatever the draft used
	}
	toolkit := append([]string{
		"github.com/go-json-experiment/json",       // canonical arguments
		"github.com/google/jsonschema-go",          // schemas derived from Go types
		"github.com/hashicorp/go-cleanhttp",        // of go-retryablehttp
		"github.com/hashicorp/go-retryablehttp",    // Transport
		"github.com/santhosh-tekuri/jsonschema/v6", // arguments checked against schemas of every draft
		"github.com/sony/gobreaker/v2",             // breakers
		"golang.org/x/time",                        // rate limits
	}, guard...)
	policy := append([]string{
		"go.yaml.in/yaml/v4", // the policy file, with the line and column of what is wrong in it
	}, toolkit...)
	for name, want := range map[string][]string{"./fault": {}, "./guard": guard, "./toolkit": toolkit, "./policy": policy} {
		t.Run(strings.TrimPrefix(name, "./"), func(t *testing.T) {
			t.Parallel()
			slices.Sort(want)
			require.Equal(t, want, linked(t, name))
		})
	}
}

// The parts of golang.org/x/text that the guard links: the normal forms, and none
// of its tables of languages and currencies.
func TestWhatTheGuardTakesOfText(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"golang.org/x/text/transform",    // of unicode/norm
		"golang.org/x/text/unicode/norm", // composed and decomposed letters are one
	}, list(t, "{{with .Module}}{{if eq .Path \"golang.org/x/text\"}}{{$.ImportPath}}{{end}}{{end}}", "./guard"))
}

// Some modules were let in for one package. Here they stay.
func TestAModuleStaysWhereItWasDecided(t *testing.T) {
	t.Parallel()
	for prefix, home := range map[string]string{
		"go.yaml.in/":                "policy", // docs/decisions/004
		"github.com/alecthomas/kong": "cmd",    // docs/decisions/001
	} {
		found := false
		for _, s := range sources(t) {
			for _, imported := range s.imports {
				if strings.HasPrefix(imported, prefix) {
					found = true
					assert.Equal(t, home, top(s.dir), "%s imports %s", s.file, imported)
				}
			}
		}
		assert.True(t, found, "nothing imports %s any more: take it out", prefix)
	}
}

// What an answer is compared with is rules: no model, no network and no process
// can come into them. See docs/decisions/007.
func TestGroundingIsRulesAlone(t *testing.T) {
	t.Parallel()
	for _, pkg := range []string{"./internal/atom", "./internal/grounding"} {
		for _, path := range list(t, "{{.ImportPath}}", pkg) {
			assert.NotContains(t, []string{"net", "net/http", "os/exec", "plugin"}, path, pkg)
		}
	}
}

// linked lists the third-party modules that a package and all it imports need.
func linked(t *testing.T, pkg string) []string {
	t.Helper()
	return slices.DeleteFunc(list(t, "{{with .Module}}{{.Path}}{{end}}", pkg), func(path string) bool { return path == module })
}

// list is what format gives of a package and all it imports, sorted.
func list(t *testing.T, format, pkg string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", format, pkg)
	cmd.Dir = repository(t)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		require.NoError(t, err, string(exit.Stderr))
	}
	require.NoError(t, err)
	lines := strings.Fields(string(out))
	slices.Sort(lines)
	return slices.Compact(lines)
}
