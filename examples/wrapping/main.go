// Command wrapping shows how what you have is wrapped: a function, an HTTP
// client, a command, and a chat loop that is not ours.
//
//	go run ./examples/wrapping
//
// Each has a file of its own: function.go, client.go, command.go, loop.go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/examples/internal/args"
	"github.com/failloud/failloud/examples/internal/page"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func main() {
	args.Parse("wrapping")
	if err := demo(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "wrapping:", err)
		os.Exit(2)
	}
}

// demo shows to w what each kind of tool gives to a model.
func demo(ctx context.Context, w io.Writer) error {
	p := page.New(w)
	service, err := startStock()
	if err != nil {
		return err
	}
	defer service.Close()
	kit, done := newKit(service, page.Logger(p))
	defer done()

	if err := callEach(ctx, p, kit); err != nil {
		return err
	}
	return chat(ctx, p, kit)
}

// callEach calls the tools by name, as a loop does, and shows what comes back.
func callEach(ctx context.Context, p *page.Page, kit *toolkit.Kit) error {
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "call-each"})
	if err != nil {
		return err
	}
	defer run.End()
	for _, part := range []struct {
		title string
		calls []toolkit.Request
	}{
		{"A function (function.go)", []toolkit.Request{
			{Name: "get_rate", Args: json.RawMessage(`{"currency":"VND"}`)},
			{Name: "get_rate", Args: json.RawMessage(`{"currency":"XYZ"}`)},
			{Name: "get_rate", Args: json.RawMessage(`{"currncy":"VND"}`)},
		}},
		{"An HTTP client whose service fails once (client.go)", []toolkit.Request{
			{Name: "get_stock", Args: json.RawMessage(`{"article":"lamp"}`)},
		}},
		{"A command (command.go)", []toolkit.Request{
			{Name: "go_tool", Args: json.RawMessage(`{"argv":["go","env","GOVERSION"]}`)},
			{Name: "go_tool", Args: json.RawMessage(`{"argv":["go","env","-nosuchflag"]}`)},
			{Name: "go_tool", Args: json.RawMessage(`{"argv":["rm","-r","/"]}`)},
		}},
	} {
		p.Title("%s", part.title)
		for i, call := range part.calls {
			if i > 0 {
				p.Line("")
			}
			response := kit.Invoke(ctx, call.Name, call.Args)
			p.Field("call:", "%s %s", call.Name, call.Args)
			p.Field("what the model sees:", "%s", response)
			p.Field("outcome, attempts:", "%s, %d", response.Outcome.Kind, response.Attempts)
		}
	}

	p.Line("")
	run.End()
	p.Line("Nobody asked a guard whether an answer may leave: the run is unjudged, and its record says so.")
	return p.Err()
}

// chat lets the loop answer one question.
func chat(ctx context.Context, p *page.Page, kit *toolkit.Kit) error {
	p.Title("A chat loop that is not ours (loop.go)")
	conversation, verdict, err := answer(ctx, kit, scripted(), "How many lamps are there, and what is a dollar in VND?")
	if err != nil {
		return err
	}
	for _, m := range conversation {
		p.Field(m.Role+":", "%s", m)
	}
	p.Field("may it leave?", "%s", verdict.Decision)
	return p.Err()
}

// newKit wraps all tools of this example. done lets go of what they hold.
func newKit(service *faulttest.Server, logger *zap.Logger) (kit *toolkit.Kit, done func()) {
	kit = toolkit.New(toolkit.Config{
		Logger:  logger,
		Backoff: toolkit.Backoff{Base: 50 * time.Millisecond, Max: time.Second}, // short, so that the example is
	})
	wrapFunction(kit)
	done = wrapClient(kit, service.URL())
	wrapCommand(kit)
	return kit, done
}
