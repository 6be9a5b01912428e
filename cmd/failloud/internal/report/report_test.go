package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/runrecord"
)

// reported audits the input and returns the report about it.
func reported(t testing.TB, input string, cfg report.WorstConfig) *report.Report {
	t.Helper()
	views, err := runrecord.NewViews(runrecord.ViewsConfig{})
	require.NoError(t, err)
	auditor, err := audit.New(audit.Config{Sink: views})
	require.NoError(t, err)
	r := &report.Report{Summary: &report.Summary{}, Worst: report.NewWorst(cfg), Views: views}
	_, err = auditor.Stream(t.Context(), strings.NewReader(input), transcript.Options{File: "runs.jsonl"}, func(row *audit.Row) error {
		r.Summary.Add(row)
		r.Worst.Add(row)
		return nil
	})
	require.NoError(t, err)
	return r
}

// The three ways to be wrong, and a clean run.
func dead(id string) string {
	return `{"id":"` + id + `","events":[{"type":"call","id":"1","tool":"get_rate","args":{}},{"type":"result","id":"1","content":"{\"error\":\"upstream timeout\"}","is_error":true}],"final":"The rate is fine."}` + "\n"
}

func figures(id string, n int) string {
	var draft strings.Builder
	for i := range n {
		fmt.Fprintf(&draft, "Order ZX-%d-%d costs EUR %d.37. ", 7000+i, 91+i, 4400+i)
	}
	return `{"id":"` + id + `","evidence":["nothing of the kind"],"prompt":"","answer":"` + draft.String() + `"}` + "\n"
}

func clean(id string) string {
	return `{"id":"` + id + `","evidence":["The rate is 12.5 %"],"prompt":"","answer":"The rate is 12.5 %."}` + "\n"
}

func ids(w *report.Worst) []string {
	var all []string
	for _, e := range w.Entries() {
		all = append(all, e.ID)
	}
	return all
}

func TestTheWorstRunsAreKeptWorstFirst(t *testing.T) {
	t.Parallel()
	input := figures("one", 1) + clean("fine") + dead("dead-1") + figures("three", 3) + dead("dead-2") + figures("two", 2)
	require.Equal(t, []string{"dead-1", "dead-2", "three", "two", "one"}, ids(reported(t, input, report.WorstConfig{}).Worst))
	bounded := reported(t, input, report.WorstConfig{Keep: 3}).Worst
	require.Equal(t, []string{"dead-1", "dead-2", "three"}, ids(bounded))
	require.Equal(t, 2, bounded.More())
}

func TestTheSummaryAddsUp(t *testing.T) {
	t.Parallel()
	sum := reported(t, dead("d")+figures("f", 2)+clean("c")+`{"id":"n","events":[{"type":"user","text":"hello"}]}`, report.WorstConfig{}).Summary
	require.Equal(t, 4, sum.Runs)
	require.Equal(t, 3, sum.Answers)
	total := 0
	for _, n := range sum.ByTopic {
		total += n
	}
	require.Equal(t, sum.Answers, total, "each answer is counted once")
	require.Equal(t, "4 runs, 3 answers: 1 stood on a dead tool, 0 hid a failed call, 0 claimed an action that never happened, 1 gave figures without a source, 1 was clean.", sum.Sentence())
	require.Equal(t, []string{"1 run gave no answer to judge."}, sum.Remarks())
	require.Equal(t, "No runs.", (&report.Summary{}).Sentence())
}

func TestATableFitsAnyTerminal(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very-long-name-", 20)
	wide := strings.Repeat("日本語", 60)
	r := reported(t, dead(long)+strings.ReplaceAll(dead("w"), "The rate is fine.", wide)+strings.ReplaceAll(dead("tool"), "get_rate", long), report.WorstConfig{})
	r.Input.Troubles = []report.Trouble{{What: long, Where: strings.Repeat("/folder", 30) + ":12", Count: 1}}
	var out bytes.Buffer
	require.NoError(t, r.Table(&out, report.Style{}))
	for line := range strings.Lines(out.String()) {
		n := 0
		for _, c := range strings.TrimSuffix(line, "\n") {
			n++
			if c > 0x2e80 {
				n++
			}
		}
		require.LessOrEqual(t, n, 80, line)
	}
	require.Contains(t, out.String(), ":12", "of a path the end tells")
	require.NotContains(t, out.String(), "\x1b")

	out.Reset()
	require.NoError(t, r.Table(&out, report.Style{Colour: true}))
	require.Contains(t, out.String(), "\x1b[31mrefuse")
}

// parsed reads a page back: its text, and the values of its attributes by name.
func parsed(t *testing.T, page []byte) (text string, attributes map[string][]string, elements map[string]int) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	attributes, elements = map[string][]string{}, map[string]int{}
	var all strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all.String(), attributes, elements
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			elements[e.Name.Local]++
			for _, a := range e.Attr {
				attributes[a.Name.Local] = append(attributes[a.Name.Local], a.Value)
			}
		case xml.CharData:
			all.Write(e)
		}
	}
}

