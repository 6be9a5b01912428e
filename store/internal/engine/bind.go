package engine

import (
	"strconv"
	"strings"
)

// Numbered writes the placeholders of a query, "?", as $1, $2 and so on. A query
// holds no other question mark: what it compares with is handed to it.
func Numbered(query string) string {
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n > 0 {
			b.WriteString("$" + strconv.Itoa(n))
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}
