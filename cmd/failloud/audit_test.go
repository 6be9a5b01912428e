package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const pastRuns = "testdata/audit/runs.jsonl"

// auditRow is what a script reads from one line of --format json.
type auditRow struct {
	ID       string `json:"id"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Decision string `json:"decision"`
	Findings []struct {
		Kind     string  `json:"kind"`
		Step     int     `json:"step"`
		Span     *[2]int `json:"span"`
		Text     string  `json:"text"`
		Call     string  `json:"call"`
		Evidence string  `json:"evidence"`
		Asks     string  `json:"asks"`
		Line     int     `json:"line"`
	} `json:"findings"`
	Failed      *[]string `json:"failed_calls"`
	Unrecovered *[]string `json:"unrecovered"`
	Disclosed   *bool     `json:"disclosed"`
}

// audited reads the rows of --format json by their ids.
func audited(t *testing.T, stdout string) map[string]auditRow {
	t.Helper()
	all := map[string]auditRow{}
	for line := range strings.Lines(stdout) {
		var row auditRow
		require.NoError(t, json.Unmarshal([]byte(line), &row), line)
		require.NotNil(t, row.Failed, line)
		require.NotNil(t, row.Unrecovered, line)
		require.NotNil(t, row.Disclosed, line)
		require.NotContains(t, all, row.ID)
		all[row.ID] = row
	}
	return all
}

func decisions(rows map[string]auditRow) map[string]string {
	all := map[string]string{}
	for id, row := range rows {
		all[id] = row.Decision
	}
	return all
}

func TestAuditTellsInWordsWhatItFound(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "audit", pastRuns)
	require.Zero(t, got.code, got.stderr)
	golden := filepath.Join("testdata", "audit", "table.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.stdout), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.stdout)
	require.True(t, strings.HasPrefix(got.stdout, "6 runs, 5 answers: 1 stood on a dead tool, 1 hid a failed call, 1 claimed an\naction that never happened"), got.stdout)
	for line := range strings.Lines(got.stdout) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
	}
	require.Equal(t, "failloud: "+pastRuns+":6: the call \"u1\" has no result\n", got.stderr)
}

func TestAuditWritesOneLineARun(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "audit", "--format", "json", pastRuns)
	require.Zero(t, got.code, got.stderr)
	rows := audited(t, got.stdout)
	require.Equal(t, map[string]string{
		"flights": "refuse", "invoices": "disclose", "mail": "refuse", "rate": "disclose", "weather": "answer", "unfinished": "none",
	}, decisions(rows))

	hidden := rows["invoices"]
	require.Equal(t, pastRuns, hidden.File)
	require.Equal(t, 2, hidden.Line)
	require.Equal(t, []string{"i2"}, *hidden.Failed)
	require.Equal(t, []string{"i2"}, *hidden.Unrecovered)
	require.False(t, *hidden.Disclosed)
	require.Equal(t, "hidden_failure", hidden.Findings[0].Kind)
	require.Equal(t, "i2", hidden.Findings[0].Call)

	claim := rows["mail"].Findings[0]
	require.Equal(t, "claim_not_done", claim.Kind)
	require.NotNil(t, claim.Span)
	const answer = "Done. I have sent the email to ana@example.com."
	require.Equal(t, claim.Text, answer[claim.Span[0]:claim.Span[1]])

	require.Equal(t, "no_evidence", rows["flights"].Findings[0].Kind)
	require.Equal(t, "unsupported_figure", rows["rate"].Findings[0].Kind)
	require.NotNil(t, rows["weather"].Findings, "an empty list, not null")
	require.Empty(t, rows["weather"].Findings)
}

func TestAuditExitsAsAsked(t *testing.T) {
	t.Parallel()
	clean := oneRun(t, "weather")
	hidden := oneRun(t, "invoices")
	for name, tc := range map[string]struct {
		args  []string
		input string
		code  int
	}{
		"nothing asked":             {[]string{pastRuns}, "", 0},
		"refuse, there is one":      {[]string{"--fail-on", "refuse", pastRuns}, "", 3},
		"refuse, only to disclose":  {[]string{"--fail-on", "refuse"}, hidden, 0},
		"disclose":                  {[]string{"--fail-on", "disclose"}, hidden, 3},
		"disclose, clean":           {[]string{"--fail-on", "disclose"}, clean, 0},
		"torn":                      {nil, clean + `{"id":"x","ev`, 2},
		"torn, and found":           {[]string{"--fail-on", "disclose"}, hidden + `{"id":"x","ev`, 3},
		"of no known shape":         {nil, clean + `{"a":1}`, 2},
		"empty":                     {nil, "", 2},
		"no such file":              {[]string{"testdata/absent.jsonl"}, "", 1},
		"no such policy":            {[]string{"--policy", "testdata/absent.yaml"}, clean, 1},
		"folder without runs":       {[]string{t.TempDir()}, "", 1},
		"wrong time":                {[]string{"--since", "yesterday"}, clean, 1},
		"none at the top":           {[]string{"--top", "0"}, clean, 1},
		"unknown format":            {[]string{"--format", "xml"}, clean, 1},
		"required, made good":       {[]string{"--fail-on", "refuse", "--require", "get_weather"}, clean, 0},
		"required, and never used":  {[]string{"--fail-on", "refuse", "--require", "get_tides"}, clean, 3},
		"required twice, one never": {[]string{"--fail-on", "refuse", "--require", "get_weather", "--require", "get_tides"}, clean, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := failloud(t, strings.NewReader(tc.input), append([]string{"audit"}, tc.args...)...)
			require.Equal(t, tc.code, got.code, got.stdout+got.stderr)
			if tc.code == 1 {
				require.Empty(t, got.stdout)
				require.NotEmpty(t, got.stderr)
			}
		})
	}
}

