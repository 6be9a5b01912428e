package grid_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// circumstances are what a run draws beside its cell and effect.
type circumstances struct {
	failures  int           // of a cell that heals, before it does
	check     bool          // the tool can look up what happened
	keys      bool          // the service honours idempotency keys
	calls     int           // made in parallel; 0: one, typed
	stubborn  bool          // the agent asks again for what failed
	standIn   standIn       // a second tool that does the same elsewhere
	taken     takenUp       // how the task goes on
	recovers  bool          // the next process settles what was left in doubt first
	impatient time.Duration // the caller gives up after this; 0: never
}

// takenUp is who else works on a task.
type takenUp uint8

const (
	once  takenUp = iota // nobody
	again                // another process, afterwards
	twice                // another process, at the same time
)

// standIn is a tool for the same work at another service.
type standIn uint8

const (
	none standIn = iota
	sound
	alike // fails in the same way, once
)

// elsewhere is the suffix of a piece of work at the other service.
const elsewhere = "-elsewhere"

func draw(random *rand.Rand, effect fault.Effect, patience time.Duration) circumstances {
	maybe := func(percent int) bool { return random.IntN(100) < percent }
	c := circumstances{
		failures: 1 + random.IntN(4), check: effect.Writes() && maybe(50), keys: maybe(30),
		calls: random.IntN(4), stubborn: maybe(30), standIn: standIn(max(0, random.IntN(6)-3)), taken: takenUp(random.IntN(3)), recovers: maybe(50),
	}
	if maybe(10) {
		c.impatient = time.Duration(1 + random.Int64N(int64(patience)))
	}
	return c
}

// trial is one run of the grid: a task in a world, with the truth at its end.
type trial struct {
	name   string // unique in its world
	cell   faulttest.Cell
	effect fault.Effect
	circumstances
	world    world
	timeout  time.Duration // of an attempt
	config   toolkit.Config
	settle   time.Duration // see [idempotency.Config]
	mu       sync.Mutex
	asked    map[string]int // calls made, by piece of work
	findings tally
}

const (
	toolName  = "place_order"
	otherName = "place_order_elsewhere"
)

func (tr *trial) callElsewhere(ctx context.Context, in order) (any, error) {
	done, err := tr.world.call(ctx, order{in.ID + elsewhere})
	if err != nil || !isReceipt(done, in.ID+elsewhere) {
		return done, err
	}
	return receipt(in.ID), nil
}

func (tr *trial) pieces() []string {
	ids := make([]string, max(tr.calls, 1))
	for i := range ids {
		ids[i] = fmt.Sprintf("%s-%d", tr.name, i)
	}
	return ids
}

// play works on the task as often as the circumstances say, and compares what
// was said with what happened.
func (tr *trial) play(ctx context.Context) tally {
	tr.asked = map[string]int{}
	for _, id := range tr.pieces() {
		tr.world.plan(id, tr.cell.Plan(tr.failures))
		tr.world.plan(id+elsewhere, faulttest.Plan{})
		if tr.standIn == alike {
			tr.world.plan(id+elsewhere, faulttest.Once(tr.cell.Failure))
		}
	}
	ledger, err := idempotency.New(idempotency.Config{Settle: tr.settle})
	if err != nil {
		tr.violated(&tr.findings.broken, "%v", err)
		return tr.findings
	}
	switch tr.taken {
	case once:
		tr.work(ctx, ledger)
	case again:
		tr.work(ctx, ledger)
		tr.work(ctx, ledger)
	case twice:
		var both sync.WaitGroup
		both.Go(func() { tr.work(ctx, ledger) })
		both.Go(func() { tr.work(ctx, ledger) })
		both.Wait()
	}
	if err := ledger.Close(context.WithoutCancel(ctx)); err != nil {
		tr.violated(&tr.findings.broken, "%v", err)
	}
	for _, id := range tr.pieces() {
		if n := tr.world.effects(id) + tr.world.effects(id+elsewhere); tr.effect.Writes() && n > 1 {
			tr.violated(&tr.findings.doubled, "%s happened %d times", id, n)
		}
		if n, most := tr.world.entered(id), tr.asked[id]*toolkit.DefaultMaxAttempts; n > most {
			tr.violated(&tr.findings.overLimit, "%s was asked for %d times in %d calls", id, n, tr.asked[id])
		}
	}
	return tr.findings
}

// work is one process that works on the task: a kit of its own on the common
// ledger, one run, one agent.
func (tr *trial) work(ctx context.Context, ledger *idempotency.Ledger) {
	cfg := tr.config
	cfg.Ledger = ledger
	kit := toolkit.New(cfg)
	tool := toolkit.Tool[order, any]{
		Name: toolName, Effect: tr.effect, Timeout: tr.timeout, Rules: tr.cell.Failure.Rules(), Call: tr.world.call,
	}
	if tr.check {
		tool.Check = tr.world.check
	}
	if tr.keys {
		tool.KeyTTL = time.Hour
	}
	if tr.standIn != none {
		tool.Fallback = toolkit.FallbackTo(otherName)
		toolkit.Wrap(kit, toolkit.Tool[order, any]{
			Name: otherName, Effect: tr.effect, Timeout: tr.timeout, Rules: tool.Rules, Call: tr.callElsewhere,
		})
	}
	place := toolkit.Wrap(kit, tool)
	if tr.recovers {
		if _, err := kit.Recover(ctx); err != nil {
			tr.violated(&tr.findings.broken, "%v", err)
		}
	}
	judge := guard.New(guard.Require(toolName))
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "order", Key: tr.name, Judge: judge})
	if err != nil {
		tr.violated(&tr.findings.broken, "%v", err)
		return
	}
	defer run.End()
	calling := ctx
	if tr.impatient > 0 {
		var cancel context.CancelFunc
		calling, cancel = context.WithTimeout(ctx, tr.impatient)
		defer cancel()
	}
	left := tr.agent(calling, kit, place)
	verdict := judge.Final(ctx, "Everything is done: all orders were placed and confirmed.")
	good := len(left) == 0
	if leaves(verdict) && !good {
		good = tr.finished(run, left)
	}
	tr.judged(verdict, good)
}

