package policy

import (
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// kind is what a node is, in the words of an error.
type kind string

const (
	aNull   kind = "nothing"
	aText   kind = "a text"
	aBool   kind = "true or false"
	aNumber kind = "a number"
	aList   kind = "a list"
	aMap    kind = "a map"
	odd     kind = "a value with a tag of its own"
)

// kindOf tells what a node is. A date is a text here: no setting is one, and
// the editor's schema sees a text as well.
func kindOf(n *yaml.Node) kind {
	switch tag := n.ShortTag(); {
	case n.Kind == yaml.SequenceNode && tag == "!!seq":
		return aList
	case n.Kind == yaml.MappingNode && tag == "!!map":
		return aMap
	case n.Kind != yaml.ScalarNode:
		return odd
	case tag == "!!null":
		return aNull
	case tag == "!!str", tag == "!!timestamp":
		return aText
	case tag == "!!bool":
		return aBool
	case tag == "!!int", tag == "!!float":
		return aNumber
	}
	return odd
}

// wants complains about a value of the wrong kind.
func (r *reader) wants(n *yaml.Node, where, what string) {
	got := kindOf(n)
	if where == "" {
		r.add(markOf(n), "", "want %s, got %s", what, got)
		return
	}
	r.add(markOf(n), "", "%s: want %s, got %s", where, what, got)
}

// text reads a text that is not blank.
func (r *reader) text(n *yaml.Node, where string) (string, bool) {
	switch {
	case kindOf(n) == aNumber || kindOf(n) == aBool:
		r.add(markOf(n), "", "%s: want a text, got %s: put it in quotes", where, kindOf(n))
	case kindOf(n) != aText:
		r.wants(n, where, "a text")
	case strings.TrimSpace(n.Value) == "":
		r.add(markOf(n), "", "%s: it is empty", where)
	default:
		return n.Value, true
	}
	return "", false
}

// words reads a text or a number as it is written: for what is compared with
// texts, where quotes would only be a nuisance.
func (r *reader) words(n *yaml.Node, where string) (string, bool) {
	if kindOf(n) == aNumber {
		return n.Value, true
	}
	return r.text(n, where)
}

// figure reads a number. One with a leading 0 is refused: 010 is eight in one
// version of YAML and ten in the next.
func (r *reader) figure(n *yaml.Node, where, what string) (f float64, ok bool) {
	digits := strings.TrimLeft(n.Value, "+-")
	switch {
	case kindOf(n) == aNumber && len(digits) > 1 && digits[0] == '0' && (digits[1] == '_' || '0' <= digits[1] && digits[1] <= '9'):
		r.add(markOf(n), "", "%s: want a number without a leading 0, got %s", where, quoted(n.Value))
	case kindOf(n) != aNumber || n.Decode(&f) != nil:
		r.wants(n, where, what)
	default:
		return f, true
	}
	return 0, false
}

// whole reads a whole number; 3.0 is one. One that
// no int64 holds is the largest or the smallest.
func (r *reader) whole(n *yaml.Node, where string) (i int64, ok bool) {
	const what = "a whole number"
	f, ok := r.figure(n, where, what)
	switch {
	case !ok:
		return 0, false
	case f != math.Trunc(f): // not a number, either
		r.wants(n, where, what)
		return 0, false
	case n.Decode(&i) == nil:
		return i, true
	case f < 0:
		return math.MinInt64, true
	}
	return math.MaxInt64, true
}

// number reads a finite number that is not negative.
func (r *reader) number(n *yaml.Node, where string) (float64, bool) {
	f, ok := r.figure(n, where, "a number")
	if !ok {
		return 0, false
	}
	if !(f >= 0) || math.IsInf(f, 0) {
		r.add(markOf(n), "", "%s: want 0 or more, got %s", where, quoted(n.Value))
		return 0, false
	}
	return f, true
}

// choice reads one of a few names.
func (r *reader) choice(n *yaml.Node, where string, names []string) (int, bool) {
	if kindOf(n) != aText {
		r.wants(n, where, oneOf(names))
		return 0, false
	}
	i := slices.Index(names, n.Value)
	if i < 0 {
		r.addNear(markOf(n), n.Value, slices.Values(names), "%s: %s is not one of %s", where, quoted(n.Value), strings.Join(names, ", "))
	}
	return i, i >= 0
}

// maxCount bounds whole numbers, so that they fit an int on every machine.
const maxCount = 1<<31 - 1

// between reads a whole number within bounds.
func (r *reader) between(n *yaml.Node, where string, least, most int64) (int64, bool) {
	i, ok := r.whole(n, where)
	switch {
	case ok && i < least && most == maxCount:
		r.add(markOf(n), "", "%s: want %d or more, got %.60s", where, least, n.Value)
	case ok && (i < least || i > most):
		r.add(markOf(n), "", "%s: want %d to %d, got %.60s", where, least, most, n.Value)
	default:
		return i, ok
	}
	return 0, false
}
