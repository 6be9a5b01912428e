package toolkit

import (
	"errors"
	"fmt"
)

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
	return said(err, func() string {
		var d Detailer
		if errors.As(err, &d) {
			return d.Detail()
		}
		return err.Error()
	})
}

// textOf is the text of an error, also of one that panics when it is asked, as
// a nil pointer that was returned as an error does.
func textOf(err error) string { return said(err, func() string { return err.Error() }) }

func said(err error, text func() string) (s string) {
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("(an error of type %T that cannot be printed)", err)
		}
	}()
	return text()
}
