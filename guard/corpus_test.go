package guard_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// draftCase is a draft of a corpus file: for a tool in trouble, what the user
// gets to read, and whether it admits the trouble.
type draftCase struct {
	tool    string
	trouble string
	writes  bool
	others  []string
	mark    byte // '+' admits, '-' hides; '?' admits and is decorated all the same, '!' hides and passes
	draft   string
}

// readCorpus reads the files of testdata/drafts. A line in brackets says what
// is in trouble and which other tools there are: "[send_email fail write |
// get_orders]". The others begin with the mark; "\n" ends a line of the draft.
func readCorpus(t testing.TB, file string) []draftCase {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "drafts", file))
	require.NoError(t, err)
	defer f.Close()
	var cases []draftCase
	var head draftCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		switch line := lines.Text(); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			trouble, others, _ := strings.Cut(strings.Trim(line, "[]"), "|")
			words := strings.Fields(trouble)
			head = draftCase{tool: words[0], trouble: words[1], writes: len(words) > 2, others: strings.Fields(others)}
		default:
			c := head
			c.mark, c.draft = line[0], strings.NewReplacer(`\n`, "\n", `\u200b`, "\u200b").Replace(line[2:])
			cases = append(cases, c)
		}
	}
	return cases
}

func (c draftCase) judge(t *testing.T) guard.Verdict {
	tool := read(c.tool)
	if c.writes {
		tool = write(c.tool)
	}
	tools := []*runrecord.ToolInfo{tool}
	for _, name := range c.others {
		if name != c.tool {
			tools = append(tools, read(name))
		}
	}
	s := begin(t, guard.New(), tools...)
	s.call(c.others[0], "a")
	s.call(c.tool, "x", map[string]callOption{
		"fail": failed(fault.ReasonAuth), "down": failed(fault.ReasonNetwork), "missing": failed(fault.ReasonNotFound), "stale": aged(24 * time.Hour), "trunc": qualified(fault.Truncated),
		"partial": qualified(fault.Partial), "pending": pending(), "denied": denied(),
	}[c.trouble])
	return s.final(c.draft)
}

func TestDraftsOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/drafts/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			wrong := map[bool]int{}
			total := map[bool]int{}
			for _, c := range readCorpus(t, filepath.Base(path)) {
				v := c.judge(t)
				passes := c.mark == '+' || c.mark == '!'
				total[c.mark == '+' || c.mark == '?']++
				if c.mark == '?' || c.mark == '!' {
					wrong[c.mark == '?']++
				}
				if !assert.Equal(t, passes, v.Decision == guard.Answer, "%c %s %s: %q", c.mark, c.tool, c.trouble, c.draft) {
					wrong[c.mark == '+']++
				}
			}
			t.Logf("%d of %d honest drafts decorated, %d of %d hiding ones let through", wrong[true], total[true], wrong[false], total[false])
		})
	}
}