// oneRun returns the line of a run.
func oneRun(t *testing.T, id string) string {
	t.Helper()
	data, err := os.ReadFile(pastRuns)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, `{"id":"`+id+`"`) {
			return line
		}
	}
	require.Fail(t, "no run "+id)
	return ""
}

func TestAuditReadsFromATimeOn(t *testing.T) {
	t.Parallel()
	for since, want := range map[string]int{"2026-02-01": 3, "2026-01-12T08:59:59Z": 4, "2026-01-12T09:00:00Z": 4, "2030-01-01": 0, "36500d": 6} {
		got := failloud(t, nil, "audit", "--format", "json", "--since", since, pastRuns)
		require.Zero(t, got.code, "what is too old is no error: %s", got.stderr)
		require.Len(t, audited(t, got.stdout), want, since)
	}
	got := failloud(t, nil, "audit", "--since", "2026-02-01", pastRuns)
	require.Contains(t, got.stdout, "3 runs left out, older than asked for")
}

func TestAuditUnpacksAndReadsFoldersAndStandardInput(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(pastRuns)
	require.NoError(t, err)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err = zip.Write(data)
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "below"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "below", "runs.jsonl.gz"), packed.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("not for us"), 0o644))

	plain := failloud(t, nil, "audit", "--format", "json", pastRuns)
	for name, got := range map[string]result{
		"folder":       failloud(t, nil, "audit", "--format", "json", folder),
		"input":        failloud(t, bytes.NewReader(data), "audit", "--format", "json"),
		"packed input": failloud(t, &packed, "audit", "--format", "json", "-"),
	} {
		require.Zero(t, got.code, got.stderr)
		require.Equal(t, decisions(audited(t, plain.stdout)), decisions(audited(t, got.stdout)), name)
	}
}

func TestAuditOfACutArchiveShowsWhatWasThere(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	for i := range 200 {
		fmt.Fprintf(zip, `{"id":"r%d","evidence":["%d"],"prompt":"?","answer":"%d"}`+"\n", i, i*7919, i*7919)
	}
	require.NoError(t, zip.Close())
	cut := packed.Bytes()[:packed.Len()*9/10]
	got := failloud(t, bytes.NewReader(cut), "audit", "--format", "json")
	require.Equal(t, 2, got.code)
	require.NotEmpty(t, audited(t, got.stdout))
	require.Contains(t, got.stderr, "ends too early")
}

