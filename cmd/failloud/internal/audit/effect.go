package audit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/failloud/failloud/fault"
)

// reading are the words of a tool's name that say it only looks. A name with
// none of them may do anything.
var reading = wordSet(`get fetch read list search find look lookup query retrieve show view describe check count
	calculate compute think route browse scan inspect load download summarize summarise translate analyze analyse
	convert validate verify compare estimate detect classify extract parse preview ping status info weather quote`)

// changing are the words that say it changes something, whatever else it does.
var changing = wordSet(`send create update delete remove add insert write edit set put post patch book cancel pay refund
	transfer submit upload save move rename copy schedule assign close open approve reject merge commit push deploy
	publish order purchase buy reserve modify change append replace drop execute exec run invoke call email mail reply`)

// executing are the words of a tool that does whatever its argument says.
var executing = wordSet(`terminal shell bash sh zsh powershell cmd command python python3 ipython jupyter notebook node
	code interpreter repl console exec execute process script sandbox sql`)

// executes reports whether a tool of this name runs commands or programs.
func executes(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return executing[w] })
}

// glancing are the words of a tool that tells about a thing and does nothing with
// it.
var glancing = wordSet(`info status list exists exist stat metadata route think plan help schema describe ping todo`)

// glances reports whether a tool of this name only tells about things.
func glances(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return glancing[w] })
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// inferEffect reads the effect of a tool that nobody declared off its name:
// [fault.Read] where the name only speaks of looking, else undeclared.
func inferEffect(name string) fault.Effect {
	looks := false
	for _, w := range nameWords(name) {
		if changing[w] {
			return fault.Undeclared
		}
		looks = looks || reading[w]
	}
	if looks {
		return fault.Read
	}
	return fault.Undeclared
}

// nameWords are the words of a name in lower case: "getUser_by-id" has four.
func nameWords(name string) []string {
	var words []string
	start, lower := -1, false
	for i, r := range name {
		letter := unicode.IsLetter(r)
		if start >= 0 && (!letter || lower && unicode.IsUpper(r)) {
			words = append(words, strings.ToLower(name[start:i]))
			start = -1
		}
		if letter && start < 0 {
			start = i
		}
		lower = unicode.IsLower(r)
	}
	if start >= 0 {
		words = append(words, strings.ToLower(name[start:]))
	}
	return words
}
