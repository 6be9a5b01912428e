package guard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// Drafts that a model writes when it has lost its way must not cost more than
// their length: twice the draft, about twice the time.
func TestReadingIsLinearInTheDraft(t *testing.T) {
	const size = 1 << 18
	for name, piece := range map[string]string{
		"failed":      "failed ",
		"no cue":      "The order was shipped to Hanoi on time and is paid. ",
		"json":        `{"id":1,"status":"failed","error":"timeout"},`,
		"lines":       "- order 1: not available\n",
		"and":         "orders, was ",
		"one clause":  "the request returned an error and the service was not available or it timed out and ",
		"negated":     "no not never failed ",
		"open tags":   "<",
		"hidden":      "<think>",
		"quotes":      `"`,
		"parentheses": "(",
		"cells":       "| a ",
		"questions":   "what? ",
		"headings":    "a:\n- b\n",
		"one word":    "a",
		"bygone":      "previously the lookup failed; it works. ",
		"vietnamese":  "không lấy được hóa đơn và ",
	} {
		s := begin(t, guard.New(), read("get_invoices"), read("get_orders"))
		s.call("get_orders", "a")
		s.call("get_invoices", "a", failed(fault.ReasonAuth))
		draft := strings.Repeat(piece, size/len(piece))
		start := time.Now()
		s.final(draft)
		took := time.Since(start)
		t.Log(name, took.Round(time.Millisecond))
		require.Less(t, took, 8*time.Second, name) // far above what it takes under the race detector, far below what a square would
	}
}

// A thousand calls about a thousand customers and a draft that lists them all.
func TestReadingManyKeptValuesIsQuick(t *testing.T) {
	tool := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read, Identity: []string{"customer"}}
	s := begin(t, guard.New(), tool)
	var draft strings.Builder
	for i := range 1000 {
		name := fmt.Sprintf("Customer Number %d", i)
		end, line := result("100"), "| %s | 100 USD |\n"
		if i%5 == 0 {
			end, line = failed(fault.ReasonAuth), "| %s | not available |\n"
		}
		s.call("get_invoices", name, end, s.about(map[string]string{"customer": name}))
		fmt.Fprintf(&draft, line, name)
	}
	start := time.Now()
	v := s.final(draft.String())
	t.Log(time.Since(start).Round(time.Millisecond))
	require.Equal(t, guard.Answer, v.Decision)
	require.Less(t, time.Since(start), 8*time.Second)
}
