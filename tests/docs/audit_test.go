package docs_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a newcomer sees after the first command is what the page has promised.
func TestTheAuditPrintsWhatTheREADMEShows(t *testing.T) {
	t.Parallel()
	text := strings.Join(named(t, "README.md").lines, "\n")
	_, rest, found := strings.Cut(text, "\n```sh\ngo run ./cmd/failloud audit ")
	require.True(t, found)
	file, rest, _ := strings.Cut(rest, "\n```\n")
	shown, _, found := strings.Cut(strings.TrimPrefix(rest, "\n```text\n"), "```\n")
	require.True(t, found)
	require.GreaterOrEqual(t, strings.Count(shown, "\n"), 5)

	audit := failloud(t, "audit", file)
	require.True(t, strings.HasPrefix(audit, shown), "shown:\n%s\nprinted:\n%s", shown, audit)

	require.Contains(t, text, "`failloud explain flight-search FILE`")
	require.Contains(t, failloud(t, "explain", "flight-search", file), "none of 2 calls succeeded")
}

// failloud runs the command in the folder of the repository.
func failloud(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./cmd/failloud"}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}
