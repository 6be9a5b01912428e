package grounding_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// pair is an answer beside the results that it should stand on.
type pair struct {
	ID       string
	Evidence []json.RawMessage // a string, or JSON
	Prompt   string
	Answer   string
	Grounded bool
	Beyond   bool // wrong in a way that the package says it cannot see
}

func pairs(t testing.TB) (all []pair) {
	data, err := os.ReadFile("testdata/pairs.jsonl")
	require.NoError(t, err)
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p pair
		require.NoError(t, json.Unmarshal(lines.Bytes(), &p))
		all = append(all, p)
	}
	require.NoError(t, lines.Err())
	return all
}

func (p pair) check(unrelated ...string) []grounding.Result {
	var x grounding.Index
	for i, e := range p.Evidence {
		text := string(e)
		if s := ""; json.Unmarshal(e, &s) == nil {
			text = s
		}
		x.Add(grounding.Source{Call: uint32(i + 1), Tool: "lookup"}, text)
	}
	for _, text := range unrelated {
		x.Add(grounding.Source{Call: 1000, Tool: "other"}, text)
	}
	x.Add(grounding.Source{Kind: grounding.Heard}, p.Prompt)
	return x.Check(p.Answer, day)
}

func TestPairs(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.ID, func(t *testing.T) {
			finds := false
			for _, r := range p.check() {
				if finds = finds || r.Verdict.Finding(); r.Verdict.Finding() && p.Grounded {
					t.Errorf("%q is %v (nearest %q)", p.Answer[r.Start:r.End], r.Verdict, r.Nearest.Text)
				}
			}
			if !p.Beyond {
				require.Equal(t, !p.Grounded, finds, p.Answer)
			}
		})
	}
}
