package transcript_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

func ExampleRead() {
	file := strings.NewReader(`
{"id":"a","messages":[{"role":"user","content":"Who owes us?"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_invoices","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"401 Unauthorized"},{"role":"assistant","content":"Nobody."}]}
{"id":"b","messages":[{"role":"user","con
{"id":"c","evidence":["total: 12"],"prompt":"","answer":"The total is 12."}
`)
	options := transcript.Options{
		File:      "log.jsonl",
		OnProblem: func(p transcript.Problem) { fmt.Println(p) },
	}
	stats, err := transcript.Read(context.Background(), file, options, func(t *transcript.Transcript) error {
		fmt.Printf("%s %s %q\n", t.ID, t.Format, t.Final)
		for _, e := range t.Events {
			if e.Kind == transcript.Result {
				fmt.Printf("  %s: %s\n", e.Tool, e.Text)
			}
		}
		return nil
	})
	fmt.Println(stats.Transcripts, "transcripts,", stats.Broken, "broken,", err)
	// Output:
	// log.jsonl:3: the value ends too early and was passed over
	// c evidence "The total is 12."
	// a openai "Nobody."
	//   get_invoices: 401 Unauthorized
	// 2 transcripts, 1 broken, <nil>
}
