package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// row is a benchmark under the name that a reader understands.
type row struct{ name, title string }

const floor = "Overhead/floor"

// rows of one goroutine, and of sixteen.
var (
	serial = []row{
		{"Overhead/bare", "bare call"},
		{floor, "hand-written floor: two clock reads, limit, breaker, record"},
		{"Overhead/failloud", "**failloud**"},
		{"Overhead/failloud_nearer_deadline", "**failloud**, caller's deadline nearer than the timeout"},
		{"Overhead/floor_timeout", "floor with a timeout context and recover"},
		{"Overhead/failloud_timeout", "**failloud** with a timeout"},
		{"Overhead/gobreaker", "gobreaker alone"},
		{"Overhead/failsafe", "failsafe-go: retry, breaker, timeout"},
		{"Overhead/failloud_evidence", "**failloud**, its run of 50 calls judged by evidence: arguments and result kept as JSON"},
		{"Overhead/failloud_by_name", "**failloud** by name: JSON arguments checked, result written for the model"},
		{"FailedAttempt", "**failloud**, a failed attempt: classified, recorded, logged, line written"},
	}
	parallel = []row{
		{"OwnRuns/floor", "floor"},
		{"OwnRuns/own_breaker", "**failloud**, a run and a breaker each"},
		{"OwnRuns/shared_breaker", "**failloud**, a run each, one breaker"},
		{"OwnRuns/own_breaker_timeout", "**failloud** with a timeout, a run and a breaker each"},
		{"OwnRuns/failsafe_shared", "failsafe-go: retry, breaker, timeout, shared"},
	}
)

// table renders all rows. A row that was not measured is an error, so that a
// renamed benchmark does not leave the page in silence.
func (m *measured) table() (string, error) {
	base, ok := m.median(floor, "ns/op")
	if !ok {
		return "", fmt.Errorf("no benchmark %q in the input", floor)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Medians of one run on %s.\n", m.where())
	for _, part := range []struct {
		heading string
		rows    []row
	}{{"one call that succeeds, one goroutine", serial}, {"sixteen goroutines, time per call", parallel}} {
		fmt.Fprintf(&b, "\n| %s | ns | × floor | B | allocs |\n|---|---:|---:|---:|---:|\n", part.heading)
		for _, r := range part.rows {
			ns, ok := m.median(r.name, "ns/op")
			if !ok {
				return "", fmt.Errorf("no benchmark %q in the input", r.name)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.title, number(ns), number(ns/base), m.cell(r.name, "B/op"), m.cell(r.name, "allocs/op"))
		}
	}
	if kept, ok := m.median("FinishedRun", "kept-B/run"); ok {
		fmt.Fprintf(&b, "\nA finished run of five calls keeps %s B.\n", number(kept))
	}
	return b.String(), nil
}

func (m *measured) cell(name, unit string) string {
	v, ok := m.median(name, unit)
	if !ok {
		return "–"
	}
	return number(v)
}

// number has two significant digits below ten, and none after the point above.
func number(v float64) string {
	if v < 10 && v != math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
