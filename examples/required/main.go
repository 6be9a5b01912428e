// Command required shows how to say what an answer must rest on: for each task
// of an agent, one of several tools, and for each customer.
//
//	go run ./examples/required
//
// Read requirements.go; tools.go has the tools, one of which is down.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/failloud/failloud/examples/internal/args"
	"github.com/failloud/failloud/examples/internal/page"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// scene is one run: what the agent calls, and what it then wants to say.
type scene struct {
	title string
	task  string
	guard *guard.Guard
	calls []toolkit.Request
	draft string
}

func scenes() []scene {
	call := func(tool, args string) toolkit.Request {
		return toolkit.Request{Name: tool, Args: json.RawMessage(args)}
	}
	both := []toolkit.Request{call("get_rates", `{}`), call("get_invoices", `{"customer":"Acme"}`)}
	return []scene{
		{"per task: the rates are down, and this task needs them", "rate-question", ratesNeeded, both,
			"Acme owes 1200 euros, which is 1305 dollars."},
		{"per task: the same calls, for a task that does not", "invoice-question", invoicesNeeded, both,
			"Acme owes 1200 euros."},
		{"any of: one source is down and the answer says so", "news-question", newsNeeded,
			[]toolkit.Request{call("search_web", `{"query":"lamps"}`), call("search_news", `{"query":"lamps"}`)},
			"Lamps sell well, say the news. The web search could not be reached."},
		{"any of: the only source that was asked is down", "news-question", newsNeeded,
			[]toolkit.Request{call("search_web", `{"query":"lamps"}`)},
			"Lamps sell well."},
		{"per customer: both were looked up", "overview", overviewOf("Acme", "Globex"),
			[]toolkit.Request{call("get_invoices", `{"customer":"Acme"}`), call("get_invoices", `{"customer":"Globex"}`)},
			"Acme owes 1200 euros, Globex nothing."},
		{"per customer: one was forgotten, and nothing has failed", "overview", overviewOf("Acme", "Globex"),
			[]toolkit.Request{call("get_invoices", `{"customer":"Acme"}`)},
			"Acme owes 1200 euros, Globex nothing."},
	}
}

func main() {
	args.Parse("required")
	if err := demo(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "required:", err)
		os.Exit(2)
	}
}

// demo plays every scene to w.
func demo(ctx context.Context, w io.Writer) error {
	p := page.New(w)
	kit := newKit()
	for i, s := range scenes() {
		verdict, err := play(ctx, kit, s)
		if err != nil {
			return err
		}
		p.Title("%d. %s", i+1, s.title)
		for _, call := range s.calls {
			p.Field("call:", "%s %s", call.Name, call.Args)
		}
		p.Field("what the model wrote:", "%s", s.draft)
		for _, unmet := range verdict.Unmet {
			p.Field("not met:", "%s %s", unmet.Requirement, strings.Join(unmet.Missing, ", "))
		}
		p.Field("decision:", "%s", verdict.Decision)
		p.Field("what the user reads:", "%s", verdict.Text)
	}
	return p.Err()
}

// play runs one scene.
func play(ctx context.Context, kit *toolkit.Kit, s scene) (guard.Verdict, error) {
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: s.task, Judge: s.guard})
	if err != nil {
		return guard.Verdict{}, err
	}
	defer run.End()
	for _, call := range s.calls {
		kit.Invoke(ctx, call.Name, call.Args)
	}
	return s.guard.Final(ctx, s.draft), nil
}
