package report

import (
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/guard"
)

// Topic is what is wrong with an answer, in the words of the summary: the step
// of the guard that noticed it.
type Topic uint8

// The topics, from the most serious one to none.
const (
	NoTopic  Topic = iota // clean
	Figures               // step 6: figures without a source
	Hidden                // step 4: a failed call that the answer hides
	Waiting               // step 1: of runs that were recorded while they waited
	Claimed               // step 5: an action that never happened
	Required              // step 2: a required tool
	Dead                  // step 3: no call succeeded

	topics
)

// topicOf returns the topic of a step of the guard.
func topicOf(step int) Topic {
	switch step {
	case guard.StepWaiting:
		return Waiting
	case guard.StepRequired:
		return Required
	case guard.StepEvidence:
		return Dead
	case guard.StepHidden:
		return Hidden
	case guard.StepClaims:
		return Claimed
	case guard.StepSources:
		return Figures
	}
	return NoTopic
}

// did is what an answer of the topic did, for sentences that begin with a count.
func (t Topic) did() string {
	return [...]string{
		NoTopic:  "were clean",
		Figures:  "gave figures without a source",
		Hidden:   "hid a failed call",
		Waiting:  "came before something was done",
		Claimed:  "claimed an action that never happened",
		Required: "went without a required tool",
		Dead:     "stood on a dead tool",
	}[t]
}

// Short names the topic in a filter and on a label.
func (t Topic) Short() string {
	return [...]string{
		NoTopic:  "clean",
		Figures:  "figure without a source",
		Hidden:   "hidden failure",
		Waiting:  "not done yet",
		Claimed:  "claim, not done",
		Required: "required tool",
		Dead:     "dead tool",
	}[t]
}

// Class is the class of the topic on a page.
func (t Topic) Class() string {
	return [...]string{
		NoTopic: "clean", Figures: "figures", Hidden: "hidden", Waiting: "waiting",
		Claimed: "claimed", Required: "required", Dead: "dead",
	}[t]
}

// decides reports whether the finding is one that its policy acts upon.
func decides(f *audit.Finding) bool { return f.Asks != audit.DecisionAnswer }

// worstTopic is the most serious topic of the findings that decide something.
func worstTopic(row *audit.Row) Topic {
	worst := NoTopic
	for i := range row.Findings {
		if f := &row.Findings[i]; decides(f) {
			worst = max(worst, topicOf(f.Step))
		}
	}
	return worst
}

// say tells a finding in one plain sentence without its beginning.
func say(c Cleaner, row *audit.Row, f *audit.Finding) string {
	what := c.Line(strings.TrimSuffix(f.What, ", and the draft does not say so"), maxQuestion)
	tool := c.Line(f.Tool, maxName)
	text := "“" + c.Line(c.Quoted(row, f), maxQuote) + "”"
	switch kind := guard.Kind(f.Kind); {
	case kind == guard.KindHidden && tool != "":
		return "does not say that " + tool + " " + what
	case kind == guard.KindNoEvidence && f.Text == "":
		switch row.Calls {
		case 0:
			return what
		case 1:
			return "the only call failed"
		}
		return "none of " + counted(row.Calls, "call") + " succeeded"
	case kind == guard.KindUnsupported && f.Text != "":
		return text + " is in nothing that a tool returned"
	case kind == guard.KindContradicted && f.Text != "":
		return text + " is not what " + orElse(tool, "the evidence") + " has"
	case f.Text != "":
		return text + ": " + joined(tool, what)
	}
	return joined(tool, what)
}

const (
	maxName  = 80  // bytes of a tool's name
	maxQuote = 100 // bytes of a quotation
)

func joined(tool, what string) string {
	if tool == "" {
		return what
	}
	return tool + ": " + what
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
