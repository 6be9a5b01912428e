package report

import (
	"strconv"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/guard"
)

// Summary counts rows. The zero value has seen none. Not safe for concurrent use.
type Summary struct {
	Runs     int         // all of them
	Answers  int         // runs that have an answer, or a recorded decision about one
	Recorded int         // of these, only with what was decided when they were recorded
	Refuse   int         // answers that should not have left
	Disclose int         // answers that a sentence is missing in
	Noted    int         // clean answers with findings that decide nothing
	Blind    int         // answers with figures that could not be checked
	Partial  int         // runs that are known in part, and were not judged
	Calls    int         // of all runs
	Failed   int         // of these
	ByTopic  [topics]int // answers by the most serious thing that is wrong, so that they add up
}

// Add counts a row.
func (s *Summary) Add(row *audit.Row) {
	s.Runs++
	s.Calls += row.Calls
	s.Failed += len(row.Failed)
	switch row.Decision {
	case audit.DecisionNone:
		if row.Partial {
			s.Partial++
		}
		return
	case audit.DecisionRefuse:
		s.Refuse++
	case audit.DecisionDisclose:
		s.Disclose++
	}
	s.Answers++
	if row.Recorded {
		s.Recorded++
	}
	topic := worstTopic(row)
	s.ByTopic[topic]++
	blind := 0
	for i := range row.Findings {
		if guard.Kind(row.Findings[i].Kind) == guard.KindUnchecked {
			blind++
		}
	}
	if blind > 0 {
		s.Blind++
	}
	if topic == NoTopic && len(row.Findings) > blind {
		s.Noted++
	}
}

// order is in which order the sentence tells of the topics.
var order = [...]Topic{Dead, Required, Hidden, Claimed, Figures, Waiting, NoTopic}

// always are the topics that are told even where there are none: that nothing
// was found is what many want to know.
var always = map[Topic]bool{Dead: true, Hidden: true, Claimed: true}

// Sentence is the summary in words: "1,204 runs, 987 answers: 23 stood on a
// dead tool, 41 hid a failed call, 12 claimed an action that never happened".
func (s *Summary) Sentence() string {
	if s.Runs == 0 {
		return "No runs."
	}
	said := counted(s.Runs, "run") + ", " + counted(s.Answers, "answer")
	if s.Answers == 0 {
		return said + "."
	}
	var parts []string
	for _, t := range order {
		if n := s.ByTopic[t]; n > 0 || always[t] {
			parts = append(parts, t.count(n))
		}
	}
	said += ": " + strings.Join(parts, ", ")
	if s.ByTopic[NoTopic] == 0 {
		said += ", none was clean"
	}
	return said + "."
}

// count says how many answers did it.
func (t Topic) count(n int) string {
	if t == NoTopic && n == 1 {
		return "1 was clean"
	}
	return figure(n) + " " + t.did()
}

// Remarks are what else there is to say about the counts, a sentence each.
func (s *Summary) Remarks() []string {
	var said []string
	if s.Partial > 0 {
		said = append(said, counted(s.Partial, "run")+" could not be judged for want of a part, see the problems of the input.")
	}
	if n := s.Runs - s.Answers - s.Partial; n > 0 {
		said = append(said, counted(n, "run")+" gave no answer to judge.")
	}
	if s.Recorded > 0 {
		said = append(said, "The record does not hold "+counted(s.Recorded, "answer")+"; shown is what was decided then.")
	}
	if s.Blind > 0 {
		said = append(said, "Figures of "+counted(s.Blind, "answer")+" could not be checked: there was more evidence than is kept.")
	}
	if s.Noted > 0 {
		said = append(said, "On "+counted(s.Noted, "clean answer")+" there are findings that the policy only reports; --format json has them.")
	}
	return said
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return figure(n) + " " + noun + "s"
}

// figure writes a number with commas between thousands.
func figure(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
