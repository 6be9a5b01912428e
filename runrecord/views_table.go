package runrecord

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/failloud/failloud/internal/redact"
)

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// of shows a count with its share, and the count alone where there is no whole.
func of(n, whole int) string {
	if whole == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*share(n, whole))
}

// table aligns cells. Names in them come from records that others may have
// written, so they are bounded and cannot move the cursor.
func table(rows ...[]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = redact.Escape(cell, 80)
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	return b.String()
}
