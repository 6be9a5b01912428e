// Command evidence shows what the guard makes of figures that no tool returned
// and of actions that never happened, and how a setting changes that.
//
//	go run ./examples/evidence
//
// Read scenes.go; tools.go has the tools, which all work. Nothing here fails:
// it is the draft that says more than was looked up or done.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/failloud/failloud/examples/internal/args"
	"github.com/failloud/failloud/examples/internal/page"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func main() {
	args.Parse("evidence")
	if err := demo(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
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
		p.Field("the user asked:", "%s", s.question)
		for _, call := range s.calls {
			p.Field("call:", "%s %s", call.Name, call.Args)
		}
		p.Field("what the model wrote:", "%s", s.draft)
		for _, f := range verdict.Findings {
			p.Field("finding:", "%s: %q", f.Kind, verdict.Draft[f.Start:f.End])
			if f.Evidence != "" {
				p.Field("  nearest evidence:", "%s", f.Evidence)
			}
		}
		p.Field("decision:", "%s", decision(verdict))
		p.Field("what the user reads:", "%s", verdict.Text)
	}
	return p.Err()
}

// decision says in report mode what would have been decided, too.
func decision(v guard.Verdict) string {
	if v.Reported {
		return fmt.Sprintf("%s (reported, would %s)", v.Decision, v.Would)
	}
	return v.Decision.String()
}

// play runs one scene. The question belongs into the task: a figure that the
// user gave is none that the model made up.
func play(ctx context.Context, kit *toolkit.Kit, s scene) (guard.Verdict, error) {
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "booking-question", Question: s.question, Judge: s.guard})
	if err != nil {
		return guard.Verdict{}, err
	}
	defer run.End()
	for _, call := range s.calls {
		kit.Invoke(ctx, call.Name, call.Args)
	}
	return s.guard.Final(ctx, s.draft), nil
}
