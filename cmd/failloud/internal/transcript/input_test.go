package transcript_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// one is a whole run with that id and time.
func one(id, at string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":%q,"messages":[{"role":"user","content":"q %s"},{"role":"assistant","content":"a"}]}`, id, at, id)
}

func ids(all []*transcript.Transcript) []string {
	var out []string
	for _, t := range all {
		out = append(out, t.ID)
	}
	return out
}

func zipped(parts ...string) string {
	var out bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&out)
		_, _ = io.WriteString(w, p)
		_ = w.Close()
	}
	return out.String()
}

func TestTheSameRunsAreFoundInEveryWrapping(t *testing.T) {
	t.Parallel()
	a, b := one("a", "2026-01-01"), one("b", "2026-01-02")
	pretty := strings.NewReplacer(`{"`, "{\n  \"", `,"`, ",\n  \"", "}]}", "}\n]\n}").Replace(a)
	for name, c := range map[string]struct {
		in    string
		lines int
	}{
		"lines":           {a + "\n" + b + "\n", 2},
		"windows":         {a + "\r\n\r\n" + b, 3},
		"byte order mark": {"\xef\xbb\xbf" + a + "\n" + b, 2},
		"concatenated":    {a + b, 1},
		"array":           {"[" + a + "," + b + "]", 1},
		"pretty":          {pretty + "\n" + b, 2 + strings.Count(pretty, "\n")},
		"pretty array":    {"[\n" + pretty + ",\n" + b + "\n]\n", 4 + strings.Count(pretty, "\n")},
		"gzip":            {zipped(a + "\n" + b), 2},
		"gzip in members": {zipped(a+"\n", b), 2},
		"gzip with mark":  {zipped("\xef\xbb\xbf" + a + "\n" + b), 2},
	} {
		in := c.in
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen int64
			all, loose, stats, err := readAll(t, strings.NewReader(in), transcript.Options{OnBytes: func(n int64) { seen = n }})
			require.NoError(t, err)
			require.Empty(t, loose)
			require.Equal(t, []string{"a", "b"}, ids(all))
			require.Equal(t, "a", all[0].Final)
			require.Equal(t, int64(len(in)), seen)
			require.Equal(t, c.lines, stats.Lines)
			require.Equal(t, int64(len(in)), stats.Bytes)
		})
	}
}

func TestWhatCannotBeDecodedIsRefusedInWords(t *testing.T) {
	t.Parallel()
	wide := func(order func(uint16) []byte) string {
		var out []byte
		for _, u := range utf16.Encode([]rune("\uFEFF" + one("a", ""))) {
			out = append(out, order(u)...)
		}
		return string(out)
	}
	little := wide(func(u uint16) []byte { return []byte{byte(u), byte(u >> 8)} })
	big := wide(func(u uint16) []byte { return []byte{byte(u >> 8), byte(u)} })
	for name, c := range map[string]struct{ in, says string }{
		"little":      {little, "iconv -f UTF-16"},
		"big":         {big, "iconv -f UTF-16"},
		"no mark":     {little[2:], "iconv -f UTF-16"},
		"inside gzip": {zipped(little), "iconv -f UTF-16"},
		"zstd":        {"\x28\xb5\x2f\xfd....", "zstd"},
		"zip":         {"PK\x03\x04....", "unzip"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, _, _, err := readAll(t, strings.NewReader(c.in), transcript.Options{})
			require.ErrorIs(t, err, transcript.ErrEncoding)
			require.ErrorContains(t, err, c.says)
			require.Empty(t, all)
		})
	}
}

func TestBadValuesAreReportedAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	a, b := one("a", ""), one("b", "")
	for name, c := range map[string]struct {
		bad             string
		line            int
		says            string
		broken, unknown int
	}{
		"torn":            {a[:40], 2, "ends too early", 1, 0},
		"words":           {"panic: secret-payload", 2, "is no JSON", 1, 0},
		"deep":            {`{"messages":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}", 2, "nested too deeply", 1, 0},
		"too long":        {`{"messages":"` + strings.Repeat("secret-payload", 2<<10) + `"}`, 2, "too long", 1, 0},
		"unknown shape":   {`{"secret":"secret-payload","count":1}`, 2, `an object with "secret" "count"; known are failloud (`, 0, 1},
		"unknown, hidden": {`{"a\u001b[31m":1}`, 2, `an object with "a\x1b[31m"`, 0, 1},
		"a number":        {"17", 2, "no known format: a number", 0, 1},
		"null":            {"null", 2, "no known format: null", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, loose, stats, err := readAll(t, strings.NewReader(a+"\n"+c.bad+"\n"+b), transcript.Options{File: "f.jsonl", MaxLine: 24 << 10})
			require.NoError(t, err)
			require.Equal(t, []string{"a", "b"}, ids(all))
			require.Len(t, loose, 1)
			require.Equal(t, "f.jsonl", loose[0].File)
			require.Equal(t, c.line, loose[0].Line)
			require.Contains(t, loose[0].String(), c.says)
			require.NotContains(t, loose[0].String(), "payload")
			require.NotContains(t, loose[0].String(), "\x1b")
			require.Equal(t, c.broken, stats.Broken)
			require.Equal(t, c.unknown, stats.Unknown)
			require.Equal(t, 2, stats.Taken)
			require.Equal(t, 1, stats.Problems)
		})
	}
}

func TestUnknownShapesAreReportedOnceAKindAndCounted(t *testing.T) {
	t.Parallel()
	_, loose, stats, err := readAll(t, strings.NewReader(strings.Repeat("{\"x\":1}\n", 5)+`{"y":1}`), transcript.Options{})
	require.NoError(t, err)
	require.Equal(t, 6, stats.Unknown)
	require.Len(t, loose, 3)
	require.Equal(t, 1, loose[0].Line)
	require.Equal(t, 6, loose[1].Line)
	require.Contains(t, loose[2].What, "4 times more")
}

func TestInvalidUTF8IsReplacedAndReported(t *testing.T) {
	t.Parallel()
	all, loose, _, err := readAll(t, strings.NewReader(strings.Replace(one("a", ""), "q a", "q \xff", 1)), transcript.Options{})
	require.NoError(t, err)
	require.Equal(t, "q \uFFFD", all[0].Events[0].Text)
	require.Len(t, loose, 1)
	require.Contains(t, loose[0].What, "UTF-8")
}

func TestAFailingInputHandsOnWhatArrived(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	all, _, _, err := readAll(t, io.MultiReader(strings.NewReader(one("a", "")+"\n"), iotest.ErrReader(boom)), transcript.Options{})
	require.ErrorIs(t, err, boom)
	require.Equal(t, []string{"a"}, ids(all))

	whole := zipped(strings.Repeat(one("a", "")+"\n", 2000))
	all, loose, _, err := readAll(t, strings.NewReader(whole[:len(whole)-20]), transcript.Options{})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NotEmpty(t, all)
	require.Contains(t, loose[len(loose)-1].What, "compressed data ends too early")
}

func TestSinceLeavesOutWhatIsOlder(t *testing.T) {
	t.Parallel()
	in := one("old", "2025-12-31T23:59:59Z") + one("new", "2026-01-01T00:00:00+00:00") + one("seconds", "") +
		`{"id":"epoch","created":1700000000,"messages":[{"role":"user","content":"e"}]}` +
		`{"id":"millis","created":1767225600000,"messages":[{"role":"user","content":"m"}]}` +
		`{"id":"across","timestamp":"2025-12-31","messages":[{"role":"user","content":"x"},{"role":"user","content":"y","timestamp":"2026-01-01 10:00:00"}]}`
	all, _, stats, err := readAll(t, strings.NewReader(in), transcript.Options{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(t, []string{"new", "seconds", "millis", "across"}, ids(all), "one without a time is kept, and one that went on")
	require.Equal(t, 2, stats.Old)
}

func TestACancelledContextStopsAndHandsOnWhatIsKnown(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	line := []byte(one("a", "") + "\n")
	endless := readerFunc(func(p []byte) (int, error) { return copy(p, line), nil })
	n := 0
	_, err := transcript.Read(ctx, endless, transcript.Options{}, func(*transcript.Transcript) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, n, 3)
}

func TestAnErrorOfYieldStops(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	_, err := transcript.Read(t.Context(), strings.NewReader(strings.Repeat(`{"evidence":[],"answer":"a"}`, 9)), transcript.Options{},
		func(*transcript.Transcript) error { return enough })
	require.ErrorIs(t, err, enough)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
