package fault

// The classifier reaches markers through these; tests pin them on their own.
var (
	Marked = marked
	Refine = refine
)
