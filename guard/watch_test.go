package guard_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func TestLoops(t *testing.T) {
	poller := read("poll")
	poller.Poller = true
	type c struct {
		tool, args string
		options    []callOption
	}
	same := []callOption{result("r")}
	dead := []callOption{failed(fault.ReasonInvalidArgs), result("")}
	noHash := []callOption{failed(fault.ReasonInvalidArgs), func(c *runrecord.Call) { c.ResultHash = 0 }}
	cases := []struct {
		name  string
		n     int
		calls []c
		loop  bool
	}{
		{"three equal", 3, []c{{"a", "1", same}, {"a", "1", same}, {"a", "1", same}}, true},
		{"two equal", 3, []c{{"a", "1", same}, {"a", "1", same}}, false},
		{"others in between", 3, []c{{"a", "1", same}, {"b", "1", nil}, {"a", "1", same}, {"b", "2", nil}, {"a", "1", same}}, true},
		{"other arguments", 3, []c{{"a", "1", same}, {"a", "2", same}, {"a", "3", same}}, false},
		{"a changed result starts again", 3, []c{{"a", "1", same}, {"a", "1", same}, {"a", "1", []callOption{result("q")}}, {"a", "1", same}, {"a", "1", same}}, false},
		{"a healthy poll", 3, []c{{"a", "1", nil}, {"a", "1", nil}, {"a", "1", nil}, {"a", "1", nil}}, false},
		{"a declared poller", 3, []c{{"poll", "1", same}, {"poll", "1", same}, {"poll", "1", same}, {"poll", "1", same}}, false},
		{"equal failures", 3, []c{{"a", "1", dead}, {"a", "1", dead}, {"a", "1", dead}}, true},
		{"equal failures without a hash", 3, []c{{"a", "1", noHash}, {"a", "1", noHash}, {"a", "1", noHash}}, true},
		{"invented names together", 3, []c{{"x", "1", []callOption{unknownTool("x")}}, {"y", "2", []callOption{unknownTool("y")}}, {"z", "3", []callOption{unknownTool("z")}}}, true},
		{"after five", 5, []c{{"a", "1", same}, {"a", "1", same}, {"a", "1", same}, {"a", "1", same}}, false},
		{"switched off", 0, []c{{"a", "1", same}, {"a", "1", same}, {"a", "1", same}, {"a", "1", same}}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, guard.New(guard.LoopAfter(c.n)), read("a"), read("b"), poller)
			for i, call := range c.calls {
				require.NoError(t, s.run.Halted(), "call %d", i)
				s.call(call.tool, call.args, call.options...)
			}
			if !c.loop {
				require.NoError(t, s.run.Halted())
				return
			}
			require.Equal(t, runrecord.Aborted, s.run.State())
			var halt *runrecord.HaltError
			require.ErrorAs(t, s.run.Halted(), &halt)
			require.Equal(t, fault.ReasonLoop, halt.Reason)
			_, err := s.run.Admit(1)
			require.Error(t, err, "nothing may start after a loop")
		})
	}
}

func TestChildrenThatDoTheSameAreNoLoop(t *testing.T) {
	g := guard.New()
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	tools := []*runrecord.ToolInfo{read("a")}
	ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "parent", Judge: g}, tools)
	require.NoError(t, err)
	defer run.End()
	for range 4 {
		_, child, err := rec.Start(ctx, runrecord.Task{Name: "child"}, tools)
		require.NoError(t, err)
		child.Finish(runrecord.Call{Tool: tools[0], ArgsHash: 1, ResultHash: 1, Kind: fault.KindOK})
		child.End()
	}
	require.NoError(t, run.Halted())
}

func TestALoopIsFoundInALongRun(t *testing.T) {
	s := begin(t, guard.New(), read("a"))
	for i := range 5000 {
		s.call("a", fmt.Sprint(i), result("r"))
	}
	require.NoError(t, s.run.Halted())
	for range 3 {
		s.call("a", "again", result("r"))
	}
	require.Error(t, s.run.Halted())
}

