// Command alerting shows how a dead tool is seen from the logs of many runs.
//
// An agent answers forty questions, one a minute. In the middle the credential
// of one tool expires, and later somebody renews it. Then two readers look for
// it: one that knows nothing but the log lines (readlog.go), and the four views
// over the record as JSON lines (runrecord.Views).
//
//	go run ./examples/alerting                  # the story
//	go run ./examples/alerting -log agent.log   # your own log: JSON lines of zap
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/failloud/failloud/examples/internal/args"
	"github.com/failloud/failloud/examples/internal/page"
	"github.com/failloud/failloud/runrecord"
)

func main() {
	file := flag.String("log", "", "read this log in the place of the story's")
	size := flag.Duration("window", 10*time.Minute, "length of a window")
	args.Parse("alerting")
	if err := run(os.Stdout, *file, *size); err != nil {
		fmt.Fprintln(os.Stderr, "alerting:", err)
		os.Exit(2)
	}
}

func run(w io.Writer, file string, size time.Duration) error {
	if size <= 0 {
		return fmt.Errorf("-window must be positive, not %s", size)
	}
	if file == "" {
		return demo(context.Background(), w, size)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	p := page.New(w)
	if err := fromLog(p, f, size); err != nil {
		return err
	}
	return p.Err()
}

// demo lets the agent work and reads what it leaves behind.
func demo(ctx context.Context, w io.Writer, size time.Duration) error {
	var log, record bytes.Buffer
	if err := simulate(ctx, &log, &record); err != nil {
		return err
	}
	p := page.New(w)
	p.Line("%d runs have left %d log lines and %d lines of record.", runs, lines(&log), lines(&record))
	if err := fromLog(p, &log, size); err != nil {
		return err
	}
	if err := fromRecord(p, &record); err != nil {
		return err
	}
	return p.Err()
}

// fromLog shows what the log lines alone tell.
func fromLog(p *page.Page, log io.Reader, size time.Duration) error {
	windows, skipped, err := readLog(log, size)
	if err != nil {
		return err
	}
	p.Title("From the log lines")
	p.Line("  window  runs  refused  share  unjudged  retries  most failures")
	for _, w := range windows {
		worst, n := w.worst()
		row := fmt.Sprintf("  %s  %4d  %7d  %4.0f%%  %8d  %7d", w.start.Format("15:04"), w.ended, w.refused, 100*w.share(), w.unjudged, w.retries)
		if n > 0 {
			row += fmt.Sprintf("  %d × %s", n, worst)
		}
		p.Line("%s", row)
	}
	if skipped > 0 {
		p.Line("  lines that are none of a run: %d", skipped)
	}
	p.Line("")
	for _, w := range windows {
		if alert := w.alert(); alert != "" {
			p.Line("ALERT %s %s", w.start.Format("15:04"), alert)
		}
	}
	return nil
}

// fromRecord shows the four views.
func fromRecord(p *page.Page, record io.Reader) error {
	views, err := runrecord.NewViews(runrecord.ViewsConfig{})
	if err != nil {
		return err
	}
	skipped, err := views.Read(runrecord.ReadJSONLines(record))
	if err != nil {
		return err
	}
	for _, view := range []struct {
		title string
		table fmt.Stringer
	}{
		{"From the record: runs without one successful call", views.Runs()},
		{"From the record: which tool fails how", views.Failures(5)},
		{"From the record: refusals", views.Refusals()},
		{"From the record: retries", views.Retries()},
	} {
		p.Title("%s", view.title)
		for line := range strings.Lines(view.table.String()) {
			p.Line("  %s", strings.TrimRight(line, "\n"))
		}
	}
	if warning := views.Refusals().Warning(); warning != "" {
		p.Line("ALERT %s", warning)
	}
	if skipped > 0 {
		p.Line("torn or foreign lines passed over: %d", skipped)
	}
	return nil
}

func lines(b *bytes.Buffer) int { return bytes.Count(b.Bytes(), []byte("\n")) }
