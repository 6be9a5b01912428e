package main

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// measured is what a run of the benchmarks printed.
type measured struct {
	machine map[string]string               // "goos", "goarch", "cpu"
	procs   string                          // GOMAXPROCS
	values  map[string]map[string][]float64 // by benchmark and unit, one of each repetition
}

// parse reads the output of go test -bench.
func parse(in io.Reader) (*measured, error) {
	m := &measured{machine: map[string]string{}, procs: "1", values: map[string]map[string][]float64{}}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		if key, value, ok := strings.Cut(line, ": "); ok && slices.Contains([]string{"goos", "goarch", "cpu"}, key) {
			m.machine[key] = strings.TrimSpace(value)
		}
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") {
			return nil, fmt.Errorf("the benchmarks failed: %s", line)
		}
		if strings.HasPrefix(line, "Benchmark") {
			if err := m.add(strings.Fields(line)); err != nil {
				return nil, fmt.Errorf("%w: %s", err, line)
			}
		}
	}
	return m, lines.Err()
}

// add takes one line: a name, the number of iterations, and pairs of a value
// and its unit.
func (m *measured) add(fields []string) error {
	name := strings.TrimPrefix(fields[0], "Benchmark")
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		name, m.procs = name[:i], name[i+1:]
	}
	if m.values[name] == nil {
		m.values[name] = map[string][]float64{}
	}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return err
		}
		m.values[name][fields[i+1]] = append(m.values[name][fields[i+1]], value)
	}
	return nil
}

// median is the middle value of a benchmark, false where there is none.
func (m *measured) median(name, unit string) (float64, bool) {
	all := slices.Sorted(slices.Values(m.values[name][unit]))
	if len(all) == 0 {
		return 0, false
	}
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2, true
}

// where says on what machine it was measured.
func (m *measured) where() string {
	return fmt.Sprintf("%s, %s cores, %s/%s, %s", m.machine["cpu"], m.procs, m.machine["goos"], m.machine["goarch"], runtime.Version())
}
