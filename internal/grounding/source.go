package grounding

// Source says where a text of the evidence comes from.
type Source struct {
	Call     uint32     // number of the call in its run; 0: not a call
	Tool     string     // name of the tool; empty: not a call
	Kind     SourceKind // the zero value is Returned
	Degraded bool       // cut, stale or a fallback's: what is missing here may have been in the whole
}

// SourceKind is the kind of a source. The zero value is [Returned].
type SourceKind uint8

// The kinds of sources.
const (
	Returned SourceKind = iota // what a tool gave back
	Argument                   // what a tool was given
	Heard                      // the user's own words: repeating them states nothing
	Constant                   // declared to be known: a policy text, a price list
)
