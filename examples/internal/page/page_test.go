package page_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/failloud/failloud/examples/internal/page"
)

func TestLongTextGoesOnInItsOwnColumn(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := page.New(&out)
	p.Field("what the user reads:", "%s", strings.Repeat("không lấy được ", 20))
	require.NoError(t, p.Err())
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	require.Greater(t, len(lines), 2)
	for i, line := range lines {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 100)
		if i > 0 {
			require.True(t, strings.HasPrefix(line, strings.Repeat(" ", 26)), line)
		}
	}
	require.Equal(t, 20, strings.Count(out.String(), "được"), "no word is lost")
}

func TestAWordThatDoesNotFitIsNotCut(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	word := strings.Repeat("x", 150)
	page.New(&out).Line("  %s", word)
	require.Equal(t, "  "+word+"\n", out.String())
}

func TestALogLineTellsWhatSaysSomething(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := page.Logger(page.New(&out)).With(zap.String("tool", "get_invoices"))
	log.Debug("not shown")
	log.Warn("tool call failed", zap.Int("status", 0), zap.String("reason", "timeout"), zap.String("run_id", "01a2"))
	require.Equal(t, "  WARN  tool call failed tool=get_invoices reason=timeout\n", out.String())
}

func TestTheFirstErrorIsKept(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	p := page.New(failing{full})
	p.Title("a title")
	p.Line("a line")
	require.ErrorIs(t, p.Err(), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
