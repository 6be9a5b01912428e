//go:build unix

package tools_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
	"github.com/failloud/failloud/toolkit/tools"
)

// A person's decision is about one command that was killed. It is told to the
// next call for the same command; the one after that is new work.
func TestACommandRunsAgainOnceAPersonHasDecided(t *testing.T) {
	t.Parallel()
	for _, choice := range idempotency.Choices(idempotency.Escalated) {
		t.Run(choice.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			kit := toolkit.New(toolkit.Config{})
			command := toolkit.Wrap(kit, tools.RunCommand(tools.CommandConfig{Dir: dir, Shell: true, Timeout: 300 * time.Millisecond}))
			deploy := line("echo x >> log; test $(wc -l < log) -gt 1 || sleep 30")
			begin := func() context.Context {
				ctx, run, err := kit.Start(t.Context(), runrecord.Task{Name: "deploy", Key: "t-1"})
				require.NoError(t, err)
				t.Cleanup(run.End)
				return ctx
			}
			ran := func() int { return strings.Count(get(t, filepath.Join(dir, "log")), "x") }

			ctx := begin()
			res := command.Invoke(ctx, deploy)
			require.Equal(t, fault.KindUnknown, res.Outcome.Kind, "%+v", res.Outcome)
			require.Equal(t, fault.KindUnknown, command.Invoke(ctx, deploy).Outcome.Kind)
			require.Equal(t, 1, ran(), "in doubt, it starts nothing")

			desk := kit.Cases()
			cases, err := desk.List(ctx, escalation.Filter{})
			require.NoError(t, err)
			require.Len(t, cases, 1)
			d := cases[0].Decide(choice, "maria")
			if choice == idempotency.WentThrough {
				d.Result = []byte(`{"exit_code":0,"output":"deployed"}`)
			}
			_, err = desk.Resolve(ctx, d)
			require.NoError(t, err)

			ctx = begin() // an aborted run makes no more calls
			told := command.Invoke(ctx, deploy)
			switch choice {
			case idempotency.WentThrough:
				require.True(t, told.Outcome.Qualifiers.Has(fault.Replayed), "%+v", told.Outcome)
				require.Equal(t, "deployed", told.Value.Output)
			case idempotency.RunAgain:
				require.True(t, told.Outcome.OK(), "%+v", told.Outcome)
				require.False(t, told.Outcome.Qualifiers.Has(fault.Replayed))
			case idempotency.GiveUp:
				require.Equal(t, fault.KindFailed, told.Outcome.Kind)
			case idempotency.Abort:
				require.Equal(t, fault.KindUnknown, told.Outcome.Kind)
				require.Empty(t, told.Outcome.Case)
			}
			before := ran()
			res = command.Invoke(ctx, deploy)
			require.True(t, res.Outcome.OK(), "%+v", res.Outcome)
			require.False(t, res.Outcome.Qualifiers.Has(fault.Replayed))
			require.Equal(t, before+1, ran())
		})
	}
}

func TestAFileIsWrittenAgainOnceAPersonHasDecided(t *testing.T) {
	t.Parallel()
	dir, root := workspace(t, tools.DirConfig{})
	tool := dir.WriteFile()
	call, lost := tool.Call, true
	tool.Call = func(ctx context.Context, in tools.WriteFileIn) (tools.Written, error) {
		out, err := call(ctx, in)
		if lost {
			err = context.DeadlineExceeded
		}
		return out, err
	}
	tool.Check = nil // nobody can tell
	kit := toolkit.New(toolkit.Config{Backoff: toolkit.Backoff{Base: time.Millisecond}})
	write := toolkit.Wrap(kit, tool)
	ctx, run, err := kit.Start(t.Context(), runrecord.Task{Name: "notes", Key: "t-1"})
	require.NoError(t, err)
	t.Cleanup(run.End)
	in := tools.WriteFileIn{Path: "a.txt", Content: "A"}
	require.Equal(t, fault.KindUnknown, write.Invoke(ctx, in).Outcome.Kind)
	cases, err := kit.Cases().List(ctx, escalation.Filter{})
	require.NoError(t, err)
	_, err = kit.Cases().Resolve(ctx, cases[0].Decide(idempotency.GiveUp, "maria"))
	require.NoError(t, err)
	lost = false
	require.Equal(t, fault.KindFailed, write.Invoke(ctx, in).Outcome.Kind, "it was given up")
	require.NoError(t, os.Remove(filepath.Join(root, "a.txt")))
	res := write.Invoke(ctx, in)
	require.True(t, res.Outcome.OK(), "%+v", res.Outcome)
	require.Equal(t, "A", get(t, filepath.Join(root, "a.txt")))
}