func TestAPageEscapesEverything(t *testing.T) {
	t.Parallel()
	const bad = `</script><script>alert('x')</script><img src=x onerror=alert(1)>\" onfocus=\"alert(2)`
	inJSON := strings.ReplaceAll(bad, `/`, `\/`)
	input := strings.NewReplacer("get_rate", inJSON, "The rate is fine.", inJSON+" EUR 4,711.99", `"id":"d"`, `"id":"`+inJSON+`"`, "upstream timeout", inJSON).Replace(dead("d"))
	r := reported(t, input, report.WorstConfig{Whole: true})
	r.Input.Troubles = []report.Trouble{{What: bad, Where: bad, Count: 1}}
	var page bytes.Buffer
	require.NoError(t, r.HTML(&page))
	text, attributes, elements := parsed(t, page.Bytes())
	require.Contains(t, text, "alert('x')", "it is shown as text")
	require.Equal(t, 1, elements["script"], "and our own script is the only one")
	require.Equal(t, 1, elements["style"])
	for _, name := range []string{"img", "iframe", "link", "base", "object", "embed"} {
		require.Zero(t, elements[name], name)
	}
	for name, values := range attributes {
		require.False(t, strings.HasPrefix(name, "on"), "an event handler: %s", name)
		require.NotEqual(t, "src", name)
		require.NotEqual(t, "style", name, "the policy of the page would refuse it")
		if name == "href" {
			for _, v := range values {
				require.True(t, strings.HasPrefix(v, "#"), v)
			}
		}
	}
}

func TestAPageLoadsNothing(t *testing.T) {
	t.Parallel()
	var page bytes.Buffer
	require.NoError(t, reported(t, dead("d")+figures("f", 3), report.WorstConfig{Whole: true}).HTML(&page))
	for _, word := range []string{"http:", "https:", "url(", "@import", "fetch(", "XMLHttpRequest", "import("} {
		require.NotContains(t, page.String(), word)
	}
	_, attributes, _ := parsed(t, page.Bytes())
	policy := attributes["content"][0]
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, "script-src 'sha256-")
}

func TestEveryMarkLeadsToItsFinding(t *testing.T) {
	t.Parallel()
	var page bytes.Buffer
	require.NoError(t, reported(t, figures("f", 4), report.WorstConfig{Whole: true}).HTML(&page))
	_, attributes, elements := parsed(t, page.Bytes())
	require.GreaterOrEqual(t, elements["mark"], 4)
	require.Equal(t, elements["mark"], len(attributes["href"]))
	for _, to := range attributes["href"] {
		require.Contains(t, attributes["id"], strings.TrimPrefix(to, "#"))
	}
}

func TestAPageHoldsOnlyTheWorst(t *testing.T) {
	t.Parallel()
	var input strings.Builder
	for i := range 60 {
		input.WriteString(figures(fmt.Sprint("f", i), 30))
	}
	var page bytes.Buffer
	require.NoError(t, reported(t, input.String(), report.WorstConfig{Keep: 20, Whole: true}).HTML(&page))
	_, _, elements := parsed(t, page.Bytes())
	require.Equal(t, 20, elements["article"])
	require.Contains(t, page.String(), "The worst 20 of 60 answers to look at")
	require.Less(t, page.Len(), 500_000)
}

func TestOfALongAnswerThePlacesOfTheFindingsAreShown(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Nothing to see in these words. ", 1000)
	input := `{"id":"l","evidence":["-"],"prompt":"","answer":"` + filler + `It costs EUR 4,711.37. ` + filler + `"}`
	entries := reported(t, input, report.WorstConfig{Whole: true}).Worst.Entries()
	require.Len(t, entries, 1)
	size, marked, gaps := 0, "", 0
	for _, p := range entries[0].Draft {
		size += len(p.Text)
		if len(p.Notes) > 0 {
			marked += p.Text
		}
		if p.Gap {
			gaps++
		}
	}
	require.Equal(t, "EUR 4,711.37", marked)
	require.Less(t, size, 4000)
	require.Equal(t, 2, gaps)
}

func TestACredentialIsNotToldByWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	input := `{"id":"s","evidence":["-"],"prompt":"","answer":"Use password=Zq9f4Kx7TnB2 from 4 May."}`
	var page, table bytes.Buffer
	r := reported(t, input, report.WorstConfig{Whole: true})
	require.NoError(t, r.HTML(&page))
	require.NoError(t, r.Table(&table, report.Style{}))
	require.NotContains(t, page.String()+table.String(), "Zq9f4Kx7TnB2")
	require.Contains(t, page.String(), "[REDACTED]")
}
