package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first thing a reader copies has to run, and has to do what the text beside
// it says.
func TestTheQuickStartOfTheREADMERuns(t *testing.T) {
	t.Parallel()
	readme := named(t, "README.md")
	start := readme.blocks()[0]
	require.LessOrEqual(t, strings.Count(start.code, "\n"), 25, "it is a quick start")
	program := build(t, start)

	healthy, err := exec.Command(program).Output()
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(healthy), "\nInvoice INV-1 is paid.\n"), "the draft leaves: %s", healthy)

	expired, err := exec.Command(program, "expired").Output()
	require.NoError(t, err)
	require.NotContains(t, string(expired), "Invoice INV-1 is paid", "the draft does not leave")
	refusal := "I could not get all the data needed to answer this, so I am not going to guess. What went wrong: "
	require.Contains(t, string(expired), refusal)
	require.Contains(t, strings.Join(named(t, "docs/quickstart.md").lines, "\n"), refusal, "the page shows what the user reads")
	line, _, found := strings.Cut(strings.TrimPrefix(string(expired), "model saw: "), "\n")
	require.True(t, found)
	for _, p := range []*page{readme, named(t, "docs/quickstart.md")} {
		require.Contains(t, p.lines, line, "%s shows what the model sees", p.name)
	}
}

func named(t *testing.T, name string) *page {
	t.Helper()
	for _, p := range pages(t) {
		if p.name == name {
			return p
		}
	}
	require.Fail(t, "no such page", name)
	return nil
}

// build makes a program of world and the block. It lies in the module without
// being written there: the files are an overlay.
func build(t *testing.T, b block) string {
	t.Helper()
	around, err := os.ReadFile(world)
	require.NoError(t, err)
	temp := t.TempDir()
	here, err := filepath.Abs("program")
	require.NoError(t, err)
	overlay := map[string]map[string]string{"Replace": {}}
	for name, text := range map[string]string{
		"world.go":   strings.Replace(string(around), "\npackage world\n", "\npackage main\n", 1),
		"snippet.go": b.source("main"),
		"main.go":    "package main\n\nfunc main() {\n\tif err := snippet(); err != nil {\n\t\tpanic(err)\n\t}\n}\n",
	} {
		file := filepath.Join(temp, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		overlay["Replace"][filepath.Join(here, name)] = file
	}
	text, err := json.Marshal(overlay)
	require.NoError(t, err)
	list := filepath.Join(temp, "overlay.json")
	require.NoError(t, os.WriteFile(list, text, 0o600))
	program := filepath.Join(temp, "program")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	out, err := exec.Command("go", "build", "-overlay", list, "-o", program, "./program").CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}
