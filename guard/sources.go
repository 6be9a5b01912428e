package guard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/atom"
	"github.com/failloud/failloud/internal/grounding"
	"github.com/failloud/failloud/runrecord"
)

// defaultEvidenceLimit holds twenty results of the 200 KB that a model can read.
const defaultEvidenceLimit = 4 << 20

// EvidenceLimit bounds how many bytes of results and arguments a run keeps for
// steps 5 and 6. Default 4 MiB. What is beyond it cannot be told: step 6 says
// that it is unchecked, and step 5 gives the draft the benefit of the doubt
// where it may only hand on what a look-up said. Where both steps are off,
// nothing is kept.
func EvidenceLimit(bytes int) Option {
	return optionFunc(func(g *Guard) error {
		if bytes < 1 {
			return &SettingError{Option: "EvidenceLimit", Why: fmt.Sprintf("%d bytes hold nothing, turn off steps %d and %d instead", bytes, StepClaims, StepSources)}
		}
		g.evidenceLimit = bytes
		return nil
	})
}

// Known declares texts whose figures an answer may use without a look-up: a
// policy, a price list, the facts of a system prompt. They support figures in
// step 6 and nothing else. Called more than once, all of them count.
func Known(texts ...string) Option {
	return optionFunc(func(g *Guard) error {
		for _, t := range texts {
			if strings.TrimSpace(t) == "" {
				return &SettingError{Option: "Known", Why: "a text is empty"}
			}
		}
		g.known = append(g.known, texts...)
		return nil
	})
}

// needsProof reports whether a step is on that looks at what calls have shown.
func (g *Guard) needsProof() bool {
	return g.policies[StepClaims] != PolicyOff || g.policies[StepSources] != PolicyOff
}

// proof is what the successful calls have shown.
func (j *judgment) proof() []runrecord.Evidence {
	if !j.proved {
		j.proven, j.proved = j.run.Evidence(), true
	}
	return j.proven
}

// tried is what the calls asked for that did not succeed.
func (j *judgment) tried() []runrecord.Evidence {
	if !j.asked {
		j.attempted, j.asked = j.run.Tried(), true
	}
	return j.attempted
}

// proofIsWhole reports whether the run has kept what each success has shown.
func (j *judgment) proofIsWhole() bool {
	if j.run.EvidenceDropped() > 0 {
		return false
	}
	ok := 0
	for _, s := range j.ev.stats {
		ok += s.OK
	}
	return len(j.proof()) >= ok
}

// sources is the index of what a run has shown. It belongs to the run and grows
// with it, so that a second draft costs only its own reading.
type sources struct {
	mu           sync.Mutex
	index        grounding.Index
	asked        grounding.Index // what look-ups, programs and calls that failed were asked for
	proof, heard int             // how many are in the index
	tried        int
}

// sourcesKey is the key under which the run keeps the index of one guard.
type sourcesKey struct{ guard *Guard }

func (j *judgment) sources() *sources {
	return j.run.Local(sourcesKey{j.guard}, func() any {
		s := &sources{}
		for _, text := range j.guard.known {
			s.index.Add(grounding.Source{Kind: grounding.Constant}, text)
		}
		return s
	}).(*sources)
}

// add takes in what is new. The arguments of a call that did something support
// what they hold: it was done with these values. Those of others were made up by
// the model as likely as not, and only say what was looked for.
func (s *sources) add(proof, tried []runrecord.Evidence, heard []string, did func(*runrecord.ToolInfo) bool) {
	for _, e := range proof[min(s.proof, len(proof)):] {
		from := grounding.Source{Call: e.Call, Degraded: e.Qualifiers.Degraded() || e.Qualifiers.Has(fault.Fallback)}
		if e.Tool != nil {
			from.Tool = e.Tool.Name
		}
		s.index.Add(from, e.Result)
		from.Kind = grounding.Argument
		if did(e.Tool) {
			s.index.Add(from, e.Args)
		} else {
			s.asked.Add(from, e.Args)
		}
	}
	for _, e := range tried[min(s.tried, len(tried)):] {
		s.asked.Add(grounding.Source{Call: e.Call, Kind: grounding.Argument}, e.Args)
	}
	for _, text := range heard[min(s.heard, len(heard)):] {
		s.index.Add(grounding.Source{Kind: grounding.Heard}, text)
	}
	s.proof, s.heard, s.tried = max(s.proof, len(proof)), max(s.heard, len(heard)), max(s.tried, len(tried))
}

