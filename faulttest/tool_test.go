package faulttest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/faulttest"
)

type receipt struct {
	ID     string `json:"id"`
	Amount int    `json:"amount"`
}

func pay(_ context.Context, id string) (receipt, error) { return receipt{ID: id, Amount: 12}, nil }

func TestAToolFailsBeforeOrAfterItsEffect(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	tool := faulttest.Tool(pay, faulttest.Once(
		faulttest.Error(refused), faulttest.Reset(), faulttest.Cut().AfterEffect(), faulttest.Status(503), faulttest.TruncatedBody()))
	call := func() (receipt, error) { return tool.Call(t.Context(), "inv-1") }

	_, err := call()
	require.Same(t, refused, err)
	_, err = call()
	require.ErrorIs(t, err, syscall.ECONNRESET)
	require.Zero(t, tool.Effects("inv-1"))
	out, err := call()
	require.ErrorIs(t, err, io.EOF)
	require.Zero(t, out, "the reply is lost")
	require.Equal(t, 1, tool.Effects("inv-1"), "the effect is not")
	_, err = call()
	var status *faulttest.StatusError
	require.ErrorAs(t, err, &status)
	require.Equal(t, 503, status.StatusCode())
	require.Equal(t, "application/json", status.Header().Get("Content-Type"))
	_, err = call()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	out, err = call()
	require.NoError(t, err, "healed")
	require.Equal(t, receipt{"inv-1", 12}, out)
	require.Equal(t, 6, tool.Calls())
	require.Equal(t, map[string]int{"inv-1": 2}, tool.AllEffects())
}

func TestAToolHangsUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	tool := faulttest.Tool(pay, faulttest.Always(faulttest.Hang()))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := tool.Call(ctx, "inv-1")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestAToolPanics(t *testing.T) {
	t.Parallel()
	tool := faulttest.Tool(pay, faulttest.Always(faulttest.Panic("boom").AfterEffect()))
	require.PanicsWithValue(t, "boom", func() { _, _ = tool.Call(t.Context(), "inv-1") })
	require.Equal(t, 1, tool.Effects("inv-1"))
}

func TestAToolLies(t *testing.T) {
	t.Parallel()
	raw := func(f faulttest.Failure) (json.RawMessage, error) {
		return faulttest.Tool(func(context.Context, string) (json.RawMessage, error) { return nil, nil }, faulttest.Always(f)).Call(t.Context(), "q")
	}
	out, err := raw(faulttest.SoftError())
	require.NoError(t, err)
	require.JSONEq(t, `{"ok":false,"error":"channel_archived"}`, string(out))
	_, err = raw(faulttest.LoginPage())
	require.ErrorContains(t, err, "decode answer", "a typed client cannot read a login page")

	text := faulttest.Tool(func(context.Context, string) (string, error) { return "", nil }, faulttest.Once(faulttest.LoginPage(), faulttest.Empty()))
	page, err := text.Call(t.Context(), "q")
	require.NoError(t, err, "a text tool cannot tell")
	require.Contains(t, page, "<html>")
	page, err = text.Call(t.Context(), "q")
	require.NoError(t, err)
	require.Empty(t, page)

	rows := faulttest.Tool(func(context.Context, string) ([]receipt, error) { return []receipt{{}}, nil }, faulttest.Once(faulttest.Empty()))
	list, err := rows.Call(t.Context(), "q")
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestARealFailureIsNotHidden(t *testing.T) {
	t.Parallel()
	real := errors.New("real")
	tool := faulttest.Tool(func(context.Context, int) (int, error) { return 0, real }, faulttest.Once(faulttest.Status(500).AfterEffect()))
	_, err := tool.Call(t.Context(), 1)
	require.Same(t, real, err)
	require.Empty(t, tool.AllEffects(), "what failed has no effect")
}

func TestParallelCallsTakeOneStepEach(t *testing.T) {
	t.Parallel()
	tool := faulttest.Tool(func(context.Context, receipt) (string, error) { return "ok", nil }, faulttest.Times(10, faulttest.Status(500))).
		CountBy(func(r receipt) string { return r.ID })
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() { _, _ = tool.Call(t.Context(), receipt{ID: "x"}) })
	}
	all.Wait()
	require.Equal(t, 40, tool.Calls())
	require.Equal(t, 30, tool.Effects("x"))
}
