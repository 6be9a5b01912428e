package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// counting is a service that is down at first, and counts how many requests it has
// under way at once and in which order they came.
type counting struct {
	mu       sync.Mutex
	down     bool
	now      int
	most     int
	served   int
	order    []string
	overtime []string // requests beyond the ramp
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	if c.down {
		c.mu.Unlock()
		w.Header().Set("Retry-After", "1") // so it has done nothing
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	c.now++
	c.most = max(c.most, c.now)
	c.order = append(c.order, strings.TrimSpace(string(body)))
	// Before anything has come back there is one; each wave is at most twice the
	// one before.
	if allowed := c.allowed(); c.now > allowed {
		c.overtime = append(c.overtime, fmt.Sprintf("%d at once after %d, %d allowed", c.now, c.served, allowed))
	}
	c.mu.Unlock()
	<-time.After(200 * time.Microsecond) // a real service takes a while
	c.mu.Lock()
	c.now--
	c.served++
	c.mu.Unlock()
	_, _ = io.WriteString(w, `{"id":"R"}`)
}

func (c *counting) allowed() int {
	width, before := 1, 0
	for c.served >= before+width && width < toolkit.DefaultBatch {
		before += width
		width *= 2
	}
	return min(width, toolkit.DefaultBatch)
}

// post is a tool that sends its argument to a service, by the kit's own transport.
func post(url string, client *http.Client) func(ctx context.Context, p payment) (receipt, error) {
	return func(ctx context.Context, p payment) (r receipt, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(p.Invoice))
		if err != nil {
			return r, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return r, err
		}
		defer resp.Body.Close()
		if err := toolkit.StatusError(resp); err != nil {
			return r, err
		}
		return r, json.NewDecoder(resp.Body).Decode(&r)
	}
}

// A service that comes back after an outage is not brought down again by what has
// piled up. DRAIN_CALLS=10000 is the size of the promise.
func TestDrainingNeverExceedsTheRamp(t *testing.T) {
	calls := 300
	if n, err := strconv.Atoi(os.Getenv("DRAIN_CALLS")); err == nil {
		calls = n
	}
	service := &counting{down: true}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = toolkit.DefaultBatch

	ledger, err := idempotency.New(idempotency.Config{})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Ledger: ledger, MaxAttempts: 1})
	up := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "bank", Breaker: toolkit.BreakerConfig{MinCalls: 10, OpenFor: time.Millisecond}})
	pay := toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
		Name: "pay_invoice", Effect: fault.Write, Upstream: up, Defer: time.Hour,
		Call: post(server.URL, client), KeyOf: func(p payment) string { return p.Invoice },
	})
	ctx, run := start(t, kit, runrecord.Task{Name: "invoices", Key: "t"})
	for i := range calls {
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, payment{Invoice: fmt.Sprintf("%06d", i)}).Outcome.Kind)
	}
	service.mu.Lock()
	service.down = false
	service.mu.Unlock()
	var did toolkit.Drained
	for began := time.Now(); did.Done == 0 && time.Since(began) < 10*time.Second; { // the breaker is open for a millisecond
		var err error
		did, err = kit.Drain(ctx)
		require.NoError(t, err)
	}
	require.Equal(t, toolkit.Drained{Done: calls}, did)
	require.Empty(t, service.overtime)
	require.Equal(t, toolkit.DefaultBatch, service.most, "and it is not done one by one")
	require.Len(t, service.order, calls, "each once")
	for i, name := range service.order { // in order, but for those of one wave
		n, err := strconv.Atoi(name)
		require.NoError(t, err)
		require.InDelta(t, i, n, toolkit.DefaultBatch)
	}
	require.Equal(t, fault.KindOK, run.Calls()[len(run.Calls())-1].Kind)
}

