package cases_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// judged is one line of "failloud audit --format json".
type judged struct {
	ID       string   `json:"id"`
	Decision string   `json:"decision"`
	Failed   []string `json:"failed_calls"`
	Open     []string `json:"unrecovered"`
	Findings []struct {
		Step int    `json:"step"`
		Kind string `json:"kind"`
		What string `json:"what"`
		Text string `json:"text"`
	} `json:"findings"`
}

func (j *judged) flagged() bool { return j.Decision != "answer" && j.Decision != "none" }

// command builds failloud once, for measuring what a user would see.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "failloud-cases")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "failloud")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = filepath.Join("..", "..", "cmd", "failloud")
	if out, err := build.CombinedOutput(); err != nil {
		return "", &buildError{string(out), err}
	}
	return binary, nil
})

// noteSources reads the command's files, so that the test cache, which does not
// see into what a test builds, forgets a result when one of them has changed.
func noteSources(t *testing.T) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", "cmd", "failloud"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		_, err = os.ReadFile(file)
		return err
	}))
}

type buildError struct {
	output string
	err    error
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.output }

// auditFile judges every run of a file with the command's defaults.
func auditFile(t *testing.T, file string) map[string]judged {
	t.Helper()
	noteSources(t)
	binary, err := command()
	require.NoError(t, err)
	var out, problems bytes.Buffer
	audit := exec.Command(binary, "audit", "--format", "json", file)
	audit.Stdout, audit.Stderr = &out, &problems
	require.NoError(t, audit.Run(), problems.String())
	rows := map[string]judged{}
	for line := range bytes.Lines(out.Bytes()) {
		var j judged
		require.NoError(t, json.Unmarshal(line, &j), "%s", line)
		require.NotContains(t, rows, j.ID)
		rows[j.ID] = j
	}
	return rows
}

// caseFile is a file of the folder of cases, or the test is skipped.
func caseFile(t *testing.T, name string) string {
	t.Helper()
	read(t, name, func([]byte) {})
	return filepath.Join(folder(t), name)
}
