package fault

import (
	"slices"
	"strings"
)

// Most results are successes, and most of the bytes of one cannot change that:
// the rows of a list, the text of a page. So JSON is checked to its end, as
// encoding/json does, but only what the detectors look at is made into values.

// view is how much of a JSON value is made into Go values.
type view uint8

const (
	viewAll   view = iota // everything
	viewShell             // an envelope: members by their name, see memberView; the first items of a list
	viewBag               // things by name or in a row, each an envelope
	viewBlank             // only whether it is blank, see [blank]
	viewSkip              // nothing
)

const maxShell = 17 // items of a list of envelopes: one more than [listEnvelope] takes

// Stand-ins for what was not made into values. They are shared and never
// changed.
var (
	emptyObject  = map[string]any{}
	filledObject = map[string]any{"…": true}
	emptyList    = []any{}
	blankList    = []any{nil}
	filledList   = []any{true}
)

// Members of an envelope of which more is looked at than whether they are
// blank, as objects and as lists.
var (
	shellObjects = map[string]view{
		"response": viewShell, "result": viewShell, "body": viewShell, "payload": viewShell, "meta": viewShell, "responsestatus": viewShell,
		"head": viewShell, "task": viewShell, "properties": viewShell, "data": viewBag, "errors": viewAll,
	}
	shellLists = map[string]view{"content": viewShell, "responses": viewBag, "errors": viewAll, "detail": viewAll}
	batchLists = map[string]view{"results": viewBag, "items": viewBag, "operations": viewBag, "outcomes": viewBag}
)

// outlineJSON decodes as much of a JSON value as tells whether it is a plain
// success of a call with that effect. Where it may not be, the whole has to be
// decoded. The third result is false where only the whole can tell.
func outlineJSON(s string, effect Effect) (root any, valid, sure bool) {
	j := jsonReader{s: s, batch: effect != Read}
	root, valid = j.document(viewShell)
	return root, valid, !j.unsure
}

// memberView returns how much of a member is looked at, where of the object it
// is v. The reader stands at the member.
func (j *jsonReader) memberView(v view, name string) view {
	if v == viewAll || v == viewSkip {
		return v
	}
	if v == viewBlank {
		return viewSkip
	}
	isObject := strings.HasPrefix(j.s[j.at:], "{")
	if !isObject && !strings.HasPrefix(j.s[j.at:], "[") {
		return v // a scalar
	}
	if v == viewBag {
		if isObject {
			return viewShell
		}
		return viewBlank
	}
	key := squash(name)
	if slices.Contains(foreignErrors, key) {
		return viewAll
	}
	if !isObject {
		if of, ok := shellLists[key]; ok {
			return of
		}
		if of, ok := batchLists[key]; ok && j.batch {
			return of
		}
		return viewBlank
	}
	if of, ok := shellObjects[key]; ok {
		return of
	}
	if strings.HasSuffix(key, "metadata") || strings.HasSuffix(key, "error") || strings.HasSuffix(key, "exception") || namesAnswer(name) {
		return viewShell
	}
	return viewBlank
}