func TestReportModeLetsEverythingLeave(t *testing.T) {
	var records []runrecord.Event
	rec, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{runrecord.SinkFunc(func(e runrecord.Event) error {
		records = append(records, e)
		return nil
	})}})
	require.NoError(t, err)
	g := guard.New(guard.Require("a"), guard.Report())
	ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "q", Judge: g}, []*runrecord.ToolInfo{read("a")})
	require.NoError(t, err)
	for range 4 {
		run.Finish(runrecord.Call{Tool: run.Tool("a"), ArgsHash: 1, ResultHash: 1, Kind: fault.KindFailed, Reason: fault.ReasonAuth})
	}
	require.NoError(t, run.Halted(), "report mode stops no loop")
	v := g.Final(ctx, "All paid.")
	require.Equal(t, guard.Answer, v.Decision)
	require.Equal(t, guard.Refuse, v.Would)
	require.Equal(t, 2, v.Step)
	require.Equal(t, "All paid.", v.Text)
	require.True(t, v.Reported)
	require.Contains(t, fmt.Sprint(v.Findings), "loop")
	run.End()
	require.Equal(t, runrecord.Answered, run.State())
	judged := records[len(records)-2]
	require.Equal(t, runrecord.EventJudged, judged.Type)
	require.Equal(t, "refuse", judged.Decision)
	require.True(t, judged.Reported)
}

func TestKillSwitch(t *testing.T) {
	lost := func(t *testing.T, g *guard.Guard) *scenario {
		s := begin(t, g, read("a"))
		s.call("a", "1", failed(fault.ReasonAuth))
		return s
	}
	t.Run("report by environment, on a running guard", func(t *testing.T) {
		s := lost(t, guard.New())
		t.Setenv(guard.EnvMode, " Report ")
		v := s.final("Fine.")
		require.Equal(t, guard.Answer, v.Decision)
		require.Equal(t, guard.Refuse, v.Would)
	})
	t.Run("off by environment leaves the run unjudged", func(t *testing.T) {
		t.Setenv(guard.EnvMode, "off")
		s := lost(t, guard.New(guard.Require("not_bound")))
		require.Equal(t, "Fine.", s.final("Fine.").Text)
		s.run.End()
		require.Equal(t, runrecord.Unjudged, s.run.State())
	})
	t.Run("enforce by environment overrides report mode", func(t *testing.T) {
		t.Setenv(guard.EnvMode, "enforce")
		require.Equal(t, guard.Refuse, lost(t, guard.New(guard.Report())).final("Fine.").Decision)
	})
	t.Run("report by environment starts without the required tool", func(t *testing.T) {
		t.Setenv(guard.EnvMode, "report")
		require.Equal(t, guard.Refuse, lost(t, guard.New(guard.Require("not_bound"))).final("Fine.").Would)
	})
	t.Run("report mode of the program does not", func(t *testing.T) {
		_, err := tryBegin(t, guard.New(guard.Report(), guard.Require("not_bound")), read("a"))
		require.ErrorIs(t, err, guard.ErrNotBound)
	})
	t.Run("a typing error is named at the start and opens nothing", func(t *testing.T) {
		s := lost(t, guard.New())
		t.Setenv(guard.EnvMode, "of")
		require.Equal(t, guard.Refuse, s.final("Fine.").Decision)
		_, err := tryBegin(t, guard.New(), read("a"))
		require.ErrorContains(t, err, guard.EnvMode)
	})
	t.Run("by function", func(t *testing.T) {
		mode := guard.Enforcing
		s := lost(t, guard.New(guard.ModeFrom(func() guard.Mode { return mode })))
		require.Equal(t, guard.Refuse, s.final("Fine.").Decision)
		mode = guard.Reporting
		require.Equal(t, guard.Answer, s.final("Fine.").Decision)
	})
}