// changes reports whether a success of the tool did what its arguments say, as
// far as can be told.
func (j *judgment) changes(t *runrecord.ToolInfo) bool {
	if t == nil {
		return true
	}
	if t.Effect == fault.Read {
		return false
	}
	for i := range j.abilities() {
		if a := &j.able[i]; a.tool == t.Name {
			return !a.executes && (a.deeds != 0 || a.unknown || t.Claims != nil)
		}
	}
	return true
}

// check judges the figures of a draft. What names a thing, and what a call was
// asked for, is no invention.
func (s *sources) check(draft string, asked time.Time) []grounding.Result {
	results := s.index.Check(draft, asked)
	if !slices.ContainsFunc(results, func(r grounding.Result) bool { return r.Verdict.Finding() && names(r.Kind) }) {
		return results
	}
	named := s.asked.Check(draft, asked)
	for i := range results {
		r := &results[i]
		at, ok := slices.BinarySearchFunc(named, r.Start, func(n grounding.Result, start int) int { return n.Start - start })
		if ok && r.Verdict.Finding() && names(r.Kind) && named[at].Verdict == grounding.Supported {
			r.Verdict = grounding.Exempt
		}
	}
	return results
}

// names holds for what says which thing is meant, and not how many or how much.
func names(k atom.Kind) bool { return k >= atom.Date }

// unsourced is the first half of step 6: figures, dates and identifiers of the
// draft that nothing supports.
func (j *judgment) unsourced(p Policy) {
	whole := j.proofIsWhole()
	if !whole && len(j.proof()) == 0 {
		if strings.ContainsAny(j.draft, "0123456789") {
			j.note(Finding{Kind: KindUnchecked, What: "the figures of the draft could not be checked, since no evidence was kept"})
		}
		return
	}
	s := j.sources()
	s.mu.Lock()
	s.add(j.proof(), j.tried(), j.run.Heard(), j.changes)
	results := s.check(j.draft, j.run.Task().Asked)
	s.mu.Unlock()
	j.figures = results
	unchecked := 0
	var figures [][2]int
	for _, r := range results {
		f := Finding{Step: StepSources, Start: r.Start, End: r.End, Call: r.Nearest.Call, Tool: r.Nearest.Tool, Evidence: cutText(r.Nearest.Text, maxEvidence), Asks: p.decide(Answer)}
		if r.Verdict.Finding() || r.Verdict == grounding.Unchecked {
			figures = append(figures, [2]int{r.Start, r.End})
		}
		switch {
		case r.Verdict.Finding() && (j.isOfAdmitted(j.draft[r.Start:r.End]) || j.isGuidance(&r)):
			continue
		case r.Verdict == grounding.Unchecked, r.Verdict.Finding() && !whole:
			unchecked++
			continue
		case r.Verdict == grounding.Unsupported:
			f.Kind, f.What = KindUnsupported, "nothing that was looked up supports a figure, date or identifier of the draft"
			f.Tool, f.Call = "", 0
		case r.Verdict == grounding.Contradicted:
			f.Kind, f.What = KindContradicted, "says something close to the draft's figure, date or identifier that differs"
		default:
			continue
		}
		j.unfounded(f)
	}
	if unchecked > 0 {
		j.note(Finding{Kind: KindUnchecked, What: fmt.Sprintf("%d figures, dates or identifiers of the draft could not be checked, since not all evidence was kept", unchecked)})
	}
	j.fromMemory(p, figures)
}

// isOfAdmitted reports whether the words are the status or the code of a failure
// that the draft admits: the record itself has those.
func (j *judgment) isOfAdmitted(words string) bool {
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		if succeeded(c) || !slices.Contains(j.admitted, c.Seq) {
			continue
		}
		if c.Status != 0 && words == strconv.Itoa(int(c.Status)) || words == detail(c).Code {
			return true
		}
	}
	return false
}

// unfounded notes a finding of step 6, and what the texts say of it.
func (j *judgment) unfounded(f Finding) {
	if j.note(f) && f.Asks != Answer && f.End > f.Start {
		j.unsure = append(j.unsure, j.draft[f.Start:f.End])
	}
}

const (
	maxEvidence  = 200 // bytes
	maxUnfounded = 20  // findings of one kind of step 6
)
