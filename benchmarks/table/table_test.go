package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// output is what go test prints for every row, twice and with another value.
func output() string {
	var b strings.Builder
	b.WriteString("goos: linux\ngoarch: amd64\ncpu: Some CPU\n")
	for _, ns := range []string{"100", "110.5", "90"} {
		for _, r := range append(serial[:len(serial):len(serial)], parallel...) {
			b.WriteString("Benchmark" + r.name + "-4 \t 123 \t " + ns + " ns/op\t 112 B/op\t 1 allocs/op\n")
		}
	}
	b.WriteString("BenchmarkFinishedRun-4 10 5 ns/op 976.4 kept-B/run\nPASS\n")
	return b.String()
}

func TestTheTableIsWrittenBetweenItsMarkers(t *testing.T) {
	readme := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(readme, []byte("before\n"+begin+"old\n"+end+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{readme}, strings.NewReader(output()), io.Discard); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"before\n" + begin, end + "after\n", "Some CPU, 4 cores, linux/amd64",
		"| **failloud** | 100 | 1 | 112 | 1 |\n", "keeps 976 B",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(string(page), "old") {
		t.Error("the old table is still there")
	}
}

func TestWhatCannotMakeATableIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":          "",
		"a failure":        output() + "FAIL\n",
		"a missing row":    strings.ReplaceAll(output(), "BenchmarkOwnRuns/shared_breaker", "BenchmarkOwnRuns/renamed"),
		"a broken value":   output() + "BenchmarkX-4 1 fast ns/op\n",
		"a missing marker": output(),
	} {
		readme := filepath.Join(t.TempDir(), "README.md")
		content := begin + end
		if name == "a missing marker" {
			content = "no marker\n"
		}
		if err := os.WriteFile(readme, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{readme}, strings.NewReader(text), io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
		if page, _ := os.ReadFile(readme); string(page) != content {
			t.Errorf("%s: the page has changed", name)
		}
	}
}
