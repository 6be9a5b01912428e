package policy_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/policy"
)

// The page promises every key, and its files can be copied.
func TestThePageHasEveryKeyAndValidFiles(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../docs/policy.md")
	require.NoError(t, err)
	for path, keys := range policy.Shape() {
		for _, key := range keys {
			require.Contains(t, string(data), "\n| `"+key+"` | ", "%s.%s", path, key)
		}
	}
	files := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(data, -1)
	require.Len(t, files, 3)
	for _, file := range files {
		_, err := policy.Parse("docs/policy.md", file[1])
		require.NoError(t, err)
		require.NoError(t, editor(t).Validate(plain(t, file[1])))
	}
}
