package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

const (
	runs    = 40
	lookups = 3  // of orders, in each run
	expires = 44 // look-ups that the credential is good for: until the 15th run
	refused = 15 // look-ups that are refused until it is renewed: one in each of 15 runs
)

type order struct {
	Number int `json:"number"`
}

// simulate lets an agent answer its questions. The log goes to one writer, the
// record to the other.
func simulate(ctx context.Context, log, record io.Writer) error {
	now := clock(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC))
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(log), zap.InfoLevel),
		zap.WithClock(&now))
	kit := toolkit.New(toolkit.Config{
		Logger: logger, Sinks: []runrecord.Sink{runrecord.NewJSONLines(record)},
		Backoff: toolkit.Backoff{Base: time.Millisecond, Max: time.Millisecond},
	})
	state := func(_ context.Context, o order) (string, error) {
		return fmt.Sprintf("order %d has been sent", o.Number), nil
	}
	orders := toolkit.Wrap(kit, toolkit.Tool[order, string]{Name: "get_order", Effect: fault.Read, Call: faulttest.Tool(state,
		faulttest.Times(expires, faulttest.Healthy()).Then(faulttest.Times(refused, faulttest.Status(401)))).Call})
	parcels := toolkit.Wrap(kit, toolkit.Tool[order, string]{Name: "get_parcel", Effect: fault.Read, Call: faulttest.Tool(state,
		hiccups()).Call})
	answers := guard.New(guard.Require("get_order"))

	for i := range runs {
		if err := question(ctx, kit, orders, parcels, answers, i); err != nil {
			return err
		}
		now = clock(time.Time(now).Add(time.Minute))
	}
	return nil
}

// hiccups is a service that is busy now and then and does not know every parcel.
func hiccups() faulttest.Plan {
	plan := faulttest.Plan{}
	for range runs / 8 {
		plan = plan.Then(faulttest.Times(5, faulttest.Healthy())).
			Then(faulttest.Once(faulttest.Status(503))).
			Then(faulttest.Times(2, faulttest.Healthy())).
			Then(faulttest.Once(faulttest.Status(404)))
	}
	return plan
}

// question is one run: the scripted agent looks up some orders and a parcel, and
// whatever comes back it claims to know.
func question(ctx context.Context, kit *toolkit.Kit, orders, parcels *toolkit.Wrapped[order, string], answers *guard.Guard, i int) error {
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "order-question", Key: fmt.Sprintf("ticket-%d", i), Judge: answers})
	if err != nil {
		return err
	}
	defer run.End()
	for n := range lookups {
		orders.Invoke(ctx, order{Number: 100*i + n})
	}
	parcels.Invoke(ctx, order{Number: 100 * i})
	answers.Final(ctx, "All of your orders have been sent.")
	return nil
}

// clock is the time of the story: it stands still during a run.
type clock time.Time

// Now implements zapcore.Clock.
func (c *clock) Now() time.Time { return time.Time(*c) }

// NewTicker implements zapcore.Clock.
func (c *clock) NewTicker(d time.Duration) *time.Ticker { return time.NewTicker(d) }
