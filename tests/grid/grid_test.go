package grid_test

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/toolkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const maxExamples = 5 // of violations that are shown

// tally is what a number of trials came to.
type tally struct {
	trials, drafts int
	good           int // drafts that were true
	decided        [guard.Defer + 1]int
	letThrough     int // drafts that left although they were not true
	heldBack       int // drafts that were refused or put off although they were true
	asked          int // drafts that waited for a person although they were true by then
	doubled        int // writes that happened more than once
	overLimit      int // calls with more attempts than allowed
	lost           int // calls without exactly one result
	broken         int // what should never be in the way
	examples       []string
}

func (t *tally) add(o tally) {
	t.trials++
	t.drafts += o.drafts
	t.good += o.good
	for d, n := range o.decided {
		t.decided[d] += n
	}
	t.letThrough += o.letThrough
	t.heldBack += o.heldBack
	t.asked += o.asked
	t.doubled += o.doubled
	t.overLimit += o.overLimit
	t.lost += o.lost
	t.broken += o.broken
	t.examples = append(t.examples, o.examples[:min(len(o.examples), maxExamples-min(len(t.examples), maxExamples))]...)
}

// figures prints what was counted, and requires what is promised.
func (t *tally) figures(tb testing.TB, name string) {
	tb.Helper()
	figure := func(what string, value any) { fmt.Printf("figure grid.%s.%s %v\n", name, what, value) }
	figure("trials", t.trials)
	figure("drafts", t.drafts)
	figure("drafts_untrue", t.drafts-t.good) // what leaves without a guard
	for d, n := range t.decided {
		figure(guard.Decision(d).String(), n)
	}
	figure("escalated_though_true", t.asked)
	for _, promise := range []struct {
		name string
		n    int
	}{
		{"let_through", t.letThrough}, {"held_back_though_true", t.heldBack}, {"writes_doubled", t.doubled},
		{"attempts_over_limit", t.overLimit}, {"results_lost", t.lost}, {"broken", t.broken},
	} {
		figure(promise.name, promise.n)
		if promise.n > 0 {
			tb.Errorf("%s: %d, want none, such as\n%s", promise.name, promise.n, strings.Join(t.examples, "\n"))
		}
	}
	require.Positive(tb, t.good, "no draft was true: the grid shows nothing")
	require.Positive(tb, t.drafts-t.good, "every draft was true: the grid shows nothing")
}

// runs is how often each cell is tried with each effect.
func runs(t *testing.T) int {
	t.Helper()
	text := os.Getenv("FAILLOUD_GRID_RUNS")
	if text == "" {
		return 10
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "FAILLOUD_GRID_RUNS")
	require.Positive(t, n, "FAILLOUD_GRID_RUNS")
	return n
}

// cells are those of the kit, and a tool that panics.
func cells() []faulttest.Cell {
	all := faulttest.Grid()
	for _, f := range []faulttest.Failure{faulttest.Panic("out of range"), faulttest.Panic("out of range").AfterEffect()} {
		for name, permanent := range map[string]bool{"/transient": false, "/permanent": true} {
			all = append(all, faulttest.Cell{
				Name: f.Name() + name, Failure: f, Permanent: permanent, AfterEffect: strings.HasSuffix(f.Name(), "-after-effect"),
			})
		}
	}
	return all
}

var effects = []fault.Effect{fault.Read, fault.Idempotent, fault.Write}

// random is the source of one trial: the same in every process, and another one
// for each number.
func random(cell faulttest.Cell, effect fault.Effect, n int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(cell.Name+effect.String()))), uint64(n)))
}

// TestGridInProcess tries every cell in a bubble, where hours of waiting take no
// time, with the timeouts and the backoff of production.
func TestGridInProcess(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var all tally
	n := runs(t)
	t.Run("cells", func(t *testing.T) {
		for _, cell := range cells() {
			t.Run(cell.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					for _, effect := range effects {
						for i := range n {
							c := draw(random(cell, effect, i), effect, 30*time.Second)
							trial := trial{
								name: fmt.Sprint(i), cell: cell, effect: effect, circumstances: c,
								world: newLocal(c.keys), timeout: 10 * time.Second,
							}
							found := trial.play(t.Context())
							mu.Lock()
							all.add(found)
							mu.Unlock()
						}
					}
				})
			})
		}
	})
	all.figures(t, "in_process")
}

// TestGridOverHTTP tries every cell against a service on the loopback interface.
// Time is real here, so waits are short, and many trials wait at the same time.
func TestGridOverHTTP(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var all tally
	slots := make(chan struct{}, 128)
	n := runs(t)
	for _, cell := range cells() {
		for _, effect := range effects {
			for _, keys := range []bool{false, true} {
				world, err := newWire(effect, keys)
				require.NoError(t, err)
				t.Cleanup(world.close)
				for i := range n {
					c := draw(random(cell, effect, i), effect, 3*time.Millisecond)
					if c.keys != keys {
						continue
					}
					trial := trial{
						name: fmt.Sprint(i), cell: cell, effect: effect, circumstances: c,
						world: world, timeout: timeout(cell), settle: -1,
						config: toolkit.Config{Backoff: toolkit.Backoff{Base: 10 * time.Microsecond, Max: time.Millisecond}, Retries: toolkit.NewRetryBudget(0)},
					}
					slots <- struct{}{}
					go func() {
						defer func() { <-slots }()
						found := trial.play(t.Context())
						mu.Lock()
						all.add(found)
						mu.Unlock()
					}()
				}
			}
		}
	}
	for range cap(slots) {
		slots <- struct{}{} // every trial has ended
	}
	all.figures(t, "over_http")
}

// timeout is that of an attempt: short where the service never answers, because
// it is waited for in full.
func timeout(cell faulttest.Cell) time.Duration {
	if strings.HasPrefix(cell.Name, "hang") || strings.HasPrefix(cell.Name, "slow-body") {
		return 50 * time.Millisecond
	}
	return 10 * time.Second
}
