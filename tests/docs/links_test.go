package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	command = regexp.MustCompile(`go run (\./[a-z/]+)`)
	noWord  = regexp.MustCompile(`[^\p{L}\p{N}\- ]`)
)

func TestLinksAndCommandsLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	anchors := map[string]map[string]bool{}
	for _, p := range all {
		anchors[p.name] = p.anchors()
	}
	for _, p := range all {
		text := strings.Join(p.lines, "\n")
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(root, m[1]))
			assert.NoError(t, err, "%s runs %s", p.name, m[1])
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := p.name
			if target != "" {
				file = path.Join(path.Dir(p.name), target)
			}
			_, err := os.Stat(filepath.Join(root, file))
			assert.NoError(t, err, "%s links to %s", p.name, m[1])
			if known, ok := anchors[file]; ok && anchor != "" {
				assert.True(t, known[anchor], "%s links to %s", p.name, m[1])
			}
		}
	}
}

// anchors are the headings of a page as links name them.
func (p *page) anchors() map[string]bool {
	all := map[string]bool{}
	for _, line := range p.lines {
		if text, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			all[strings.ReplaceAll(noWord.ReplaceAllString(strings.ToLower(text), ""), " ", "-")] = true
		}
	}
	return all
}
