package grounding

import "github.com/failloud/failloud/internal/atom"

// Verdict is what the evidence says about one piece of a draft. The zero value
// is none.
type Verdict uint8

// The verdicts, from the best to the worst.
const (
	Supported    Verdict = iota + 1 // the evidence holds it, perhaps in another form
	Derived                         // it follows from the evidence by counting or arithmetic
	Exempt                          // it states nothing that needs evidence: the user said it, or it only orders the text
	Unchecked                       // it cannot be told: evidence was cut where it may have been
	Unsupported                     // nothing in the evidence is like it
	Contradicted                    // the evidence holds something close to it that differs
)

var verdictNames = [...]string{"none", "supported", "derived", "exempt", "unchecked", "unsupported", "contradicted"}

// String returns the verdict as one lower-case word, "none" for the zero value.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "none"
}

// Finding reports whether the verdict is one that a reader of the draft has to
// be told about: [Unsupported] or [Contradicted].
func (v Verdict) Finding() bool { return v == Unsupported || v == Contradicted }

// Result is what was found about one piece of a draft.
type Result struct {
	Verdict    Verdict
	Kind       atom.Kind // 0: a word of yes or no that a flag of the evidence contradicts
	Start, End int       // bytes of the draft
	Nearest    Nearest   // zero where there is none
}

// Nearest is the place in the evidence that supports a piece of a draft or
// comes closest to it.
type Nearest struct {
	Call       uint32 // of the source
	Tool       string // of the source
	Text       string // the evidence there with a little around it: at most 120 bytes of valid UTF-8
	How        string // how the draft's figure follows from it, or differs: "sum of items[].total"
	Start, End int    // bytes of the source's text
}
