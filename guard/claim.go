package guard

import (
	"slices"
	"strings"
	"unicode"
)

// claim is a place of a draft that says that something was done.
type claim struct {
	deed   int // in [deeds]; -1: one that a tool declares and the table does not have
	word   string
	tongue *tongue
	own    bool // the author says so of himself: "I have sent"; else that it was done: "it has been sent"
	weak   bool // it may as well tell how things are: "all paid", "it was sent"
	clause *clause
	scope  []word // the words it is about
	count  int    // how many it says it was, 0 where it does not
	all    bool   // it says that it was all of them
	// outcome is how it ended, where the deed is that of a noun: "delivered"
	outcome uint8
}

// done is the verb as the texts say it.
func (c *claim) done() string {
	if c.deed < 0 {
		return c.word
	}
	return englishTongue.said(c.deed)
}

// maxClaims bounds the claims that are read out of one draft.
const maxClaims = 64

// claims reads the draft for what it says was done. declared are deeds that the
// table does not have, by the stem of their verb. nouns are words of the run's
// tools for what they act on, as stems.
func (j *judgment) claims(declared map[string]string, nouns map[string]bool) []claim {
	clauses := j.clausesThat(func(h hint) bool { return len(declared) > 0 || h.saysDone() }, withoutLetters(j.shown()))
	var found []claim
	begins := 0 // where the clauses of the sentence begin that claim nothing
	for i := range clauses {
		if i > 0 && clauses[i].sentence != clauses[i-1].sentence {
			begins = i
		}
		r := &claimReader{clause: &clauses[i], nouns: nouns, declared: declared, before: clauses[begins:i]}
		if n := i + 1; n < len(clauses) && clauses[n].sentence == clauses[i].sentence {
			r.next = clauses[n].opener
		}
		claimed := r.read()
		found = append(found, claimed...)
		if len(claimed) > 0 {
			begins = i + 1
		}
		if len(found) >= maxClaims {
			return found[:maxClaims]
		}
	}
	return found
}

// withoutLetters takes out letters that the draft drafts: what stands between
// "Subject:" or a salutation and the closing is said by whoever signs it. A
// draft that is a letter itself, without a subject, is the author's own.
func withoutLetters(text string) string {
	if !strings.ContainsAny(text, "\n") {
		return text
	}
	var b strings.Builder
	first, inside, found, left := true, false, false, 0
	for line := range strings.Lines(text) {
		bare := strings.ToLower(strings.TrimFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ':' && r != ',' }))
		switch {
		case bare == "":
		case inside:
			if left--; left == 0 || slices.ContainsFunc(closings, func(c string) bool { return strings.HasPrefix(bare, c) && len(bare) < maxClosing }) {
				inside = false
			}
			b.WriteByte('\n')
			continue
		case slices.ContainsFunc(subjectLines, func(c string) bool { return strings.HasPrefix(bare, c) }),
			!first && len(bare) < maxClosing && slices.ContainsFunc(salutations, func(c string) bool { return strings.HasPrefix(bare, c) }):
			inside, found, left = true, true, maxLetter
			continue
		}
		first = first && bare == ""
		b.WriteString(line)
	}
	if !found {
		return text
	}
	return b.String()
}

var (
	subjectLines = []string{"subject:", "chủ đề:", "tiêu đề:"}
	salutations  = []string{"dear ", "hi ", "hello ", "kính gửi", "thân gửi", "chào "}
	closings     = []string{"best", "kind regards", "regards", "sincerely", "warm", "yours", "thanks", "thank you,", "cheers", "trân trọng", "thân ái", "kính thư"}
)

const (
	maxClosing = 48
	maxLetter  = 40 // lines; a letter that is not closed ends here
)
