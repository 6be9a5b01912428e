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
// their length: eight times the draft about eight times the time, where a
// square would be sixty-four. Only growth is measured, and the best of a few
// tries, since a busy machine is slow at both lengths.
func TestReadingIsLinearInTheDraft(t *testing.T) {
	const size = 8 << 10
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
		"open quotes": "“",
		"apostrophes": " '",
		"parentheses": "(",
		"cells":       "| a ",
		"questions":   "what? ",
		"headings":    "a:\n- b\n",
		"one word":    "a",
		"bygone":      "previously the lookup failed; it works. ",
		"claims":      "I have sent the email and cancelled your order. ",
		"done words":  "sent booked paid deleted ",
		"đã":          "đã gửi đã hủy ",
		"vietnamese":  "không lấy được hóa đơn và ",
	} {
		s := invoicesDown(t)
		short := strings.Repeat(piece, size/len(piece))
		long := strings.Repeat(piece, 8*size/len(piece))
		grows := func() float64 { return float64(fastest(s, long)) / float64(fastest(s, short)) }
		growth := grows()
		for range 3 {
			if growth > 30 {
				growth = min(growth, grows())
			}
		}
		require.Less(t, growth, 30.0, name)
	}
}

func fastest(s *scenario, draft string) time.Duration {
	best := time.Hour
	for range 3 {
		start := time.Now()
		s.final(draft)
		best = min(best, time.Since(start))
	}
	return best
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
	require.Equal(t, guard.Answer, s.final(draft.String()).Decision)
	require.Less(t, time.Since(start), 20*time.Second, "a few milliseconds on an idle machine")
}

// What was looked up is read once, whatever the draft tells of it: a draft of a
// thousand failures over eight times the evidence must not cost eight times as
// much.
func TestReadingIsNotTheDraftTimesTheEvidence(t *testing.T) {
	for name, piece := range map[string]string{
		"failures": "The tool timed out, error 503. ",
		"attempts": "I tried the search nine times. ",
	} {
		draft := strings.Repeat(piece, 20<<10/len(piece))
		cost := func(evidence int) time.Duration {
			s := begin(t, guard.New(), read("search"))
			page := strings.Repeat("Opening hours are from nine to five on all days of the week. ", 1<<10)
			for n := 0; n < evidence; n += len(page) {
				s.run.FinishWith(runrecord.Call{Tool: s.run.Tool("search"), Kind: fault.KindOK, Attempts: 1, ResultHash: uint64(n)}, runrecord.Payload{Result: page})
			}
			s.final(draft) // the evidence is indexed
			return fastest(s, draft)
		}
		growth := 100.0
		for range 3 {
			if growth > 3 {
				growth = min(growth, float64(cost(4<<20-64<<10))/float64(cost(256<<10)))
			}
		}
		require.Less(t, growth, 3.0, name)
	}
}

func TestFindingsOfOneKindAreBounded(t *testing.T) {
	s := begin(t, guard.New(), read("search"))
	s.call("search", "1")
	v := s.final(strings.Repeat("The tool timed out, error 503. ", 600))
	require.Len(t, v.Findings, 21+1, "%v", v.Findings)
	require.Contains(t, fmt.Sprint(v.Findings), "and 580 more findings of this kind")

	for i := range 200 {
		s.call("search", fmt.Sprint(i), failed(fault.ReasonAuth))
	}
	v = s.final("All is well.")
	require.Equal(t, guard.Disclose, v.Decision)
	require.Len(t, v.Unrecovered, 200, "each is still told by its number")
	require.Contains(t, fmt.Sprint(v.Findings), "and 136 more findings of this kind")
}
