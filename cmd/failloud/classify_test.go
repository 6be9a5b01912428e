package main_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

func TestClassifyPrintsOneVerdictALine(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "classify", "testdata/mixed.jsonl")
	require.Zero(t, got.code, got.stderr)
	golden := filepath.Join("testdata", "mixed.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.stdout), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.stdout)
}

func TestClassifyReadsStandardInputByDefault(t *testing.T) {
	t.Parallel()
	line := `{"id":"a","effect":"read","signal":{"http_status":503,"headers":{"retry-after":"1.5"},"content":""}}`
	for _, args := range [][]string{{"classify"}, {"classify", "-"}} {
		got := failloud(t, strings.NewReader(line), args...)
		require.Zero(t, got.code, got.stderr)
		v := one(t, got.stdout)
		require.Equal(t, "a", v.ID)
		require.True(t, v.IsFailure)
		require.Equal(t, "retry", v.Action)
	}
}

func TestClassifyTakesTheResponseOfCurl(t *testing.T) {
	t.Parallel()
	response := "HTTP/2 429 \r\nretry-after: 7\r\ncontent-type: text/plain\r\n\r\nslow down\n"
	for _, args := range [][]string{{"classify", "--http"}, {"classify"}} {
		got := failloud(t, strings.NewReader(response), append(args, "--effect", "write", "--tool", "post_order")...)
		require.Zero(t, got.code, got.stderr)
		v := one(t, got.stdout)
		require.Equal(t, "1", v.ID)
		require.Equal(t, "rate_limit", v.Reason)
		require.Equal(t, "retry", v.Action, "rejected before it ran, so even a write may be repeated")
		require.Equal(t, "no", v.Ran)
		require.NotNil(t, v.RetryAfter)
		require.InDelta(t, 7, *v.RetryAfter, 1e-9)
		require.NotEmpty(t, v.Rule)
		require.Contains(t, v.Line, "post_order")
	}
}

func TestClassifySeesThatABodyEndedEarly(t *testing.T) {
	t.Parallel()
	response := "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 200\n\n{\"items\":[{\"id\":1},{"
	got := failloud(t, strings.NewReader(response), "classify", "--effect", "read")
	require.Zero(t, got.code, got.stderr)
	v := one(t, got.stdout)
	require.True(t, v.IsFailure, "half a list is not a list")
	require.Equal(t, "retry", v.Action)
}

func TestClassifyTakesTheTextOfAnError(t *testing.T) {
	t.Parallel()
	text := "Post \"https://pay.example.test/v1\": read tcp 10.0.0.2:1->10.0.0.9:443: read: connection reset by peer\n"
	for effect, action := range map[string]string{"read": "retry", "write": "escalate"} {
		got := failloud(t, strings.NewReader(text), "classify", "--text", "--effect", effect)
		require.Zero(t, got.code, got.stderr)
		require.Equal(t, action, one(t, got.stdout).Action, effect)
	}
}

func TestClassifyGoesOnAfterLinesItCannotRead(t *testing.T) {
	t.Parallel()
	input := strings.Join([]string{
		`{"id":"first","signal":{"http_status":404}}`,
		`not json`,
		``,
		`{"id":"x","effect":"sometimes","signal":{"http_status":404}}`,
		`{"id":"last","signal":{"http_status":404}}`,
	}, "\n")
	got := failloud(t, strings.NewReader(input), "classify")
	require.Equal(t, 2, got.code)
	all := verdicts(t, got.stdout)
	require.Len(t, all, 2)
	require.Equal(t, "first", all[0].ID)
	require.Equal(t, "last", all[1].ID)
	require.Contains(t, got.stderr, "line 2: not valid JSON")
	require.Contains(t, got.stderr, `line 4: effect: unknown "sometimes", valid are read, idempotent_write`)
}

func TestClassifySaysHowToPasteWhatIsNotJSONLines(t *testing.T) {
	t.Parallel()
	got := failloud(t, strings.NewReader("dial tcp: connection refused\n"), "classify")
	require.Equal(t, 2, got.code)
	require.Empty(t, got.stdout)
	require.Contains(t, got.stderr, "--text")
}

