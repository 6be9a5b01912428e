package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

type listing struct {
	Folder string `json:"folder"`
}

// files returns a kit in which search_files is replaced by list_directory, and
// that by nothing.
func files(effect fault.Effect, search error, list error) (*toolkit.Kit, *toolkit.Wrapped[query, []string], *script) {
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
	searching := toolkit.Wrap(kit, toolkit.Tool[query, []string]{
		Name: "search_files", Effect: effect,
		Call: func(context.Context, query) ([]string, error) { return []string{"found.txt"}, search },
		Fallback: []toolkit.Fallback{{Tool: "list_directory", Adapt: func(args json.RawMessage) (json.RawMessage, error) {
			var q query
			if err := json.Unmarshal(args, &q); err != nil {
				return nil, err
			}
			return json.Marshal(listing{Folder: q.Customer})
		}}},
	})
	substitute := ending(list)
	toolkit.Wrap(kit, toolkit.Tool[listing, []string]{
		Name: "list_directory", Effect: fault.Read,
		Call: func(ctx context.Context, l listing) ([]string, error) {
			_, err := substitute.call(ctx, acme)
			return []string{l.Folder + "/a.txt"}, err
		},
	})
	return kit, searching, substitute
}

func TestASubstituteStandsIn(t *testing.T) {
	t.Parallel()
	broken := refusedBy(fault.ReasonServerError, 500)
	for _, tt := range []struct {
		name         string
		effect       fault.Effect
		search, list error
		kind         fault.Kind
		stoodIn      bool
		value        []string
	}{
		{"not needed", fault.Read, nil, nil, fault.KindOK, false, []string{"found.txt"}},
		{"after a failure", fault.Read, broken, nil, fault.KindOK, true, []string{"ACME/a.txt"}},
		{"after a timeout of a read", fault.Read, noAnswer(), nil, fault.KindOK, true, []string{"ACME/a.txt"}},
		{"it fails, too", fault.Read, broken, broken, fault.KindFailed, false, nil},
		{"after a write that did nothing", fault.Write, broken, nil, fault.KindOK, true, []string{"ACME/a.txt"}},
		{"not after a write that may have happened", fault.Write, noAnswer(), nil, fault.KindUnknown, false, nil},
		{"not after a person's no", fault.Read, fault.Denied("no"), nil, fault.KindDenied, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kit, search, list := files(tt.effect, tt.search, tt.list)
			ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
			res := search.Invoke(ctx, acme)
			require.Equal(t, tt.kind, res.Outcome.Kind)
			require.Equal(t, tt.value, res.Value)
			require.Len(t, run.Calls(), 1, "one call of the model is one call of the record")
			call := run.Calls()[0]
			if !tt.stoodIn {
				require.Equal(t, "search_files", call.ToolName())
				return
			}
			require.EqualValues(t, 1, list.entered.Load())
			require.True(t, res.Outcome.Qualifiers.Has(fault.Fallback))
			require.Equal(t, "search_files", res.Outcome.FallbackOf)
			require.Equal(t, 2, res.Attempts)
			require.Contains(t, res.String(), "stands in for search_files")
			require.Equal(t, "list_directory", call.ToolName())
			require.Equal(t, "search_files", call.Detail.FallbackOf)
		})
	}
}

func TestASubstituteWorksForADeadUpstreamAndAnOpenBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, search, _ := files(fault.Read, refusedBy(fault.ReasonAuth, 401), nil)
		ctx, _ := start(t, kit, runrecord.Task{})
		for range 3 {
			require.True(t, search.Invoke(ctx, acme).Outcome.OK())
		}
		kit, search, _ = files(fault.Read, noAnswer(), nil)
		ctx, _ = start(t, kit, runrecord.Task{})
		for range 15 {
			require.True(t, search.Invoke(ctx, acme).Outcome.OK())
		}
		require.Equal(t, 1, search.Invoke(ctx, acme).Attempts, "the breaker is open: only the substitute was entered")
	})
}

func TestALinkThatCannotBeUsedOnlyEndsTheLink(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		adapt func(json.RawMessage) (json.RawMessage, error)
	}{
		{"the adapter fails", func(json.RawMessage) (json.RawMessage, error) { return nil, errors.New("no") }},
		{"the adapter panics", func(json.RawMessage) (json.RawMessage, error) { panic("no") }},
		{"the arguments do not fit", func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{"folder":7}`), nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kit := toolkit.New(toolkit.Config{})
			first := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "first", Effect: fault.Read,
				Call:     ending(refusedBy(fault.ReasonServerError, 500)).call,
				Fallback: []toolkit.Fallback{{Tool: "second", Adapt: tt.adapt}, {Tool: "third"}}})
			toolkit.Wrap(kit, toolkit.Tool[listing, string]{Name: "second", Effect: fault.Read,
				Call: func(context.Context, listing) (string, error) { return "second", nil }})
			third := ending(nil)
			read(kit, "third", third.call)
			ctx, _ := start(t, kit, runrecord.Task{})
			res := first.Invoke(ctx, acme)
			require.True(t, res.Outcome.OK())
			require.EqualValues(t, 1, third.entered.Load())
		})
	}
}

func TestASubstituteOfAnotherTypeIsShownAsItIs(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	first := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "first", Effect: fault.Read,
		Call: ending(refusedBy(fault.ReasonServerError, 500)).call, Fallback: toolkit.FallbackTo("second")})
	toolkit.Wrap(kit, toolkit.Tool[query, map[string]any]{Name: "second", Effect: fault.Read,
		Call: func(context.Context, query) (map[string]any, error) {
			return map[string]any{"id": "INV-9", "amount": 5, "source": "archive"}, nil
		}})
	ctx, _ := start(t, kit, runrecord.Task{})
	res := first.Invoke(ctx, acme)
	require.Equal(t, invoice{"INV-9", 5}, res.Value)
	require.Contains(t, res.String(), "archive")
	require.Contains(t, kit.Invoke(ctx, "first", json.RawMessage(`{"customer":"ACME","year":1}`)).String(), "archive")
}

func TestASubstituteThatLeavesADoubtIsTheNews(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
	pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay_by_card", Effect: fault.Write,
		Call: ending(refusedBy(fault.ReasonServerError, 500)).call, Fallback: toolkit.FallbackTo("pay_by_bank", "pay_by_post")})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay_by_bank", Effect: fault.Write, Call: ending(noAnswer()).call})
	post := ending(nil)
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay_by_post", Effect: fault.Write, Call: post.call})
	ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
	res := pay.Invoke(ctx, acme)
	require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
	require.Zero(t, post.entered.Load(), "the bank may have paid")
	require.Contains(t, res.String(), "pay_by_bank")
	call := run.Calls()[0]
	require.Equal(t, "pay_by_bank", call.ToolName())
	require.Equal(t, "pay_by_card", call.Detail.FallbackOf)
	require.NotEmpty(t, run.OpenCases())
}
