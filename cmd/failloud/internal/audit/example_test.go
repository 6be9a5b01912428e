package audit_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

func Example() {
	auditor, err := audit.New(audit.Config{})
	if err != nil {
		panic(err)
	}
	runs := `{"id":"a","events":[{"type":"call","id":"c1","tool":"get_rate","args":{}},` +
		`{"type":"result","id":"c1","content":"{\"error\":\"upstream timeout\"}","is_error":true}],"final":"The rate is 4.2 %."}`
	stats, err := auditor.Stream(context.Background(), strings.NewReader(runs), transcript.Options{}, func(row *audit.Row) error {
		fmt.Println(row.ID, row.Decision, row.Failed)
		for _, f := range row.Findings {
			fmt.Printf("step %d: %s, asks for %s\n", f.Step, f.Kind, f.Asks)
		}
		return nil
	})
	fmt.Println(stats.Transcripts, err)
	// Output:
	// a refuse [c1]
	// step 3: no_evidence, asks for refuse
	// step 4: hidden_failure, asks for disclose
	// step 6: unsupported_figure, asks for disclose
	// 1 <nil>
}
