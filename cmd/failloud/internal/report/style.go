package report

import "github.com/failloud/failloud/cmd/failloud/internal/audit"

// Style is how a table looks. The zero value is plain.
type Style struct {
	// Colour uses the colours of a terminal. Default: none.
	Colour bool
}

// Sequences of a terminal (ECMA-48, 8.3.117).
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// in returns s in a colour.
func (st Style) in(colour, s string) string {
	if !st.Colour || s == "" {
		return s
	}
	return colour + s + reset
}

// decision shows a decision, padded.
func (st Style) decision(d string, width int) string {
	colour := green
	switch d {
	case audit.DecisionRefuse:
		colour = red
	case audit.DecisionDisclose:
		colour = yellow
	}
	return st.in(colour, pad(d, width))
}

// pad fills s with spaces to at least width columns.
func pad(s string, width int) string {
	for n := columns(s); n < width; n++ {
		s += " "
	}
	return s
}
