package guard_test

import (
	"context"
	"hash/maphash"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// scenario is a run that a test writes call by call.
type scenario struct {
	t     *testing.T
	guard *guard.Guard
	ctx   context.Context
	run   *runrecord.Run
}

func read(name string) *runrecord.ToolInfo {
	return &runrecord.ToolInfo{Name: name, Effect: fault.Read}
}
func write(name string) *runrecord.ToolInfo {
	return &runrecord.ToolInfo{Name: name, Effect: fault.Write}
}

func begin(t *testing.T, g *guard.Guard, tools ...*runrecord.ToolInfo) *scenario {
	t.Helper()
	s, err := tryBegin(t, g, tools...)
	require.NoError(t, err)
	return s
}

func tryBegin(t *testing.T, g *guard.Guard, tools ...*runrecord.ToolInfo) (*scenario, error) {
	t.Helper()
	return beginLimited(t, runrecord.Config{}, g, tools...)
}

func beginLimited(t *testing.T, cfg runrecord.Config, g *guard.Guard, tools ...*runrecord.ToolInfo) (*scenario, error) {
	t.Helper()
	rec, err := runrecord.NewRecorder(cfg)
	require.NoError(t, err)
	ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "question", Key: "ticket-1", Judge: g}, tools)
	if err == nil {
		t.Cleanup(run.End)
	}
	return &scenario{t: t, guard: g, ctx: ctx, run: run}, err
}

var hashSeed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(hashSeed, s) | 1 }

type callOption func(*runrecord.Call)

// call records one finished call. Without options it is a success with a
// result of its own.
func (s *scenario) call(tool, args string, options ...callOption) uint32 {
	s.t.Helper()
	seq, err := s.run.Admit(1)
	require.NoError(s.t, err)
	c := runrecord.Call{
		Seq: seq, Tool: s.run.Tool(tool), ArgsHash: hash(args), ResultHash: uint64(seq) << 8,
		Start: s.run.Elapsed(), Attempts: 1, Kind: fault.KindOK, Ran: fault.RanYes,
	}
	for _, o := range options {
		o(&c)
	}
	s.run.Finish(c)
	return seq
}

func (s *scenario) final(draft string) guard.Verdict {
	s.t.Helper()
	return s.guard.Final(s.ctx, draft)
}

func with(f func(*runrecord.Call, *runrecord.Detail)) callOption {
	return func(c *runrecord.Call) {
		if c.Detail == nil {
			c.Detail = &runrecord.Detail{}
		}
		f(c, c.Detail)
	}
}

func failed(r fault.Reason) callOption {
	return with(func(c *runrecord.Call, d *runrecord.Detail) {
		c.Kind, c.Reason, c.Action, c.Ran = fault.KindFailed, r, fault.FailFast, fault.RanNo
		switch r {
		case fault.ReasonInvalidArgs, fault.ReasonNotFound, fault.ReasonConflict, fault.ReasonCommandFailed, fault.ReasonSoftError:
			d.Correctable = true
		}
	})
}

func kind(k fault.Kind, r fault.Reason, a fault.Action) callOption {
	return func(c *runrecord.Call) { c.Kind, c.Reason, c.Action = k, r, a }
}

func denied() callOption  { return kind(fault.KindDenied, fault.ReasonNone, fault.NoAction) }
func pending() callOption { return kind(fault.KindPending, fault.ReasonNone, fault.NoAction) }
func inDoubt() callOption { return kind(fault.KindUnknown, fault.ReasonTimeout, fault.Escalate) }
func notRun(r fault.Reason) callOption {
	return kind(fault.KindNotRun, r, fault.FailFast)
}

// unknownTool is a call of a name that no tool has.
func unknownTool(name string) callOption {
	return with(func(c *runrecord.Call, d *runrecord.Detail) {
		c.Tool, c.Kind, c.Reason, d.Name = nil, fault.KindNotRun, fault.ReasonUnknownTool, name
	})
}

// batch says that the call was asked for with others, from this number on.
func batch(first uint32) callOption {
	return func(c *runrecord.Call) { c.Batch = first }
}

func qualified(q fault.Qualifier) callOption {
	return func(c *runrecord.Call) { c.Qualifiers |= q }
}

func aged(d time.Duration) callOption {
	return with(func(c *runrecord.Call, det *runrecord.Detail) { c.Qualifiers |= fault.Stale; det.Age = d })
}

func result(r string) callOption { return func(c *runrecord.Call) { c.ResultHash = hash(r) } }

func waitFor(d time.Duration) callOption {
	return with(func(_ *runrecord.Call, det *runrecord.Detail) { det.Wait = d })
}

// about keeps argument fields the way toolkit does: those the judge asked for.
func (s *scenario) about(args map[string]string) callOption {
	return with(func(c *runrecord.Call, d *runrecord.Detail) {
		for _, f := range s.run.Kept(c.Tool.Name) {
			if v, ok := args[f]; ok {
				if d.Args == nil {
					d.Args = map[string]string{}
				}
				d.Args[f] = v
			}
		}
	})
}

// callWith records a success with its payload.
func (s *scenario) callWith(tool, args, result string, options ...callOption) uint32 {
	s.t.Helper()
	seq, err := s.run.Admit(1)
	require.NoError(s.t, err)
	c := runrecord.Call{
		Seq: seq, Tool: s.run.Tool(tool), ArgsHash: hash(args), ResultHash: hash(result),
		Start: s.run.Elapsed(), Attempts: 1, Kind: fault.KindOK, Ran: fault.RanYes,
	}
	for _, o := range options {
		o(&c)
	}
	s.run.FinishWith(c, runrecord.Payload{Args: args, Result: result})
	return seq
}
