package canonjson

import (
	"errors"
	"fmt"
	"strings"
)

// ErrPointer is matched by the error of [New] for a name that does not say
// which field is meant.
var ErrPointer = errors.New("canonjson: not a field")

// pointer is a parsed JSON pointer; "*" stands for every element of an array.
type pointer []string

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

func parsePointer(s string) (pointer, error) {
	if s == "" || s == "/" {
		return nil, fmt.Errorf("%w: %q would leave nothing to tell two calls apart", ErrPointer, s)
	}
	if s[0] != '/' {
		return pointer{s}, nil
	}
	parts := strings.Split(s[1:], "/")
	for i, p := range parts {
		if strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(p), "~") {
			return nil, fmt.Errorf("%w: %q has a ~ that is neither ~0 nor ~1", ErrPointer, s)
		}
		parts[i] = unescape.Replace(p)
	}
	return parts, nil
}

// level is one open object or array on the way to the current value.
type level struct {
	name  string // of the current member of an object
	index int    // of the current element of an array
	array bool
}

func (p pointer) matches(path []level) bool {
	if len(p) != len(path) {
		return false
	}
	for i, at := range path {
		switch {
		case !at.array:
			if p[i] != at.name {
				return false
			}
		case p[i] != "*" && !isIndex(p[i], at.index):
			return false
		}
	}
	return true
}

func isIndex(s string, index int) bool {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) || n > index {
			return false
		}
		n = n*10 + int(s[i]-'0')
	}
	return s != "" && n == index && (len(s) == 1 || s[0] != '0')
}
