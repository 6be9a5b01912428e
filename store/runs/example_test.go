package runs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/sqlite"
)

func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "failloud-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(folder, "failloud.db")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	record, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{db.Runs()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tool := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read}
	_, run, err := record.Start(ctx, runrecord.Task{Name: "invoice-question"}, []*runrecord.ToolInfo{tool})
	if err != nil {
		fmt.Println(err)
		return
	}
	run.Finish(runrecord.Call{Tool: tool, Kind: fault.KindFailed, Reason: fault.ReasonAuth, Status: 401, Attempts: 1})
	run.End()

	if err := db.Runs().Flush(ctx); err != nil {
		fmt.Println(err)
		return
	}
	views, err := db.Runs().Views(ctx, runrecord.Filter{Task: "invoice-question"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d runs without a successful call\n", views.Runs.NoSuccess, views.Runs.Ended)
	// Output: 1 of 1 runs without a successful call
}
