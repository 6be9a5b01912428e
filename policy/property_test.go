package policy_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/policy"
)

// scraps are values that some setting takes and most refuse.
var scraps = []string{
	"1", "0", "-1", "2.0", "1.5", "0.3", "1e3", "3000000000", ".inf", ".nan", "0x1F", "1_000", "300", "true", "false", "null", "~", "''", "' '", "x", "'x y'", "'*'", "x*", "yes", "off",
	"10s", "1m30s", "0s", "1d", "-1s", "10/s", "0.5/m", "/s", "read", "write", "refuse", "default", "report", "enforce", "full", "redacted", "en", "vi", "standard", "gentle",
	"2026-01-02", "12:30", "'status == \"error\"'", "status", "'items[]'", "a..b", "application/json", "text/", "!!str 5", "!x 5", "!!binary aGk=", "!!int '7'",
	"[]", "{}", "[x]", "[x, y]", "[1]", "[0]", "[[x]]", "{x: [1]}", "{x: []}", "{x: [a, 2], y: [b]}", "[{}]", "{tool: x}", "{x: {}}",
}

// file draws a file that mostly has the right keys with mostly the wrong values.
func file(t *rapid.T, shape map[string][]string, path string) string {
	var parts []string
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(shape[path]), 0, min(4, len(shape[path])), rapid.ID).Draw(t, "keys of "+path) {
		below := strings.TrimPrefix(path+"."+key, ".")
		value := rapid.SampledFrom(scraps)
		kind := rapid.IntRange(0, 9).Draw(t, "how")
		switch {
		case kind == 0:
			parts = append(parts, key+": "+value.Draw(t, below))
		case shape[below] != nil:
			parts = append(parts, key+": "+file(t, shape, below))
		case shape[below+".*"] != nil:
			parts = append(parts, key+": {n: "+file(t, shape, below+".*")+"}")
		case shape[below+"[]"] != nil:
			parts = append(parts, key+": ["+file(t, shape, below+"[]")+", "+value.Draw(t, below)+"]")
		default:
			parts = append(parts, key+": "+value.Draw(t, below))
		}
	}
	if rapid.IntRange(0, 30).Draw(t, "odd") == 0 {
		parts = append(parts, rapid.SampledFrom([]string{"other: 1", "'': 1", "<<: {}", "7: x"}).Draw(t, "odd key"))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// beyond are the errors about what a schema cannot know.
var beyond = []string{"is not under upstreams", "condition ", "is not a path", "is not a media type", "want more than 0", "is there twice", "a tag of its own"}

// What the library takes the editor takes, and what it refuses for its form the
// editor refuses.
func TestTheEditorAndTheLibraryAgree(t *testing.T) {
	t.Parallel()
	schema, shape := editor(t), policy.Shape()
	taken, refused := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		text := file(r, shape, "")
		_, err := policy.Parse("f", []byte(text))
		seen := schema.Validate(plain(t, []byte(text)))
		if err == nil {
			taken++
			require.NoError(r, seen, text)
			return
		}
		for line := range strings.Lines(err.Error()) {
			if !slices.ContainsFunc(beyond, func(s string) bool { return strings.Contains(line, s) }) {
				refused++
				require.Error(r, seen, "%s\n%s", text, err)
				return
			}
		}
	})
	require.Positive(t, taken)
	require.Positive(t, refused)
}

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/failloud.yaml")
	require.NoError(f, err)
	f.Add(data)
	for _, c := range wrong {
		f.Add([]byte(c.file))
	}
	for i, s := range scraps {
		f.Add(fmt.Appendf(nil, "tools: {x: {timeout: %s, claims: %s}}\nguard: {known: [%s], require: [%s]}", s, scraps[len(scraps)-1-i], s, s))
	}
	schema := editor(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := policy.Parse("f", data)
		if err != nil {
			require.Nil(t, p)
			require.ErrorIs(t, err, policy.ErrInvalid)
			require.True(t, strings.HasPrefix(err.Error(), "f:"), err)
			require.Less(t, len(err.Error()), 32<<10)
			return
		}
		require.NoError(t, schema.Validate(plain(t, data)))
		for _, name := range p.Tasks() {
			require.NotNil(t, p.Task(name, "").Judge)
		}
		for _, name := range p.Tools() {
			_, named := p.Tool(name)
			require.True(t, named)
		}
	})
}
