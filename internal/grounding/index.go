package grounding

import "time"

// Index is the evidence of one run. The zero value is empty and ready. It is
// not safe for concurrent use.
type Index struct {
	sources []source
}

type source struct {
	Source
	text string
}

// Add adds a text to the evidence. The text is kept by reference and read at
// the next [Index.Check].
func (x *Index) Add(s Source, text string) {
	x.sources = append(x.sources, source{Source: s, text: text})
}

// Check says for each checkable piece of a draft, in order, whether the
// evidence supports it. now is the clock of the run: the day that "yesterday"
// is counted from.
func (x *Index) Check(draft string, now time.Time) []Result {
	return nil
}
