package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, good int64) *invoiceService {
	t.Helper()
	service, err := startService(good)
	require.NoError(t, err)
	t.Cleanup(service.Close)
	return service
}

func TestUnguardedItEndsInSuccessWithInventedCustomers(t *testing.T) {
	service := start(t, goodFor)
	draft, status := unguarded(t.Context(), service)
	require.Equal(t, "success", status)
	for _, customer := range []string{"Cedar", "Dogwood"} {
		require.Contains(t, draft, customer+" has no open invoices")
		require.NotEmpty(t, ledger[customer], "the service knows better")
	}
	require.EqualValues(t, 6, service.asked.Load(), "the dead tool is asked again in other words")
}

func TestGuardedTheDraftDoesNotLeave(t *testing.T) {
	service := start(t, goodFor)
	out, err := guarded(t.Context(), service, zap.NewNop())
	require.NoError(t, err)

	require.Equal(t, runrecord.Refused, out.state)
	require.Equal(t, guard.Refuse, out.verdict.Decision)
	require.Equal(t, guard.StepRequired, out.verdict.Step)
	for _, customer := range customers {
		require.NotContains(t, out.verdict.Text, customer, "not a word of the draft leaves")
	}
	require.Contains(t, out.verdict.Text, "get invoices", "the user is told what could not be reached")
	require.EqualValues(t, goodFor+1, service.asked.Load(), "one request after the credential expired, and no more")
}

func TestGuardedTheRecordHoldsWhatHappened(t *testing.T) {
	out, err := guarded(t.Context(), start(t, goodFor), zap.NewNop())
	require.NoError(t, err)

	type row struct {
		kind   fault.Kind
		reason fault.Reason
		status int16
	}
	var rows []row
	for _, c := range out.calls {
		rows = append(rows, row{c.Kind, c.Reason, c.Status})
	}
	dead := row{fault.KindNotRun, fault.ReasonToolDead, 0}
	require.Equal(t, []row{
		{fault.KindOK, fault.ReasonNone, 200},
		{fault.KindOK, fault.ReasonNone, 200}, // Birch owes nothing, and that is an answer
		{fault.KindFailed, fault.ReasonAuth, 401},
		dead, dead, dead,
	}, rows)
	require.True(t, strings.HasPrefix(out.seen[2], "TOOL_FAILED: get_invoices returned 401"), out.seen[2])
	for _, seen := range out.seen {
		require.NotContains(t, seen, "The access token expired", "nothing the service wrote about its failure reaches the model")
	}
}

func TestGuardedTheLogSaysWhatHappened(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	_, err := guarded(t.Context(), start(t, goodFor), zap.New(core))
	require.NoError(t, err)

	failed := logs.FilterMessage("tool call failed").All()
	require.Len(t, failed, 4)
	first := failed[0].ContextMap()
	require.Equal(t, "get_invoices", first["tool"])
	require.EqualValues(t, 401, first["status"])
	require.Equal(t, "fail_fast", first["action"])
	refused := logs.FilterMessage("answer refused").All()
	require.Len(t, refused, 1)
	require.Equal(t, zap.ErrorLevel, refused[0].Level)
	ended := logs.FilterMessage("run ended").All()
	require.Len(t, ended, 1)
	require.Equal(t, "refused", ended[0].ContextMap()["state"])
}

func TestWithALivingCredentialTheAnswerLeavesAsItIs(t *testing.T) {
	service := start(t, 100)
	out, err := guarded(t.Context(), service, zap.NewNop())
	require.NoError(t, err)
	require.Equal(t, runrecord.Answered, out.state)
	require.Equal(t, out.verdict.Draft, out.verdict.Text)
	require.Contains(t, out.verdict.Text, "Cedar owes 5400.00")
	require.EqualValues(t, len(customers), service.asked.Load())
}

func TestThePageFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	refused, err := demo(t.Context(), &out, false)
	require.NoError(t, err)
	require.True(t, refused)
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, len(line), 101, line)
	}
}

// The binary is what a script or a CI job sees.
func TestTheExitCodeIsForScripts(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "invoices")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	built, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, string(built))

	for _, tc := range []struct {
		args []string
		code int
	}{
		{nil, 0},
		{[]string{"-strict"}, 1},
		{[]string{"-strict", "-json"}, 1},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			cmd := exec.Command(binary, tc.args...)
			out, _ := cmd.Output()
			require.Equal(t, tc.code, cmd.ProcessState.ExitCode(), string(out))
			require.Contains(t, string(out), "WITH failloud")
		})
	}
}

func TestTheWholeLogLinesAreJSON(t *testing.T) {
	var out bytes.Buffer
	_, err := demo(t.Context(), &out, true)
	require.NoError(t, err)
	messages := map[string]int{}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		if !strings.HasPrefix(lines.Text(), `{"level"`) {
			continue
		}
		var line struct {
			Msg   string
			RunID string `json:"run_id"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		require.NotEmpty(t, line.RunID)
		messages[line.Msg]++
	}
	require.Equal(t, map[string]int{"tool call failed": 4, "answer refused": 1, "run ended": 1}, messages)
}
