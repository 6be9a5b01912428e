package audit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// ran is a run of one command and what came back.
func ran(command, result string) string {
	return fmt.Sprintf(`{"id":"r","events":[{"type":"call","id":"a","tool":"Bash","args":{"command":%q}},
{"type":"result","id":"a","content":%q,"is_error":true}],"final":"There are none."}`, command, result)
}

func TestASearchThatFindsNothingIsNoFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command, result string
		failed          bool
	}{
		{"grep -rn TODO util", "Exit code 1", false},
		{"cd src && rg -n 'a|b; c' .", "Exit code 1\n", false},
		{"cat a.txt | grep -c x", "Exit code 1\n0", false},
		{"ls; LC_ALL=C /usr/bin/grep x y 2>&1", "Exit code: 1\n", false},
		{"diff a b", "Exit code 1\n1c1\n< a\n> b", false},
		{"git grep Foo", "Exit code 1", false},
		{"test -f go.mod", "Exit status 1", false},
		{"grep -rn TODO util", "Exit code 2\ngrep: util: No such file or directory", true},
		{"grep x y", "Exit code 1\nsomething else", true},
		{"make && grep x y", "Exit code 1", true},
		{"grep x y || make", "Exit code 1", true},
		{"grep x y | make", "Exit code 1", true},
		{"make test", "Exit code 1", true},
		{"diff a b", "Exit code 1\ndiff: a: Permission denied", true},
		{"go test ./... # | grep", "Exit code 1\nFAIL", true},
	} {
		row := one(t, ran(c.command, c.result))
		require.Equal(t, c.failed, len(row.Failed) == 1, "%s: %s: %v", c.command, c.result, row.Failed)
	}
}