func TestClassifyNumbersWhatHasNoID(t *testing.T) {
	t.Parallel()
	got := failloud(t, strings.NewReader("\n"+`{"signal":{"http_status":200}}`), "classify")
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "2", one(t, got.stdout).ID, "the number of its line")
}

func TestClassifyBoundsALine(t *testing.T) {
	t.Parallel()
	huge := io.MultiReader(
		strings.NewReader(`{"id":"huge","signal":{"content":"`),
		io.LimitReader(endless('a'), 64<<20),
		strings.NewReader("\"}}\r\n"+`{"id":"next","signal":{"http_status":500}}`),
	)
	got := failloud(t, huge, "classify")
	require.Equal(t, 2, got.code)
	require.Contains(t, got.stderr, "line 1: longer than 4194304 bytes")
	require.Equal(t, "next", one(t, got.stdout).ID)
}

func TestClassifyAnswersWhileTheInputIsStillOpen(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary, "classify")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	answers := bufio.NewScanner(out)
	for i := range 3 {
		_, err := fmt.Fprintf(in, `{"id":"%d","signal":{"http_status":401}}`+"\n", i)
		require.NoError(t, err)
		require.True(t, answers.Scan(), "an answer before the next line is written")
		require.Equal(t, fmt.Sprint(i), one(t, answers.Text()).ID)
	}
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
}

func TestClassifyNeverPrintsControlCharacters(t *testing.T) {
	t.Parallel()
	hostile := "\x1b[2J\u009b31m\u202e\u2028\x7f"
	input := "{\"id\":\"a\u009b\u202e\U000e0001\",\"tool\":\"t\u009b\",\"signal\":{\"mcp_is_error\":true,\"content\":\"x\u009b\"}}\n" +
		"{\"id\":\"" + hostile + "\n{\"effect\":\"\u009b31m\"}\n\xff\x9b\n"
	got := failloud(t, strings.NewReader(input), "classify")
	require.Equal(t, 2, got.code)
	for _, r := range got.stdout + got.stderr {
		require.True(t, r == '\n' || unicode.IsPrint(r), "%U in %q", r, got.stdout+got.stderr)
	}
	require.Equal(t, "a\u009b\u202e\U000e0001", one(t, got.stdout).ID, "escaped, not lost")
}

func TestClassifyOfNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args  []string
		input string
		says  string
	}{
		"no lines":      {[]string{"classify"}, "", "the input is empty"},
		"blank lines":   {[]string{"classify"}, "\n \n", "the input is empty"},
		"no response":   {[]string{"classify", "--http"}, "", "no HTTP response"},
		"no error text": {[]string{"classify", "--text"}, "\n", "the input is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := failloud(t, strings.NewReader(tc.input), tc.args...)
			require.Equal(t, 2, got.code)
			require.Empty(t, got.stdout)
			require.Contains(t, got.stderr, tc.says)
			require.Contains(t, got.stderr, "nothing was classified")
		})
	}
}

func TestWrongUseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		says string
	}{
		"no command":      {nil, "failloud --help"},
		"unknown command": {[]string{"clasify"}, "clasify"},
		"unknown flag":    {[]string{"classify", "--json"}, "--json"},
		"two forms":       {[]string{"classify", "--http", "--text"}, "--http"},
		"unknown effect":  {[]string{"classify", "--effect", "maybe"}, `--effect: unknown "maybe", valid are read`},
		"no such file":    {[]string{"classify", "testdata/absent.jsonl"}, "absent.jsonl"},
		"a folder":        {[]string{"classify", "testdata"}, "testdata"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := failloud(t, strings.NewReader(""), tc.args...)
			require.Equal(t, 1, got.code, got.stderr)
			require.Empty(t, got.stdout)
			require.Contains(t, got.stderr, tc.says)
			require.True(t, strings.HasPrefix(got.stderr, "failloud: "), got.stderr)
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	help := failloud(t, nil, "classify", "--help")
	require.Zero(t, help.code)
	for _, word := range []string{"--http", "--text", "--effect", "retry_after_s", "Exit codes"} {
		require.Contains(t, help.stdout, word)
	}
	version := failloud(t, nil, "version")
	require.Zero(t, version.code)
	require.Regexp(t, `^failloud \S+ go1\.\d+`, version.stdout)
}

// endless is a reader of one byte, over and over.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}
