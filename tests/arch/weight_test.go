package arch_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

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
		"golang.org/x/text",      // letters with accents in one form, whatever the draft used
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
	for name, want := range map[string][]string{"./fault": nil, "./guard": guard, "./toolkit": toolkit} {
		t.Run(strings.TrimPrefix(name, "./"), func(t *testing.T) {
			t.Parallel()
			slices.Sort(want)
			require.Equal(t, want, linked(t, name))
		})
	}
}

// linked lists the third-party modules that a package and all it imports need.
func linked(t *testing.T, pkg string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", pkg)
	cmd.Dir = repository(t)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		require.NoError(t, err, string(exit.Stderr))
	}
	require.NoError(t, err)
	var modules []string
	for path := range strings.FieldsSeq(string(out)) {
		if path != module {
			modules = append(modules, path)
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}
