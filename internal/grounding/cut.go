package grounding

import "strings"

// visiblyCut is whether a text says of itself that a part of it is missing:
// "…[cut 3000 chars]…", "[output truncated]", "(truncated, 12 more lines)".
func visiblyCut(text string) bool {
	if strings.Contains(text, "[cut ") {
		return true
	}
	for _, word := range [...]string{"runcated", "RUNCATED"} {
		for rest := text; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			before := rest[max(0, i-24):i]
			after := rest[i+len(word):]
			if j := strings.LastIndexAny(before, "[(<…"); j >= 0 && !strings.ContainsAny(before[j:], "])>\n") {
				return true
			}
			if strings.HasSuffix(strings.TrimRight(before, " "), "..") {
				return true
			}
			if flag := strings.TrimLeft(after, "\\\" :"); flag != after && strings.HasPrefix(flag, "true") {
				return true
			}
			rest = after
		}
	}
	return false
}
