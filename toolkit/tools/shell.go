package tools

import (
	"path/filepath"
	"slices"
	"strings"
)

// noMatch are the commands whose exit code 1 is an answer ("nothing found",
// "they differ") by their manuals; 2 and more is an error for all of them.
var noMatch = map[string][]int{
	"grep": {1}, "egrep": {1}, "fgrep": {1}, "zgrep": {1}, "rg": {1}, "ag": {1},
	"diff": {1}, "cmp": {1}, "pgrep": {1}, "pidof": {1},
}

// answers reports whether this exit code of this command is an answer.
func answers(declared map[string][]int, command string, code int) bool {
	name := strings.TrimSuffix(filepath.Base(command), ".exe")
	if codes, ok := declared[name]; ok {
		return slices.Contains(codes, code)
	}
	return slices.Contains(noMatch[name], code)
}

// deciding returns the command whose exit code a shell line ends with, "" where
// reading the line cannot tell: only a single command or a pipeline of them,
// without lists, groups, substitutions or redirections outside quotes.
func deciding(line string) string {
	var quote rune
	var last strings.Builder
	escaped := false
	for i, r := range line {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case r == '`' && quote != '\'', r == '$' && quote != '\'' && strings.HasPrefix(line[i:], "$("):
			return ""
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == '|':
			if strings.HasPrefix(line[i:], "||") {
				return ""
			}
			last.Reset()
			continue
		case strings.ContainsRune(";&(){}<>\n", r):
			return ""
		}
		last.WriteRune(r)
	}
	if quote != 0 || escaped {
		return ""
	}
	for _, word := range strings.Fields(last.String()) {
		if name, _, ok := strings.Cut(word, "="); ok && !strings.ContainsAny(name, `'"/`) {
			continue // VAR=value before the command
		}
		return word
	}
	return ""
}