// Two workers on one ledger, and a call that the agent asks for at the same time.
func TestManyWorkersDrainEachCallOnce(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		b := newBank()
		down := true
		b.before = func(context.Context, int) error {
			time.Sleep(time.Second)
			if down {
				return overloaded()
			}
			return nil
		}
		var kits []*toolkit.Kit
		var pay *toolkit.Wrapped[payment, receipt]
		for range 3 {
			kit := toolkit.New(toolkit.Config{Ledger: open(), MaxAttempts: 1})
			pay = toolkit.Wrap(kit, b.patient())
			kits = append(kits, kit)
		}
		ctx, _ := start(t, kits[2], ticket)
		for i := range 30 {
			require.Equal(t, fault.KindPending, pay.Invoke(ctx, invoiced(fmt.Sprint(i))).Outcome.Kind)
		}
		time.Sleep(time.Minute)
		down = false
		var all sync.WaitGroup
		for _, kit := range kits {
			for range 2 {
				all.Go(func() {
					if _, err := kit.Recover(ctx); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Go(func() {
			if res := pay.Invoke(ctx, invoiced("29")); !res.Outcome.OK() && res.Outcome.Kind != fault.KindPending { // a probe may be under way
				t.Errorf("%+v", res.Outcome)
			}
		})
		all.Wait()
		for range 3 { // what was held by a worker whose probe came too early
			time.Sleep(time.Minute)
			_, err := kits[0].Recover(ctx)
			require.NoError(t, err)
		}
		require.EqualValues(t, 30, b.effects.Load())
		require.Len(t, b.paid, 30)
	})
}

// One upstream that stays down keeps no other one waiting, and neither does a tool
// that this program does not have, nor a call that is refused for what it asks.
func TestAGateWaitsForItselfAlone(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), MaxAttempts: 1}), newBank()
		up := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "bank", PerTenant: true})
		down := map[string]error{"acme": overloaded(), "globex": overloaded()}
		wrap := func(kit *toolkit.Kit, name string) *toolkit.Wrapped[payment, receipt] {
			tool := b.tool()
			tool.Name, tool.Upstream, tool.Defer = name, up, time.Hour
			tool.Call = func(ctx context.Context, p payment) (receipt, error) {
				if err := down[p.Memo]; err != nil {
					return receipt{}, err
				}
				if p.Amount < 0 {
					return receipt{}, refusedBy(fault.ReasonInvalidArgs, 422)
				}
				return b.pay(ctx, p)
			}
			return toolkit.Wrap(kit, tool)
		}
		pay, gone := wrap(kit, "pay_invoice"), wrap(kit, "pay_by_fax")
		for _, tenant := range []string{"acme", "globex"} {
			ctx, _, err := kit.Start(t.Context(), runrecord.Task{Name: "invoices", Key: "t", Tenant: tenant})
			require.NoError(t, err)
			for i, tool := range []*toolkit.Wrapped[payment, receipt]{gone, pay, pay, pay} {
				p := payment{Invoice: tenant + fmt.Sprint(i), Amount: 10, Memo: tenant}
				if i == 1 {
					p.Amount = -1
				}
				require.Equal(t, fault.KindPending, tool.Invoke(ctx, p).Outcome.Kind)
				time.Sleep(time.Second)
			}
		}
		kit = toolkit.New(toolkit.Config{Ledger: open()})
		wrap(kit, "pay_invoice")
		down["acme"] = nil
		did, err := kit.Drain(t.Context())
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{Done: 2, Failed: 1, PutOff: 1}, did)
		require.Contains(t, b.paid, "acme2")
		require.Contains(t, b.paid, "acme3")
		require.EqualValues(t, 2, b.effects.Load())
	})
}

func TestDrainOfAnAttemptThatNobodyKnowsTheEndOf(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), MaxAttempts: 1}), newBank()
		b.before, b.after = first(1, overloaded()), first(2, noAnswer())
		pay := toolkit.Wrap(kit, b.patient())
		ctx, run := start(t, kit, ticket)
		pay.Invoke(ctx, invoiced("4711"))
		did, err := kit.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{Doubtful: 1}, did)
		require.Len(t, run.OpenCases(), 1)
		did, err = kit.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{}, did, "it is never made again by itself")
		require.EqualValues(t, 1, b.effects.Load())
	})
}

// failing is a store that is down whenever it is told to be.
type failing struct {
	*idempotency.Memory
	err error
}

func (f *failing) List(ctx context.Context, q idempotency.Query) ([]idempotency.Row, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.Memory.List(ctx, q)
}

func TestDrainSaysThatTheStoreIsDown(t *testing.T) {
	t.Parallel()
	store := &failing{Memory: idempotency.NewMemory()}
	ledger, err := idempotency.New(idempotency.Config{Store: store})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Ledger: ledger})
	store.err = errors.New("disk full")
	_, err = kit.Drain(t.Context())
	require.ErrorIs(t, err, idempotency.ErrStore)
	gone, cancel := context.WithCancel(t.Context())
	store.err = nil
	cancel()
	_, err = kit.Drain(gone)
	require.ErrorIs(t, err, context.Canceled)
}
