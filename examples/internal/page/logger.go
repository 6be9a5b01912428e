package page

import (
	"fmt"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Logger returns a logger that prints the log lines of a run on the page, with
// the fields that tell the story and without the clock and the ids, so that two
// demonstrations look the same. A program in production gives the kit the JSON
// logger that it has anyway.
func Logger(p *Page) *zap.Logger { return zap.New(&core{Level: zapcore.InfoLevel, page: p}) }

// told are the fields that are printed where they say something.
var told = []string{
	"tool", "status", "outcome", "reason", "action", "attempts", "was", "wait",
	"state", "step", "unmet", "decision", "calls", "ok", "failed", "not_run", "unknown",
}

// core is a zap core that writes to a page.
type core struct {
	zapcore.Level
	page *Page
	with []zapcore.Field
}

func (c *core) With(fields []zapcore.Field) zapcore.Core {
	return &core{Level: c.Level, page: c.page, with: append(c.with[:len(c.with):len(c.with)], fields...)}
}

func (c *core) Check(e zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return checked.AddCore(e, c)
	}
	return checked
}

func (c *core) Write(e zapcore.Entry, fields []zapcore.Field) error {
	values := zapcore.NewMapObjectEncoder()
	for _, f := range append(c.with[:len(c.with):len(c.with)], fields...) {
		f.AddTo(values)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "  %-5s %-16s", e.Level.CapitalString(), e.Message)
	for _, name := range told {
		switch v := fmt.Sprint(values.Fields[name]); v {
		case "<nil>", "0", "", "none", "[]": // says nothing
		default:
			fmt.Fprintf(&text, " %s=%s", name, v)
		}
	}
	c.page.wrap(text.String(), 25)
	return nil
}

func (c *core) Sync() error { return nil }