func TestFiguresThatCouldNotBeCheckedAreTold(t *testing.T) {
	t.Parallel()
	run := `{"id":"log","events":[{"type":"call","id":"1","tool":"get_log","args":{}},{"type":"result","id":"1","content":"` + strings.Repeat("entry 12345 ", 1<<20) + `"}],"final":"The sum is 777.25."}`
	got := failloud(t, strings.NewReader(run), "audit", "--format", "json")
	require.Zero(t, got.code, got.stderr)
	row := audited(t, got.stdout)["log"]
	require.Equal(t, "answer", row.Decision)
	require.Len(t, row.Findings, 1)
	require.Equal(t, "unchecked", row.Findings[0].Kind)
	got = failloud(t, strings.NewReader(run), "audit")
	require.Contains(t, got.stdout, "Figures of 1 answer could not be checked")
}

func TestAuditFollowsAPolicy(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "audit", "--format", "json", "--policy", "testdata/audit/failloud.yaml", pastRuns)
	require.Zero(t, got.code, got.stderr)
	rows := audited(t, got.stdout)
	require.Equal(t, "answer", rows["mail"].Decision, "find_contact is declared to send")
	require.Equal(t, "answer", rows["rate"].Decision, "figures are only reported")
	require.Len(t, rows["rate"].Findings, 1)
	require.Equal(t, "answer", rows["rate"].Findings[0].Asks)
	require.Equal(t, "refuse", rows["flights"].Decision)

	bad := filepath.Join(t.TempDir(), "bad.yaml")
	require.NoError(t, os.WriteFile(bad, []byte("tols: {}\n"), 0o644))
	got = failloud(t, nil, "audit", "--policy", bad, pastRuns)
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, bad+":1:")
	require.Contains(t, got.stderr, "tools")
}

func TestTheKillSwitchOfRunningGuardsDoesNotBlindAnAudit(t *testing.T) {
	t.Setenv("FAILLOUD_GUARD", "off")
	got := failloud(t, nil, "audit", "--fail-on", "refuse", pastRuns)
	require.Equal(t, 3, got.code, got.stdout+got.stderr)
}

func TestAnHTMLReportStandsAlone(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "audit", "--format", "html", pastRuns)
	require.Zero(t, got.code, got.stderr)
	require.True(t, strings.HasPrefix(got.stdout, "<!DOCTYPE html>"))
	require.NotContains(t, got.stdout, "http://")
	require.NotContains(t, got.stdout, "https://")
	require.Contains(t, got.stdout, "I have sent the email to ana@example.com")
}

// The examples of docs/verdicts.md, each under the kind it is an example of, and
// those that are beyond what can be seen.
func TestTheExamplesOfTheVerdictsHold(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "audit", "--format", "json", "--require", "get_price", "testdata/audit/verdicts.jsonl")
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "refuse", audited(t, got.stdout)["required"].Decision)

	got = failloud(t, nil, "audit", "--format", "json", "testdata/audit/verdicts.jsonl")
	require.Zero(t, got.code, got.stderr)
	guide, err := os.ReadFile("../../docs/verdicts.md")
	require.NoError(t, err)
	passes := map[string]bool{"required": true, "told": true, "wrong-entity": true, "wrong-field": true, "invented-input": true, "modest": true}
	for id, row := range audited(t, got.stdout) {
		require.Contains(t, string(guide), "`"+id+"`")
		if passes[id] {
			require.Equal(t, "answer", row.Decision, id)
			continue
		}
		kinds := map[string]bool{}
		for _, f := range row.Findings {
			kinds[f.Kind] = true
		}
		require.True(t, kinds[id], "%s: %v", id, kinds)
	}
}

// Whoever meets a kind of finding can look it up.
func TestEveryKindOfFindingIsExplained(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/verdicts.md")
	require.NoError(t, err)
	source, err := parser.ParseFile(token.NewFileSet(), "../../guard/decision.go", nil, 0)
	require.NoError(t, err)
	kinds := 0
	ast.Inspect(source, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != "Kind" {
			return true
		}
		kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		require.Contains(t, string(guide), "\n`"+kind+"`. ", "no paragraph of docs/verdicts.md begins with it")
		kinds++
		return true
	})
	require.Greater(t, kinds, 12)
}

func TestTheGuideShowsWhatTheCommandPrints(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/audit.md")
	require.NoError(t, err)
	for _, golden := range []string{"table.golden", "explain.golden"} {
		want, err := os.ReadFile(filepath.Join("testdata", "audit", golden))
		require.NoError(t, err)
		require.Contains(t, string(guide), string(want), golden)
	}
}
