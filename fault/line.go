package fault

// LineInput is what [Line] is made from. CONTRACT SKELETON, owner may add fields.
type LineInput struct {
	Tool     string
	Effect   Effect
	Outcome  Outcome
	Attempts int
	Nearest  []string // for an unknown name: at most five are shown
}

// Line is what the model sees of a call that is not a plain success: one line,
// at most 300 bytes, from enumerations and the tool's own name.
func Line(in LineInput) string { return "" }
