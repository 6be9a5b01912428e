package transcript_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// said is a line of a session of Claude Code.
func said(session, text string) string {
	return fmt.Sprintf(`{"type":"user","sessionId":%q,"message":{"role":"user","content":%q}}`, session, text) + "\n"
}

func called(session, id, result string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":%q,"message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":"t","input":{}}]}}`, session, id) + "\n" +
		fmt.Sprintf(`{"type":"user","sessionId":%q,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}}`, session, id, result) + "\n"
}

func TestOfTooManyOpenSessionsTheOldestIsHandedOn(t *testing.T) {
	t.Parallel()
	in := said("a", "1") + said("b", "1") + said("a", "2") + said("c", "1") + said("b", "2")
	all, _, _, err := readAll(t, strings.NewReader(in), transcript.Options{MaxOpen: 2})
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a", "c", "b"}, ids(all), "b was silent for longest, then a")
	require.Len(t, all[0].Events, 1)
	require.Contains(t, all[0].Problems[0].What, "handed on before its end")
	require.Len(t, all[1].Events, 2)
	require.Empty(t, all[2].Problems)
	require.Contains(t, all[3].Problems[0].What, "the beginning of the run was handed on by itself")
	require.Equal(t, []bool{true, true, false, true}, []bool{all[0].Partial, all[1].Partial, all[2].Partial, all[3].Partial})
}

// Thousands of chats at once are nothing to a log.
func TestManySessionsTurnByTurnStayWhole(t *testing.T) {
	t.Parallel()
	const sessions, turns = 5000, 3
	var in strings.Builder
	for turn := range turns {
		for s := range sessions {
			fmt.Fprintf(&in, `{"session_id":"s%d","role":"user","content":"turn %d"}`+"\n", s, turn)
		}
	}
	all, _, _, err := readAll(t, strings.NewReader(in.String()), transcript.Options{})
	require.NoError(t, err)
	require.Len(t, all, sessions)
	for _, got := range all {
		require.Len(t, got.Events, turns)
		require.False(t, got.Partial)
	}
}

func TestALongSessionGivesUpItsOldestResults(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	in.WriteString(said("a", "question"))
	for i := range 10 {
		in.WriteString(called("a", fmt.Sprint(i), strings.Repeat("x", 10_000)))
	}
	all, _, _, err := readAll(t, strings.NewReader(in.String()), transcript.Options{MaxHeld: 40_000})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Len(t, all[0].Events, 21, "no call is lost")
	kept := 0
	for _, e := range all[0].Events {
		if e.Kind == transcript.Result {
			require.Equal(t, 10_000, len(e.Text)+e.Cut)
			kept += len(e.Text)
		}
	}
	require.InDelta(t, 30_000, kept, 10_000)
	require.Len(t, all[0].Events[20].Text, 10_000, "the newest stays")
	require.Contains(t, all[0].Problems[0].What, "results were not kept")
}

func TestARunOfTooManyEventsIsKnownInPart(t *testing.T) {
	t.Parallel()
	in := `{"messages":[` + strings.Repeat(`{"role":"user","content":"y"},{"role":"assistant","content":"n"},`, 100) + `{"role":"assistant","content":"a"}]}`
	all, _, _, err := readAll(t, strings.NewReader(in), transcript.Options{MaxHeld: 32 << 10})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.InDelta(t, 100, len(all[0].Events), 10)
	require.True(t, all[0].Partial)
	require.Equal(t, "a", all[0].Final, "the answer is known all the same")
	require.Contains(t, all[0].Problems[0].What, "events were not kept")
}

func TestProblemsOfOneTranscriptAreBounded(t *testing.T) {
	t.Parallel()
	in := `{"messages":[` + strings.Repeat(`{"role":"tool","tool_call_id":"x","content":"y"},`, 99) + `{"role":"tool","tool_call_id":"x","content":"y"}]}`
	all, _, stats, err := readAll(t, strings.NewReader(in), transcript.Options{})
	require.NoError(t, err)
	require.Len(t, all[0].Events, 100)
	require.Len(t, all[0].Problems, 32)
	require.Equal(t, "69 more problems", all[0].Problems[31].What)
	require.Equal(t, 100, stats.Problems)
}

// repeated is a stream of n bytes at least, made of one text again and again.
func repeated(text string, n int) io.Reader {
	left := n
	rest := ""
	return readerFunc(func(p []byte) (int, error) {
		if rest == "" {
			if left <= 0 {
				return 0, io.EOF
			}
			rest = text
			left -= len(text)
		}
		k := copy(p, rest)
		rest = rest[k:]
		return k, nil
	})
}

func TestMemoryDoesNotGrowWithTheInput(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MiB seven times")
	}
	row := `{"id":"r","events":[{"type":"call","id":"c","tool":"t","args":{}},{"type":"result","id":"c","content":"` +
		strings.Repeat(`line of a result\n`, 500) + `"}],"final":"done"}`
	for name, in := range map[string]io.Reader{
		"lines":       repeated(row+"\n", 64<<20),
		"one array":   io.MultiReader(strings.NewReader("["), repeated(row+",", 64<<20), strings.NewReader(row+"]")),
		"one line":    io.MultiReader(strings.NewReader(`{"events":"`), repeated(strings.Repeat("x x x x ", 512), 64<<20), strings.NewReader(`"}`)),
		"one message": io.MultiReader(strings.NewReader("["), repeated(`{"role":"user","content":"`+strings.Repeat("y", 4000)+`"},`, 64<<20), strings.NewReader(`{"role":"assistant","content":"a"}]`)),
		"one run": io.MultiReader(strings.NewReader(`{"messages":[`), repeated(`{"role":"user","content":"y"},`, 15<<20), strings.NewReader(`{"role":"user","content":"a"}]}`),
			repeated(strings.Repeat("\n", 4096), 50<<20)),
		"one content": io.MultiReader(strings.NewReader(`{"messages":[{"role":"user","content":[`), repeated(`"y",`, 15<<20), strings.NewReader(`"y"]}]}`),
			repeated(strings.Repeat("\n", 4096), 50<<20)),
		"one session": repeated(called("a", "same", strings.Repeat("z", 4000)), 64<<20),
	} {
		t.Run(name, func(t *testing.T) {
			var before, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var peak uint64
			n := 0
			look := func() {
				if n++; n%64 == 0 {
					runtime.ReadMemStats(&now)
					peak = max(peak, now.HeapAlloc)
				}
			}
			stats, err := transcript.Read(t.Context(), in, transcript.Options{OnBytes: func(int64) { look() }}, func(*transcript.Transcript) error {
				look()
				return nil
			})
			require.NoError(t, err)
			require.Greater(t, stats.Bytes, int64(64<<20))
			require.Less(t, int64(peak)-int64(before.HeapAlloc), int64(72<<20), "of heap, garbage included")
			t.Logf("%d MiB of heap at most, %+v", (int64(peak)-int64(before.HeapAlloc))>>20, stats)
		})
	}
}
