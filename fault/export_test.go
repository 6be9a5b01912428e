package fault

// The classifier reaches these through others; tests pin them on their own.
var (
	Marked     = marked
	Refine     = refine
	DecodeJSON = decodeJSON
)
