// Command invoices shows the failure that failloud is for, and what changes.
//
// An agent has to look up four customers. The credential of its one tool dies
// after two look-ups. The agent is run twice against the same real HTTP
// service: once as it is, once with its tool wrapped and required.
//
//	go run ./examples/invoices           # always exits 0
//	go run ./examples/invoices -strict   # exits 1 when the guarded answer was refused
//	go run ./examples/invoices -json     # with the log lines as a JSON logger writes them
//
// Read guarded.go for what an owner of an agent writes; agent.go is the agent,
// service.go the service, unguarded.go the loop that most agents have.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/failloud/failloud/examples/internal/args"
	"github.com/failloud/failloud/examples/internal/page"
	"github.com/failloud/failloud/runrecord"
)

// goodFor is how many requests the credential survives.
const goodFor = 2

func main() {
	strict := flag.Bool("strict", false, "exit with status 1 when the answer was refused")
	whole := flag.Bool("json", false, "show the log lines whole, as a JSON logger writes them")
	args.Parse("invoices")
	refused, err := demo(context.Background(), os.Stdout, *whole)
	if err != nil {
		fmt.Fprintln(os.Stderr, "invoices:", err)
		os.Exit(2)
	}
	if refused && *strict {
		os.Exit(1)
	}
}

// demo tells the story to w and reports whether the guarded answer was refused.
func demo(ctx context.Context, w io.Writer, whole bool) (refused bool, err error) {
	p := page.New(w)
	p.Line("An agent is asked what four customers owe. Its only tool is an HTTP service whose credential")
	p.Line("expires after %d requests; from then on every request is answered 401.", goodFor)

	if err := tellUnguarded(ctx, p); err != nil {
		return false, err
	}

	service, err := startService(goodFor)
	if err != nil {
		return false, err
	}
	defer service.Close()
	p.Title("WITH failloud: the same agent, its tool wrapped and required")
	logger := page.Logger(p)
	if whole {
		logger = jsonLogger(w)
		p.Line("log lines:")
	} else {
		p.Line("log lines (shortened; -json shows them whole):")
	}
	out, err := guarded(ctx, service, logger)
	if err != nil {
		return false, err
	}
	p.Line("")
	p.Line("what the model saw, call by call:")
	for i, text := range out.seen {
		p.Numbered(i+1, text)
	}
	p.Line("")
	p.Line("the record of the run:")
	p.Line("  call  tool          outcome  reason     status  attempts")
	for _, c := range out.calls {
		p.Line("  %4d  %-12s  %-7s  %-9s  %6s  %8d", c.Seq, c.ToolName(), c.Kind, c.Reason, status(c), c.Attempts)
	}
	p.Line("")
	p.Field("requests to the service:", "%d: after the first 401 the tool is dead for this run", service.asked.Load())
	p.Field("what the model wrote:", "%s", out.verdict.Draft)
	p.Field("what the user reads:", "%s", out.verdict.Text)
	p.Field("what the dashboard says:", "%s", out.state)
	return out.state == runrecord.Refused, p.Err()
}

func tellUnguarded(ctx context.Context, p *page.Page) error {
	service, err := startService(goodFor)
	if err != nil {
		return err
	}
	defer service.Close()
	draft, status := unguarded(ctx, service)
	asked := service.asked.Load()
	p.Title("WITHOUT failloud")
	p.Field("requests to the service:", "%d, of which %d were answered 401", asked, asked-goodFor)
	p.Field("what the user reads:", "%s", draft)
	p.Field("what the dashboard says:", "%s", status)
	return nil
}

// status is the HTTP status of a call, if it got as far as that.
func status(c runrecord.Call) string {
	if c.Status == 0 {
		return "-"
	}
	return fmt.Sprint(c.Status)
}

// jsonLogger writes the log lines as an agent's own logger would, without the
// clock, so that two demonstrations can be compared.
func jsonLogger(w io.Writer) *zap.Logger {
	cfg := zap.NewProductionEncoderConfig()
	cfg.TimeKey = zapcore.OmitKey
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(cfg), zapcore.AddSync(w), zapcore.InfoLevel))
}
