package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/policy"
)

func TestAliasesShareSettings(t *testing.T) {
	t.Parallel()
	p, err := policy.Parse("f", []byte(`
tasks:
  a: {require: [x], limits: &small {calls: 5}}
  b: {require: [y], limits: *small}
`))
	require.NoError(t, err)
	require.Equal(t, 5, p.Task("b", "").Limits.Calls)
}

// Each of these is small and would be huge, or without end, once its aliases
// are followed.
func TestAliasesCannotMakeAFileLarge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, says string }{
		"a list in itself":      {"guard: {require: &r [*r]}", `f:1:18: item 1 of require of guard: want the name of a tool or a map, got a list`},
		"the file in itself":    {"&f\ntools: *f", `f:2:1: unknown key "tools" in tool "tools", want`},
		"an anchor of an alias": {"tasks: &t {a: {limits: *t}}", `f:1:12: unknown key "a" in limits of task "a", want`},
		"a shared list of many": {
			"tasks:\n  a: {require: &r [" + strings.Repeat("x,", 2000) + "]}\n" + lines("  t%d: {require: *r}\n", 2000),
			"more than 131072 settings once aliases are followed",
		},
		"a shared map of unknown keys": {
			"tasks:\n  a: &a\n" + lines("    x%d: 1\n", 20000) + lines("  t%d: *a\n", 20000),
			"and 131", // thousand more
		},
		"laughter": {
			"guard:\n  known: &a [x,x,x,x,x,x,x,x,x,x]\n  require: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\ntools: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nlimits: [*c,*c,*c,*c,*c,*c,*c]",
			"item 1 of require of guard: want the name of a tool or a map, got a list",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := policy.Parse("f", []byte(c.file))
			require.ErrorIs(t, err, policy.ErrInvalid)
			require.Contains(t, err.Error(), c.says)
			require.Less(t, len(err.Error()), 4<<10)
		})
	}
}

func TestAFileThatIsTooLargeIsNotRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "failloud.yaml")
	require.NoError(t, os.WriteFile(path, []byte("# "+strings.Repeat("x", 1<<20)), 0o600))
	_, err := policy.Load(path)
	require.ErrorIs(t, err, policy.ErrInvalid)
	require.EqualError(t, err, path+":1:1: the file is larger than 1024 KiB")
}

func TestAFileThatIsNotThereIsNoInvalidPolicy(t *testing.T) {
	t.Parallel()
	_, err := policy.Load(filepath.Join(t.TempDir(), "failloud.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NotErrorIs(t, err, policy.ErrInvalid)
}

// What tasks are about may be personal: it stays out of errors and out of what
// errors quote.
func TestErrorsDoNotShowWhatTasksAreAbout(t *testing.T) {
	t.Parallel()
	_, err := policy.Parse("f", []byte("guard: {known: [[Jane Roe]], require: [{tool: x, for_each: {customer: [[Jane Roe]]}}]}"))
	require.ErrorIs(t, err, policy.ErrInvalid)
	require.NotContains(t, err.Error(), "Jane")
}

func TestLongNamesAreCutInErrors(t *testing.T) {
	t.Parallel()
	_, err := policy.Parse("f", []byte(strings.Repeat("x", 100_000)+": 1"))
	require.ErrorIs(t, err, policy.ErrInvalid)
	require.Less(t, len(err.Error()), 300)
}
