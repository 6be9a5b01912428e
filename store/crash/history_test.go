package crash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// What a client does to a key of the ledger, which is a lock that leaves a result.
const (
	claims   = "claim" // won by one client at a time, until it gives back, and by none after the end
	ends     = "end"   // of the one who has won, with a result
	giveBack = "give back"
	looks    = "look"
)

// input is one operation.
type input struct {
	Do     string `json:"do"`
	Key    int    `json:"key"`
	Client string `json:"client"`          // unique to every operation that claims
	Epoch  int64  `json:"epoch,omitempty"` // of the claim that is ended or given back
	Result string `json:"result,omitempty"`
}

// output is what the client was told. The zero value is that of an operation that was
// never answered, because its process was killed: nobody knows whether it happened.
type output struct {
	Known  bool   `json:"known"`
	State  string `json:"state"`
	Holder string `json:"holder"` // who won last
	Epoch  int64  `json:"epoch"`
	Result string `json:"result"`
}

// entry is a line of a history: the beginning of an operation, or its end.
type entry struct {
	ID  int64  `json:"id"` // unique in its process
	At  int64  `json:"at"` // nanoseconds, of the machine's clock
	In  *input `json:"in,omitempty"`
	Out output `json:"out,omitzero"`
}

// lock is what the ledger should be to its clients, written down without the rules that
// it has been made from.
type lock struct {
	state  string // "", running, ready or succeeded
	holder string
	epoch  int64
	result string
}

// model is the sequential meaning of the operations.
var model = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[int][]porcupine.Operation{}
		for _, o := range history {
			key := o.Input.(input).Key
			byKey[key] = append(byKey[key], o)
		}
		var all [][]porcupine.Operation
		for _, ops := range byKey {
			all = append(all, ops)
		}
		return all
	},
	Init: func() any { return lock{} },
	Step: func(before, in, out any) (bool, any) {
		l, told := before.(lock).after(in.(input)), out.(output)
		return !told.Known || told == output{true, l.state, l.holder, l.epoch, l.result}, l
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v -> %+v", in, out) },
	DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
}

func (l lock) after(in input) lock {
	switch {
	case in.Do == claims && (l.state == "" || l.state == "ready"):
		return lock{"running", in.Client, l.epoch + 1, ""}
	case in.Do == ends && l.state == "running" && l.epoch == in.Epoch:
		return lock{"succeeded", l.holder, l.epoch, in.Result}
	case in.Do == giveBack && l.state == "running" && l.epoch == in.Epoch:
		return lock{"ready", l.holder, l.epoch, ""}
	}
	return l
}

// keysOfClients is how many keys they meet at.
const keysOfClients = 120

// contend is the role of a process with many clients, which write down what they begin
// and what they were told, until the process is killed or its input ends.
func contend(in io.Reader, out io.Writer) error {
	var o order
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db, err := o.Store.open(ctx)
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	c := &contender{store: db, out: json.NewEncoder(out)}
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for ctx.Err() == nil {
				if err := c.work(ctx); err != nil && ctx.Err() == nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
			}
		})
	}
	running.Wait()
	return db.Close()
}

type contender struct {
	store store
	mu    sync.Mutex // of what follows
	out   *json.Encoder
	next  int64
}

// begin writes an operation down before it is begun; the function that it returns
// writes down what came of it.
func (c *contender) begin(in input) (end func(idempotency.Row) error, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	id := c.next
	return func(row idempotency.Row) error {
		at := time.Now().UnixNano()
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.out.Encode(entry{ID: id, At: at, Out: seen(row)})
	}, c.out.Encode(entry{ID: id, At: time.Now().UnixNano(), In: &in})
}

func seen(row idempotency.Row) output {
	o := output{Known: true, Holder: row.Attempt, Epoch: row.Epoch, Result: string(row.Result)}
	if row.State != idempotency.Absent {
		o.State = row.State.String()
	}
	return o
}

// work looks at a key, or claims it, and ends or gives back what it has won.
func (c *contender) work(ctx context.Context) error {
	key := rand.IntN(keysOfClients)
	id := keyOf(key).ID()
	if rand.IntN(3) == 0 {
		_, err := c.do(input{Do: looks, Key: key}, func() (idempotency.Row, error) {
			row, err := c.store.Load(ctx, id)
			if errors.Is(err, idempotency.ErrNotFound) {
				err = nil
			}
			return row, err
		})
		return err
	}
	me := fmt.Sprintf("%d-%d", os.Getpid(), rand.Uint64())
	row, err := c.do(input{Do: claims, Key: key, Client: me}, func() (idempotency.Row, error) {
		return c.store.Apply(ctx, id, idempotency.Acquire{
			Request: idempotency.Request{Key: keyOf(key), Effect: fault.Write, Fingerprint: "f"}, Attempt: me, Lease: time.Hour,
		})
	})
	if err != nil || row.State != idempotency.Running || row.Attempt != me {
		return err
	}
	end := input{Do: giveBack, Key: key, Epoch: row.Epoch}
	var cmd idempotency.Command = idempotency.Release{Epoch: row.Epoch}
	if rand.IntN(8) == 0 {
		end.Do, end.Result = ends, `"`+me+`"`
		cmd = idempotency.Complete{Epoch: row.Epoch, Result: json.RawMessage(end.Result)}
	}
	_, err = c.do(end, func() (idempotency.Row, error) { return c.store.Apply(ctx, id, cmd) })
	return err
}

func (c *contender) do(in input, do func() (idempotency.Row, error)) (idempotency.Row, error) {
	end, err := c.begin(in)
	if err != nil {
		return idempotency.Row{}, err
	}
	row, err := do()
	if err != nil {
		return row, err // never answered
	}
	return row, end(row)
}

func keyOf(n int) idempotency.Key {
	return idempotency.Key{Tool: "pay", Intent: fmt.Sprintf("key:%d", n)}
}

// history joins beginnings and ends. What was never answered may have happened at any
// time since, or never: it ends after everything else.
type history struct {
	ops     []porcupine.Operation
	begun   map[int64]entry
	crashed int
}

func (h *history) add(e entry) {
	if e.In != nil {
		h.begun[e.ID] = e
		return
	}
	first := h.begun[e.ID]
	delete(h.begun, e.ID)
	h.ops = append(h.ops, porcupine.Operation{Input: *first.In, Call: first.At, Output: e.Out, Return: e.At})
}

// die ends the life of a process: what it has not heard of it never will.
func (h *history) die() {
	for _, e := range h.begun {
		h.ops = append(h.ops, porcupine.Operation{Input: *e.In, Call: e.At, Output: output{}, Return: math.MaxInt64})
		h.crashed++
	}
	h.begun = map[int64]entry{}
}
