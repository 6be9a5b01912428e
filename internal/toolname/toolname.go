package toolname

import (
	"slices"
	"strings"
	"unicode"
)

// Words are the words of a name in lower case: "getUser_by-id2" has five.
func Words(name string) []string {
	var words []string
	start, last := -1, other
	for i, r := range name {
		k := kindOf(r)
		if start >= 0 && (k == other || k == upper && last != upper || (k == digit) != (last == digit)) {
			words = append(words, strings.ToLower(name[start:i]))
			start = -1
		}
		if k != other && start < 0 {
			start = i
		}
		last = k
	}
	if start >= 0 {
		words = append(words, strings.ToLower(name[start:]))
	}
	return words
}

type runeKind uint8

const (
	other runeKind = iota
	upper
	lower
	digit
)

func kindOf(r rune) runeKind {
	switch {
	case unicode.IsUpper(r):
		return upper
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r), unicode.Is(unicode.Mn, r):
		return lower
	}
	return other
}

// Reads reports whether the words of a name say that the tool only looks: one
// says so, and none says that it changes something.
func Reads(words []string) bool {
	reads := false
	for _, part := range parts(words) {
		switch partSays(part) {
		case changes:
			return false
		case looks:
			reads = true
		}
	}
	return reads
}

// Changes reports whether the words of a name say that the tool changes
// something, whatever else it does.
func Changes(words []string) bool {
	return slices.ContainsFunc(parts(words), func(part []string) bool { return partSays(part) == changes })
}

// Executes reports whether the words of a name say that the tool does whatever
// its arguments say: it runs commands or programs, sends requests, or hands on
// to an agent.
func Executes(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return executing[w] })
}

// RunsPrograms reports whether the words of a name say that the tool runs
// commands or programs.
func RunsPrograms(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return programs[w] })
}

// Edits reports whether the words of a name say that the tool changes the text
// of files, in which anything may be added, moved or taken out.
func Edits(words []string) bool {
	file := slices.ContainsFunc(words, func(w string) bool { return files[w] })
	edits := false
	for _, w := range words {
		edits = edits || editing[w] || file && onFiles[w]
		if !editing[w] && !onFiles[w] && !files[w] && !besideEdits[w] {
			return false // "edit_ticket"
		}
	}
	return edits
}

// Glances reports whether the words of a name say that the tool only tells about
// a thing and does nothing with it.
func Glances(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return glancing[w] })
}

// IsReading reports whether one word of a name says that the tool looks.
func IsReading(word string) bool { return reading[word] || readingNouns[word] }

// IsExecuting is [Executes] for one word of a name.
func IsExecuting(word string) bool { return executing[word] }

type saying uint8

const (
	nothing saying = iota
	looks
	changes
)

// parts are the stretches of a name that "and" and "or" join.
func parts(words []string) [][]string {
	var all [][]string
	from := 0
	for i, w := range words {
		if joining[w] {
			all = append(all, words[from:i])
			from = i + 1
		}
	}
	return append(all, words[from:])
}

// partSays is what one part says. A verb that is no noun changes wherever it
// stands. One that may be a noun changes before all words that look, and behind
// a noun at the end: "status_change".
func partSays(part []string) saying {
	said := nothing
	behindNoun := false
	for i, w := range part {
		pair := i+1 < len(part) && readingPairs[w+" "+part[i+1]]
		switch {
		case changing[w]:
			return changes
		case said == nothing && (reading[w] || pair):
			said = looks
		case said == nothing && readingNouns[w]:
			said, behindNoun = looks, true
		case said == nothing && (changingNouns[w] || executing[w]):
			said = changes
		case behindNoun && i == len(part)-1 && changingNouns[w]:
			return changes
		}
	}
	return said
}
