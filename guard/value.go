package guard

import (
	"strings"

	"github.com/failloud/failloud/runrecord"
)

// valueIndex finds the argument values that the run's calls kept, such as the
// customer a look-up was about, in a text.
type valueIndex struct {
	ids     map[string]map[string]bool // the fields that have the value, by its words without marks
	lengths [maxValueWords + 1]bool
}

// maxValueWords is the longest value that is looked for, in words.
const maxValueWords = 12

func indexValues(calls []runrecord.Call) *valueIndex {
	x := &valueIndex{ids: map[string]map[string]bool{}}
	for i := range calls {
		for field, v := range detail(&calls[i]).Args {
			id, n := valueID(v)
			if n == 0 {
				continue
			}
			if x.ids[id] == nil {
				x.ids[id] = map[string]bool{}
			}
			x.ids[id][field] = true
			x.lengths[n] = true
		}
	}
	return x
}

// valueID is a value's words without marks, and their number; 0 where it has
// none, or too many to be looked for.
func valueID(v string) (id string, n int) {
	words := splitWords(cutText(v, 400))
	if len(words) > maxValueWords {
		return "", 0
	}
	return joinPlain(words), len(words)
}

func joinPlain(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.plain)
	}
	return b.String()
}

// in returns the values that the words hold, nil where there are none.
func (x *valueIndex) in(words []word) map[string]bool {
	if len(x.ids) == 0 {
		return nil
	}
	var found map[string]bool
	for n, used := range x.lengths {
		for at := 0; used && at+n <= len(words); at++ {
			if id := joinPlain(words[at : at+n]); x.ids[id] != nil {
				if found == nil {
					found = map[string]bool{}
				}
				found[id] = true
			}
		}
	}
	return found
}
