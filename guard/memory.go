package guard

import "slices"

// fromMemory is the part of step 6 about what the draft itself says comes from
// the model and from no look-up, where it has figures that nothing supports:
// "based on my knowledge", "typical prices are". figures are their places in the
// draft.
func (j *judgment) fromMemory(p Policy, figures [][2]int) {
	if len(figures) == 0 || !j.anyCall() || j.hints()&hintMemory == 0 {
		return
	}
	clauses := j.clausesThat(func(h hint) bool { return h&hintMemory != 0 }, j.shown())
	find := finder{draft: j.draft}
	for i := range clauses {
		cl := &clauses[i]
		own, about := cl.fromMemory()
		if !own && !about || cl.question {
			continue
		}
		start, end := find.clause(cl)
		if about && !slices.ContainsFunc(figures, func(f [2]int) bool { return end > 0 && lineOf(j.draft, start) == lineOf(j.draft, f[0]) }) {
			continue
		}
		j.unfounded(Finding{
			Step: StepSources, Kind: KindOwnKnowledge, Asks: p.decide(Answer), Start: start, End: end,
			What: "the draft says that this is the model's own knowledge or estimate, and nothing that was looked up supports its figures",
		})
		return
	}
}

// fromMemory reports whether the clause says that what the draft tells is the
// model's own knowledge, or that what stands beside it is an estimate.
func (cl *clause) fromMemory() (own, estimate bool) {
	memories.each(cl, func(c *cue, start, _ int) bool {
		if slices.ContainsFunc(cl.words[max(0, start-3):start], func(w word) bool { return negators[w.text] }) {
			return true
		}
		own, estimate = own || c.class == isOwn, estimate || c.class == isEstimate
		return true
	})
	return own, estimate
}

// lineOf is where the line begins that has this byte.
func lineOf(text string, at int) int {
	for at > 0 && text[at-1] != '\n' {
		at--
	}
	return at
}

// anyCall reports whether the run has used a tool.
func (j *judgment) anyCall() bool {
	for _, s := range j.ev.stats {
		if s.Calls > 0 {
			return true
		}
	}
	return false
}

const (
	isOwn      class = 1 << iota // all of it may come from the model
	isEstimate                   // what stands on the same line does
)

// What is said of knowledge that no tool has returned, by language.
var (
	ownKnowledge = []string{"my|own|internal|prior ? knowledge", "my|own|internal|prior|general knowledge", "my training", "training data", "my memory", "from memory", "as far as i know", "to my knowledge", "what i know",
		"theo hiểu biết", "hiểu biết của tôi|mình|em", "kiến thức của tôi|mình|em", "kiến thức chung|sẵn", "theo tôi|mình|em biết", "dữ liệu huấn luyện"}
	estimates = []string{"estimate|estimates|estimated|estimating", "typical|typically", "ballpark", "rule of thumb",
		"ước tính", "ước lượng", "ước chừng", "phỏng đoán", "thông thường"}

	memories = indexCues(slices.Concat(compileClass(ownKnowledge, isOwn), compileClass(estimates, isEstimate)))
)