func TestOneGuardJudgesManyRunsAtOnce(t *testing.T) {
	g := guard.New(guard.Require("a").ForEach("id", "1"))
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			tools := []*runrecord.ToolInfo{read("a")}
			ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "q", Judge: g}, tools)
			if err != nil {
				t.Error(err)
				return
			}
			defer run.End()
			var calls sync.WaitGroup
			for j := range 20 {
				calls.Go(func() {
					c := runrecord.Call{Tool: tools[0], ArgsHash: uint64(j + 1), ResultHash: 1, Kind: fault.KindOK}
					if i%2 == 0 {
						c.Detail = &runrecord.Detail{Args: map[string]string{"id": fmt.Sprint(j)}}
					}
					run.Finish(c)
				})
			}
			calls.Wait()
			want := guard.Refuse
			if i%2 == 0 {
				want = guard.Answer
			}
			if v := g.Final(ctx, "Fine."); v.Decision != want {
				t.Errorf("run %d: %v %v", i, v.Decision, v.Findings)
			}
		})
	}
	wg.Wait()
}

// A feature flag that breaks must not let a draft leave, nor take the process
// with it.
func TestAModeFunctionThatPanicsEnforces(t *testing.T) {
	g := guard.New(guard.Require("a"), guard.Report(), guard.ModeFrom(func() guard.Mode { panic("flags not loaded") }))
	s := begin(t, g, read("a"))
	for range 3 {
		s.call("a", "1", failed(fault.ReasonAuth), result("r"))
	}
	require.Error(t, s.run.Halted(), "loops are stopped")
	v := s.final("All paid.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Contains(t, fmt.Sprint(v.Findings), "ModeFrom")
}

func TestANilGuardStartsNothingAndLetsNothingLeave(t *testing.T) {
	var g *guard.Guard
	_, err := tryBegin(t, g, read("a"))
	require.ErrorIs(t, err, guard.ErrSetting)
	require.ErrorContains(t, err, "guard.New")
	require.Equal(t, guard.Refuse, g.Final(t.Context(), "All paid.").Decision)

	s := begin(t, guard.New(), read("a"))
	s.call("a", "1")
	v := g.Final(s.ctx, "All paid.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.NotContains(t, v.Text, "All paid.")
}

// A coding agent changes something and runs the same tests again: that they are
// green again is news.
func TestAChangeOfTheWorldIsNoLoop(t *testing.T) {
	green := result("ok")
	t.Run("edit and test", func(t *testing.T) {
		s := begin(t, guard.New(), write("edit_file"), write("run_command"), read("read_file"))
		for i := range 10 {
			s.call("edit_file", fmt.Sprint(i), result("saved"))
			s.call("read_file", "main.go", result("same"))
			s.call("run_command", "go test", green)
			require.NoError(t, s.run.Halted(), i)
		}
	})
	t.Run("the same edit and the same test", func(t *testing.T) {
		s := begin(t, guard.New(), write("edit_file"), write("run_command"))
		for range 3 {
			s.call("edit_file", "a", result("saved"))
			s.call("run_command", "go test", green)
		}
		require.Error(t, s.run.Halted())
	})
	t.Run("a write that failed changed nothing", func(t *testing.T) {
		s := begin(t, guard.New(), write("edit_file"), read("read_file"))
		for i := range 3 {
			s.call("edit_file", fmt.Sprint(i), failed(fault.ReasonPermission))
			s.call("read_file", "main.go", result("same"))
		}
		require.Error(t, s.run.Halted())
	})
	t.Run("the same write three times", func(t *testing.T) {
		s := begin(t, guard.New(), write("edit_file"))
		for range 3 {
			s.call("edit_file", "a", result("saved"))
		}
		require.Error(t, s.run.Halted())
	})
}

// In one batch the model has seen no result it could have learned from.
func TestABatchIsOneStepOfALoop(t *testing.T) {
	s := begin(t, guard.New(), read("a"))
	for range 2 {
		first := uint32(len(s.run.Calls()) + 1)
		for range 5 {
			s.call("a", "1", result("r"), batch(first))
		}
	}
	require.NoError(t, s.run.Halted())
	s.call("a", "1", result("r"))
	require.Error(t, s.run.Halted())
}
