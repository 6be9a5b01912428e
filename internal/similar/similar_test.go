package similar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/similar"
)

func TestNames(t *testing.T) {
	tools := []string{"send_mail", "get_invoices", "get_invoice", "list_invoices", "get_order", "t", "h", "pay"}
	for _, tt := range []struct {
		name  string
		given string
		limit int
		want  []string
	}{
		{"a letter too few", "get_invoce", 5, []string{"get_invoice", "get_invoices", "list_invoices"}},
		{"another verb", "fetch_invoices", 2, []string{"get_invoices", "get_invoice"}},
		{"another way to write it", "GetInvoices", 1, []string{"get_invoices"}},
		{"a short name is not like every other", "tt", 5, []string{}},
		{"a short name with one letter wrong", "pax", 5, []string{"pay"}},
		{"nothing like it", "delete_everything", 5, []string{}},
		{"no name", "", 5, []string{}},
		{"as many as asked for", "get_invoice", 1, []string{"get_invoice"}},
		{"a name without end", "get_invoices" + strings.Repeat("x", 1<<20), 5, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, similar.Names(tt.given, slices.Values(tools), tt.limit))
		})
	}
}
