package guard

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
)

// reported reports whether the claim may only hand on what a look-up, or the
// user, said. What the author says of himself stands on what a write returned.
func (j *judgment) reported(c *claim) bool {
	if c.deed < 0 {
		return false
	}
	if !c.own && !j.proofIsWhole() {
		return true
	}
	for _, e := range j.proof() {
		if c.own && (e.Tool == nil || e.Tool.Effect == fault.Read) {
			continue
		}
		if mentions(e.Result, c.deed) {
			return true
		}
	}
	if c.own {
		return false
	}
	return slices.ContainsFunc(j.run.Heard(), func(s string) bool { return mentions(s, c.deed) })
}

func (j *judgment) anySuccess() bool {
	for _, s := range j.ev.stats {
		if s.OK > 0 {
			return true
		}
	}
	return false
}

// mentions reports whether a text speaks of the deed as done, in any form:
// "paid", "cancelled_at", "refunded": true.
func mentions(text string, deed int) bool {
	name := deeds[deed].name
	for i := 0; i < len(text); {
		n := letters(text[i:])
		if n == 0 {
			i++
			continue
		}
		if w := text[i : i+n]; n > 2 {
			if done, noun := saidIn(w, name); (done || noun && settledNear(text[i+n:])) && !deniedNear(text[:i], text[i+n:]) {
				return true
			}
		}
		i += n
	}
	return false
}

// saidIn reports whether a word is one of the deed's forms, or its noun.
func saidIn(w string, name string) (done, noun bool) {
	lower := strings.ToLower(w)
	for _, f := range verbs[plain(lower)] {
		if !f.bare && f.deed >= 0 && deeds[f.deed].name == name {
			return true, false
		}
	}
	for _, t := range tongues {
		for form := range strings.FieldsSeq(t.nouns[name]) {
			noun = noun || form == lower
		}
	}
	return false, noun
}

// settledNear reports whether a noun such as "refund" is soon followed by a word
// that it is done.
func settledNear(after string) bool {
	lower := strings.ToLower(after[:min(len(after), 80)])
	for _, w := range []string{"processed", "complete", "success", "succeeded", "issued", "confirmed", "approved", "settled", "paid", "sent", "done", "delivered", "captured", "true", "amount", "id\""} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

func deniedNear(before, after string) bool {
	b := strings.ToLower(before[max(0, len(before)-8):])
	if strings.HasSuffix(b, "not ") || strings.HasSuffix(b, "not_") || strings.HasSuffix(b, "never ") || strings.HasSuffix(b, "no ") || strings.HasSuffix(b, "un") {
		return true
	}
	a := strings.TrimLeft(after[:min(len(after), 24)], "\"_abcdefghijklmnopqrstuvwxyz")
	a = strings.TrimLeft(a, "\": ")
	return strings.HasPrefix(a, "false") || strings.HasPrefix(a, "null") || strings.HasPrefix(a, "0,") || strings.HasPrefix(a, "0}") || strings.HasPrefix(a, "[]")
}

// letters is the length of the run of letters that the text begins with.
func letters(s string) int {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= 0x80) {
		n++
	}
	return n
}
