package guard

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/failloud/failloud/runrecord"
)

// askedAlone are the words of the values that this failed call was asked for
// and no call that succeeded: addresses, paths and codes.
func (j *judgment) askedAlone(call uint32) []string {
	if ids, known := j.alone[call]; known {
		return ids
	}
	var ids []string
	for _, e := range j.tried() {
		if e.Call != call {
			continue
		}
		for _, v := range valuesIn(e.Args) {
			elsewhere := func(e runrecord.Evidence) bool { return strings.Contains(e.Args, v) }
			if id, n := valueID(v); n > 0 && tellsApart(v) && !slices.ContainsFunc(j.proof(), elsewhere) {
				ids = append(ids, id)
			}
		}
	}
	if j.alone == nil {
		j.alone = map[uint32][]string{}
	}
	j.alone[call] = ids
	return ids
}

// maxAsked bounds the values of one call that are looked at.
const maxAsked = 32

// valuesIn are the strings at the top of a call's arguments.
func valuesIn(args string) []string {
	var fields map[string]any
	if len(args) > maxCommands || json.Unmarshal([]byte(args), &fields) != nil {
		return nil
	}
	var values []string
	for _, v := range fields {
		if s, ok := v.(string); ok && len(values) < maxAsked {
			values = append(values, s)
		}
	}
	return values
}

// tellsApart holds for what names one thing: an address, a path, a code. A word
// or a number may be anything.
func tellsApart(v string) bool {
	if len(v) < 4 || len(v) > 200 || strings.ContainsAny(v, " \n") {
		return false
	}
	return strings.ContainsAny(v, "@/.") || strings.ContainsFunc(v, unicode.IsDigit) && strings.ContainsFunc(v, unicode.IsLetter)
}
