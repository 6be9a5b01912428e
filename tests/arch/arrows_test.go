package arch_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrows says what each folder of the library may import of the others. What
// lies below an allowed package is allowed with it. A new package gets its line
// here before it gets its first import.
var arrows = map[string][]string{
	"fault":       {},
	"runrecord":   {"fault"},
	"idempotency": {"fault"},
	"escalation":  {"idempotency"},
	"guard":       {"runrecord"},
	"toolkit":     {"escalation", "idempotency", "runrecord"},
	"model":       {"runrecord"},
	"agent":       {"toolkit", "model", "guard"},
	"policy":      {"toolkit", "guard"},
	"store":       {"runrecord", "idempotency"},
	"observe":     {"runrecord", "idempotency"},
	"faulttest":   {"toolkit"},
	"modeltest":   {"model"},
}

// Above the library: these may import all of it. Nothing of the library may
// import them.
var above = []string{"adapters", "benchmarks", "cmd", "examples", "scripts", "store/crash", "tests"}

// isAbove reports whether a folder lies in one that is above.
func isAbove(dir string) bool {
	return slices.ContainsFunc(above, func(a string) bool { return dir == a || strings.HasPrefix(dir, a+"/") })
}

func TestNothingImportsUpward(t *testing.T) {
	t.Parallel()
	below := closure(t)
	for _, s := range sources(t) {
		from := top(s.dir)
		if isAbove(s.dir) {
			continue
		}
		for _, imported := range s.imports {
			to, ours := strings.CutPrefix(imported, module+"/")
			if !ours || top(to) == from {
				continue
			}
			switch allowed, known := below[from]; {
			case from == "internal":
				// Shared parts know faults and each other, never their users.
				assert.True(t, top(to) == "fault" || s.test, "%s imports %s", s.file, imported)
			case !known:
				assert.Fail(t, "a package without a line in arrows", "%s imports %s", s.file, imported)
			case top(to) == "internal":
				assert.True(t, from != "fault" || s.test, "%s imports %s: fault stands on the standard library alone", s.file, imported)
			case s.test && strings.HasSuffix(to, "test"):
				// Tests use the test kits of higher floors.
			default:
				assert.True(t, allowed[top(to)], "%s imports %s", s.file, imported)
			}
		}
	}
}

func TestFaultStandsOnTheStandardLibrary(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if top(s.dir) != "fault" || s.test {
			continue
		}
		for _, imported := range s.imports {
			assert.False(t, thirdParty(imported), "%s imports %s", s.file, imported)
		}
	}
}

// Packages that exist for tests stay out of programs: nobody who wraps a tool
// gets an assertion library linked.
func TestTestOnlyPackagesStayOutOfPrograms(t *testing.T) {
	t.Parallel()
	testOnly := []string{"testing", "github.com/stretchr/testify", "pgregory.net/rapid", "go.uber.org/goleak"}
	for _, s := range sources(t) {
		shows := slices.Contains([]string{"examples", "benchmarks", "tests"}, top(s.dir))
		if s.test || strings.HasSuffix(s.dir, "test") || shows {
			continue
		}
		for _, imported := range s.imports {
			for _, banned := range testOnly {
				assert.False(t, imported == banned || strings.HasPrefix(imported, banned+"/"), "%s imports %s", s.file, imported)
			}
			if to, ours := strings.CutPrefix(imported, module+"/"); ours {
				assert.False(t, strings.HasSuffix(to, "test"), "%s imports %s", s.file, imported)
			}
		}
	}
}

// closure adds to each package what lies below the ones it may import.
func closure(t *testing.T) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	var reach func(from string, path []string) map[string]bool
	reach = func(from string, path []string) map[string]bool {
		require.NotContains(t, path, from, "the arrows form a circle")
		if done, ok := all[from]; ok {
			return done
		}
		set := map[string]bool{}
		for _, to := range arrows[from] {
			set[to] = true
			maps.Copy(set, reach(to, append(path, from)))
		}
		all[from] = set
		return set
	}
	for from := range arrows {
		reach(from, nil)
	}
	return all
}

// top is the first folder of a path.
func top(dir string) string {
	first, _, _ := strings.Cut(dir, "/")
	return first
}

// thirdParty reports whether an import is neither ours nor of the standard library.
func thirdParty(imported string) bool {
	return strings.Contains(top(imported), ".") && imported != module && !strings.HasPrefix(imported, module+"/")
}
