// Command payment shows what becomes of a payment whose reply is lost.
//
// The connection to a real HTTP service on a loopback port ends before the
// reply. The agent cannot know whether the money has moved. Four stories:
//
//	checked, found      the tool's Check finds the payment; its receipt is the result
//	checked, not found  the Check does not find it; only then it is paid again
//	asked               there is no Check: a person decides, and the run goes on
//	restarted           the agent's process ends; the next one finds what happened
//
// In each of them the invoice is paid once. The agent always claims success.
//
//	go run ./examples/payment
//
// Read agent.go and client.go for what the owner of an agent writes.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/examples/internal/args"
	"github.com/failloud/failloud/examples/internal/page"
	"github.com/failloud/failloud/fault"
)

// chapter is a story with what the provider does to it.
type chapter struct {
	title   string
	intro   string
	payment Payment
	fates   []fate
	story   story
}

var chapters = []chapter{
	{
		"1. The payment was made, the reply is lost, the tool has a Check",
		"After the connection broke, the Check looks the payment up.",
		Payment{"INV-1001", 120_000}, []fate{replyLost}, checked,
	},
	{
		"2. The request was lost, the tool has a Check",
		"To the caller this looks the same. The Check finds nothing, so paying again is safe.",
		Payment{"INV-1002", 38_050}, []fate{requestLost}, checked,
	},
	{
		"3. The reply is lost, and there is no Check",
		"Code cannot tell, so a person is asked. Nothing is paid again and nothing is promised.",
		Payment{"INV-1003", 540_000}, []fate{replyLost}, asked,
	},
	{
		"4. The agent's process ends while it waits for the reply",
		"The next process has the ledger and the key of the task.",
		Payment{"INV-1004", 9_990}, []fate{noReply}, restarted,
	},
}

func main() {
	args.Parse("payment")
	if err := demo(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "payment:", err)
		os.Exit(2)
	}
}

// demo tells all stories to w.
func demo(ctx context.Context, w io.Writer) error {
	p := page.New(w)
	p.Line("An agent pays four invoices. Each time something is lost on the way. It always claims success.")
	var summary []string
	for _, c := range chapters {
		line, err := tell(ctx, p, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.title, err)
		}
		summary = append(summary, line)
	}
	p.Title("Who was paid, how often")
	p.Line("  invoice      amount  requests  payments")
	for _, line := range summary {
		p.Line("  %s", line)
	}
	return p.Err()
}

// tell tells one story and returns its line of the summary.
func tell(ctx context.Context, p *page.Page, c chapter) (string, error) {
	service, err := startProvider(c.fates...)
	if err != nil {
		return "", err
	}
	defer service.Close()
	p.Title("%s", c.title)
	p.Line("%s", c.intro)
	p.Line("log lines:")
	out, err := c.story(ctx, service, c.payment, page.Logger(p))
	if err != nil {
		return "", err
	}
	for i, l := range out.legs {
		if i > 0 {
			tellBetween(p, out)
		}
		p.Line("")
		p.Field("the call ended:", "%s; attempts: %d", ending(l.result.Outcome), l.result.Attempts)
		p.Field("what the model saw:", "%s", l.result)
		p.Field("what the user reads:", "%s", l.verdict.Text)
		p.Field("the run is:", "%s (leg %d)", l.state, l.number)
	}
	paid := service.paid(c.payment.Invoice)
	p.Field("payments of the invoice:", "%d", len(paid))
	return fmt.Sprintf("%s  %9.2f  %8d  %8d", c.payment.Invoice, float64(c.payment.Cents)/100, service.asked(), len(paid)), nil
}

// tellBetween tells what happened between two legs.
func tellBetween(p *page.Page, out told) {
	p.Line("")
	if out.asked.ID == "" {
		p.Field("the agent starts again:", "Recover asked the Check: %d found done, %d not done", out.recovered.Done, out.recovered.NotDone)
		return
	}
	tellCase(p, out.asked)
	p.Field("maria looks and decides:", "%s; the run goes on", out.choice)
}

// tellCase shows a case as a person sees it.
func tellCase(p *page.Page, c escalation.Case) {
	p.Field("a person is shown:", "%s %s: %s", c.Tool, c.Args, c.Reason)
	for _, a := range c.Attempts {
		p.Field("", "attempt %d: %s, may have run: %s; the service got the key %s", a.Number, a.Reason, a.Ran, short(a.RemoteKey))
	}
	for _, o := range c.Options {
		p.Field("", "- %s: %s", o.Choice, o.Does)
	}
}

// ending says how a call ended and whether its result is an earlier one.
func ending(o fault.Outcome) string {
	if o.Qualifiers&fault.Replayed != 0 {
		return o.Kind.String() + ", with the result of an earlier call"
	}
	if o.Fault != nil {
		return fmt.Sprintf("%s (%s)", o.Kind, o.Reason())
	}
	return o.Kind.String()
}

// short is the beginning of a key, which is enough to tell it from others.
func short(key string) string {
	if head, _, ok := strings.Cut(key, "-"); ok {
		return head + "-…"
	}
	return fmt.Sprintf("%.8s…", key)
}