// agent asks for each piece of work until it has a receipt, or gives up; then it
// says that everything is done, whatever it was told. It returns the pieces for
// which that is not known to be true.
func (tr *trial) agent(ctx context.Context, kit *toolkit.Kit, place *toolkit.Wrapped[order, any]) (left []string) {
	left = tr.pieces()
	turns := 1
	if tr.stubborn {
		turns = 4
	}
	for turn := 0; turn < turns && len(left) > 0; turn++ {
		tr.mu.Lock()
		for _, id := range left {
			tr.asked[id]++
		}
		tr.mu.Unlock()
		if tr.calls == 0 {
			result := place.Invoke(ctx, order{left[0]})
			tr.answered(result.Outcome, result.Attempts, result.String())
			left = without(left, left[0], result.Outcome, result.Value)
			continue
		}
		batch := make([]toolkit.Request, len(left))
		for i, id := range left {
			args, err := json.Marshal(order{id})
			if err != nil {
				tr.violated(&tr.findings.broken, "%v", err)
			}
			batch[i] = toolkit.Request{ID: fmt.Sprintf("call_%d_%d", turn, i), Name: toolName, Args: args}
		}
		responses := kit.InvokeAll(ctx, batch)
		if len(responses) != len(batch) {
			tr.violated(&tr.findings.lost, "%d results for %d calls", len(responses), len(batch))
			return tr.pieces()
		}
		for i, response := range responses {
			if response.CallID() != batch[i].ID {
				tr.violated(&tr.findings.lost, "result %d is of call %q, not %q", i, response.CallID(), batch[i].ID)
			}
			tr.answered(response.Outcome, response.Attempts, response.String())
			var asked order
			_ = json.Unmarshal(batch[i].Args, &asked) // written above
			left = without(left, asked.ID, response.Outcome, response.Value)
		}
	}
	return left
}

// finished reports whether the work has been done all the same: the other process
// did it after this one's call had been told to wait, and the record knows.
func (tr *trial) finished(run *runrecord.Run, left []string) bool {
	heard := 0
	for _, c := range run.Calls() {
		if c.Kind == fault.KindOK && c.Detail != nil && c.Detail.Settled {
			heard++
		}
	}
	for _, id := range left {
		if !tr.effect.Writes() || tr.world.effects(id)+tr.world.effects(id+elsewhere) == 0 {
			return false
		}
	}
	return heard >= len(left)
}

// without is the list without the piece of work, where its receipt has come.
func without(left []string, id string, o fault.Outcome, value any) []string {
	if o.Kind != fault.KindOK || !isReceipt(value, id) {
		return left
	}
	var rest []string
	for _, other := range left {
		if other != id {
			rest = append(rest, other)
		}
	}
	return rest
}

func (tr *trial) answered(o fault.Outcome, attempts int, text string) {
	if o.Kind == fault.KindNone || text == "" {
		tr.violated(&tr.findings.lost, "a call without a result")
	}
	most := toolkit.DefaultMaxAttempts
	if tr.standIn != none {
		most *= 2 // each tool has attempts of its own
	}
	if attempts > most {
		tr.violated(&tr.findings.overLimit, "%d attempts in one call", attempts)
	}
}

func leaves(v guard.Verdict) bool {
	return v.Decision == guard.Answer || v.Decision == guard.Disclose
}

func (tr *trial) judged(v guard.Verdict, good bool) {
	tr.mu.Lock()
	tr.findings.drafts++
	if good {
		tr.findings.good++
	}
	tr.findings.decided[v.Decision]++
	tr.mu.Unlock()
	leaves := leaves(v)
	switch {
	case leaves && !good:
		tr.violated(&tr.findings.letThrough, "%s although not every order has its receipt", v.Decision)
	case !leaves && good && v.Decision == guard.Escalate: // the other process has settled it since
		tr.mu.Lock()
		tr.findings.asked++
		tr.mu.Unlock()
	case !leaves && good:
		tr.violated(&tr.findings.heldBack, "%s at step %d although every order has its receipt: %v", v.Decision, v.Step, v.Findings)
	}
}

func (tr *trial) violated(count *int, format string, args ...any) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	*count++
	if len(tr.findings.examples) < maxExamples {
		tr.findings.examples = append(tr.findings.examples, fmt.Sprintf("%s as %v, %+v: %s",
			tr.cell.Name, tr.effect, tr.circumstances, fmt.Sprintf(format, args...)))
	}
}
