package guard_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// claimRun is a run of testdata/claims/runs and what may be said behind it.
type claimRun struct {
	heard  []string
	tools  []*runrecord.ToolInfo
	calls  []tried
	drafts []string // with their marks
}

func readClaimRuns(t *testing.T, path string) []claimRun {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	runs := []claimRun{{}}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		r := &runs[len(runs)-1]
		mark, rest, _ := strings.Cut(line, " ")
		switch mark {
		case "":
			runs = append(runs, claimRun{})
		case "#":
		case "<":
			r.heard = append(r.heard, rest)
		case ">":
			name, result, _ := strings.Cut(rest, " ")
			name, effect, _ := strings.Cut(name, ":")
			tool := &runrecord.ToolInfo{Name: name, Effect: map[string]fault.Effect{"read": fault.Read, "write": fault.Write}[effect]}
			r.tools, r.calls = append(r.tools, tool), append(r.calls, tried{tool: name, args: `{}`, result: result})
		default:
			r.drafts = append(r.drafts, line)
		}
	}
	return runs
}

// "+" is refused, "~" is disclosed, since it is in doubt, and "-" leaves; "?" and
// "!" are those of "+" and "-" that are read wrongly. What a draft may say of
// what was done depends on what the run has looked up and done.
func TestClaimsOfWholeRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/claims/runs/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			n := map[byte]int{}
			for _, r := range readClaimRuns(t, path) {
				s := begin(t, guard.New(guard.OnStep(guard.StepSources, guard.PolicyOff)), r.tools...)
				for _, h := range r.heard {
					s.run.Hear(h)
				}
				s.try(r.calls...)
				for _, line := range r.drafts {
					v := s.final(strings.ReplaceAll(line[2:], `\n`, "\n"))
					n[line[0]]++
					switch mark := line[0]; mark {
					case '?':
						assert.NotEqual(t, guard.Refuse, v.Decision, "%s %v", line, r.calls)
					case '!':
						assert.NotEqual(t, guard.Answer, v.Decision, "%s %v", line, r.calls)
					default:
						want := map[byte]guard.Decision{'+': guard.Refuse, '~': guard.Disclose, '-': guard.Answer}[mark]
						assert.Equal(t, want, v.Decision, "%s %v", line, r.calls)
					}
				}
			}
			t.Logf("%d claims and %d of them not refused, %d in doubt, %d others and %d of them flagged", n['+']+n['?'], n['?'], n['~'], n['-']+n['!'], n['!'])
		})
	}
}
