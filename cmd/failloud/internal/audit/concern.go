package audit

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/failloud/failloud/internal/toolname"
	"github.com/failloud/failloud/runrecord"
)

// concerns says whether words that tell of a failure tell of that call: they
// name what it was about, its tool, or what it was refused with.
func concerns(run *runrecord.Run, seq uint32, words []string) bool {
	r, _ := run.Local(replayKey{}, func() any { return (*replay)(nil) }).(*replay)
	if r == nil {
		return false
	}
	c := &r.calls[seq-1]
	if r.onlyFailure(c.tool) && slices.ContainsFunc(words, func(w string) bool { return oneself[w] }) {
		return true
	}
	tried := r.subject(c)
	tool := toolname.Words(c.tool)
	refused := 0
	for _, w := range words {
		if !significant(w) || toolname.IsReading(w) || commonplace[w] {
			continue
		}
		stem := stemOf(w)
		if slices.ContainsFunc(tried.words, func(t string) bool { return stemOf(t) == stem }) || slices.ContainsFunc(tool, func(t string) bool { return stemOf(t) == stem || t == unmarked(w) }) {
			return true
		}
		if len(w) >= 5 && strings.Contains(strings.ToLower(c.returned[:min(len(c.returned), maxRefusal)]), stem) {
			refused++
		}
	}
	return refused >= 2
}

// oneself are the words of an author who speaks of what he or his tools did.
var oneself = wordSet(`i i'm i've we we've my our tool tools system service api lookup request tôi mình em chúng công hệ`)

// commonplace are words that name no call more than another.
var commonplace = wordSet(`server service services tool tools api mcp error errors request requests response http failed
	failure issue issues problem data result results system information details`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// maxRefusal bounds how much of an error is compared with a draft.
const maxRefusal = 2 << 10

// onlyFailure reports whether every call that failed was of this tool.
func (r *replay) onlyFailure(tool string) bool {
	for i := range r.calls {
		if failed(r.calls[i].outcome.Kind) && r.calls[i].tool != tool {
			return false
		}
	}
	return true
}

// unmarked is a word as the name of a tool has it, without the marks of its
// letters: "chuyển" is "chuyen" there.
func unmarked(w string) string {
	if ascii(w) {
		return w
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(w) {
		switch {
		case r == 'đ':
			b.WriteByte('d')
		case !unicode.Is(unicode.Mn, r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// stemOf is what the forms of a word have in common, as far as it is needed to
// compare two of them.
func stemOf(w string) string {
	w = strings.ToLower(w)
	if ascii(w) && len(w) > 5 {
		return w[:5]
	}
	return strings.TrimSuffix(w, "s")
}
