package toolkit

import "errors"

// ModelTexter is implemented by results that are text for a reader rather than
// data: a file, a listing, what a program printed. [Result.String] shows the
// text in the place of the value's JSON, so it must say everything of the value
// that a model should know.
type ModelTexter interface{ ModelText() string }

// Emptier is implemented by results that know when they hold nothing: a search
// without a match. The call is then ok and empty, which is an answer. Slices,
// maps, strings and pointers need no method.
type Emptier interface{ Empty() bool }

// Detailer is implemented by errors that hold what a model needs in order to
// correct its call, such as the output of a command, and keep it out of their
// text. A tool with Detail shows it, redacted, bounded and fenced, in the place
// of the text; it is not recorded.
type Detailer interface{ Detail() string }

// detailOf is what a tool with Detail shows of an error.
func detailOf(err error) string {
	var d Detailer
	if errors.As(err, &d) {
		return d.Detail()
	}
	return err.Error()
}
