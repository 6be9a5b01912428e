package grounding

import (
	"slices"
	"strings"
)

// withFlags adds what the draft says of a yes or no of the evidence: "it is
// available" beside {"available": false}. Only a flag that has one value in all
// of the evidence, and whose whole name the draft says, is held against it.
func (c *checker) withFlags(results []Result) []Result {
	const mostFlags = 64 // names of flags that a draft is searched for
	x := c.x
	seen := make(map[string]int8)
	for i := range x.flags {
		f := &x.flags[i]
		v := int8(1)
		if !f.value {
			v = -1
		}
		if before, ok := seen[f.key]; ok && before != v {
			v = 0
		} else if !ok && len(seen) == mostFlags {
			continue
		}
		seen[f.key] = v
	}
	n := len(results)
	for i := range x.flags {
		f := &x.flags[i]
		if seen[f.key] == 0 {
			continue
		}
		value := seen[f.key] > 0
		seen[f.key] = 0
		if at, end, ok := saysOf(c.draft, flagWord(f.key), !value); ok {
			results = append(results, Result{
				Verdict: Contradicted, Start: at, End: end,
				Nearest: x.nearest(place{f.src, f.start, f.end}, f.key),
			})
		}
	}
	if len(results) > n {
		slices.SortStableFunc(results, func(a, b Result) int { return a.Start - b.Start })
	}
	return results
}

// mayFlag is whether the evidence can hold a flag: without one, a draft that
// holds no atom needs no index.
func (x *Index) mayFlag() bool {
	if len(x.flags) > 0 {
		return true
	}
	for i := x.read; i < len(x.sources); i++ {
		if text := x.sources[i].text; strings.Contains(text, "true") || strings.Contains(text, "false") {
			return true
		}
	}
	return false
}

// flagWord is the word by which people speak of a flag: "available" for
// "is_available"; "" where it is no single word.
func flagWord(key string) (word string) {
	n := 0
	for w := range words(key) {
		if n == 0 && (w == "is" || w == "was" || w == "has" || w == "has_been") {
			continue
		}
		word = w
		n++
	}
	if n != 1 || len(word) < 4 {
		return ""
	}
	return word
}

// saysOf finds where a draft says "is word" (or, with value false, "is not
// word") as a plain statement: in a sentence that is no question and that sets
// no condition.
func saysOf(draft, word string, value bool) (start, end int, ok bool) {
	if word == "" {
		return 0, 0, false
	}
	for from := 0; ; {
		i := indexFold(draft[from:], word)
		if i < 0 {
			return 0, 0, false
		}
		i += from
		from = i + len(word)
		if joined(draft, i, -1) || joined(draft, from, 1) {
			continue
		}
		before := draft[:i]
		if j := strings.LastIndexAny(before, ".!?\n;"); j >= 0 {
			before = before[j+1:]
		}
		rest := draft[from:]
		if j := strings.IndexAny(rest, ".!?\n;"); j >= 0 && rest[j] == '?' {
			continue
		}
		after := strings.TrimLeft(rest, " *_\"")
		if after != "" && strings.IndexByte(".,!;\n)", after[0]) < 0 && !goesOn(after) {
			continue // "available seats": the word says something else
		}
		if says, plain := statement(before); plain && says == value {
			return i, from, true
		}
	}
}

// goesOn is whether the word at the beginning of a text leaves the one before it
// as it is: "refundable for a fee".
func goesOn(text string) bool {
	for w := range words(text) {
		switch w {
		case "for", "at", "in", "on", "until", "with", "and", "to", "from", "by", "since", "again", "now":
			return true
		}
		break
	}
	return false
}

// statement reads the words before a predicate: whether they affirm it, and
// whether they are a plain statement at all.
func statement(before string) (affirms, plain bool) {
	var last [3]string
	for w := range words(strings.ReplaceAll(strings.ReplaceAll(before, "n't", " not"), "n’t", " not")) {
		switch w {
		case "if", "whether", "when", "unless", "once", "until", "could", "would", "should", "may", "might", "must", "nếu", "liệu":
			return false, false
		}
		last[0], last[1], last[2] = last[1], last[2], w
	}
	be := func(w string) bool {
		switch w {
		case "is", "are", "was", "were", "been", "it's":
			return true
		}
		return false
	}
	switch {
	case last[2] == "not" && be(last[1]), last[2] == "longer" && last[1] == "no", last[2] == "không":
		return false, true
	case be(last[2]):
		return true, true
	case (last[2] == "currently" || last[2] == "now" || last[2] == "still") && be(last[1]):
		return true, true
	case (last[2] == "currently" || last[2] == "now") && last[1] == "not":
		return false, true
	}
	return false, false
}

// indexFold is [strings.Index] in any case of ASCII; word is in lower case.
func indexFold(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
