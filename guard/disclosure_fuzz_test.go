package guard_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
)

func FuzzFinalReadsAnyDraft(f *testing.F) {
	for _, c := range invoicesFailed {
		f.Add(c.draft)
	}
	f.Add("a:\n- b\n1. c\n\xff\xfe'’t n't can't ’")
	f.Fuzz(func(t *testing.T, draft string) {
		silent := guard.OnStep(guard.StepClaims, guard.PolicyOff) // whose refusal has a target of its own
		s := begin(t, guard.New(guard.Named("get_invoices", draft+"x"), silent), read("get_invoices"), read("get_shipping"))
		s.call("get_shipping", "a")
		s.call("get_invoices", "a", failed(fault.ReasonAuth))
		v := s.final(draft)
		require.Contains(t, []guard.Decision{guard.Answer, guard.Disclose}, v.Decision)
		require.True(t, strings.HasPrefix(v.Text, strings.TrimRightFunc(draft, unicode.IsSpace)))
		require.Equal(t, v.Decision == guard.Answer, v.Text == draft)
		require.LessOrEqual(t, len(v.Text), len(draft)+3000)
	})
}
