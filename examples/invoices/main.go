// Command invoices shows the failure that failloud is for, and what changes.
//
// An agent has to look up four customers. The credential of its one tool dies
// after two look-ups. The agent is run twice against the same real HTTP
// service: once as it is, once with its tool wrapped and required.
//
//	go run ./examples/invoices           # always exits 0
//	go run ./examples/invoices -strict   # exits 1 when the guarded answer was refused
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// goodFor is how many requests the credential survives.
const goodFor = 2

func main() {
	strict := flag.Bool("strict", false, "exit with status 1 when the answer was refused")
	flag.Parse()
	refused, err := demo(context.Background(), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "invoices:", err)
		os.Exit(2)
	}
	if refused && *strict {
		os.Exit(1)
	}
}

// demo tells the story to w and reports whether the guarded answer was refused.
func demo(ctx context.Context, w io.Writer) (refused bool, err error) {
	say := &teller{w: w}

	service, err := startService(goodFor)
	if err != nil {
		return false, err
	}
	draft, status := unguarded(ctx, service)
	asked := service.asked.Load()
	service.Close()

	say.title("WITHOUT failloud")
	say.line("requests to the service: %d, of which %d were answered 401", asked, asked-goodFor)
	say.line("what the user reads:     %s", draft)
	say.line("what the dashboard says: %s", status)

	if service, err = startService(goodFor); err != nil {
		return false, err
	}
	defer service.Close()

	say.title("WITH failloud: the same agent, the tool wrapped and required")
	say.line("log lines:")
	out, err := guarded(ctx, service, newLogger(w))
	if err != nil {
		return false, err
	}
	asked = service.asked.Load()
	say.line("")
	say.line("requests to the service: %d: after the first 401 the tool is known to be dead", asked)
	say.line("what the model saw:")
	for i, text := range out.seen {
		say.line("  %d. %s", i+1, text)
	}
	say.line("the record:")
	for _, c := range out.calls {
		say.line("  #%d %-12s %-8s %-9s status %3d, attempts %d", c.Seq, c.Tool.Name, c.Kind, c.Reason, c.Status, c.Attempts)
	}
	say.line("what the model wrote:    %s", out.verdict.Draft)
	say.line("what the user reads:     %s", out.verdict.Text)
	say.line("what the dashboard says: %s (decision %s, step %d)", out.state, out.verdict.Decision, out.verdict.Step)
	return out.state.String() == "refused", say.err
}

// newLogger writes the log lines as an agent's own logger would, without the
// clock, so that two demonstrations can be compared.
func newLogger(w io.Writer) *zap.Logger {
	cfg := zap.NewProductionEncoderConfig()
	cfg.TimeKey = zapcore.OmitKey
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(cfg), zapcore.AddSync(w), zapcore.InfoLevel))
}

// teller prints until the first error and keeps it.
type teller struct {
	w   io.Writer
	err error
}

func (t *teller) title(s string) {
	t.line("")
	t.line("== %s", s)
}

func (t *teller) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}
