package redact

import "strings"

// complaints are words that stand where a value would, when a message tells
// what is wrong with it: "password: required", "apiKey: must not be empty".
var complaints = words(`required missing expired invalid must should cannot can't could is isn't was not no none null nil undefined
	true false empty mismatch mismatched malformed header field failed failure denied too does doesn't did has have hasn't unknown
	unsupported rejected revoked disabled enabled wrong incorrect value bad expected rotation unset absent blank optional
	unauthorized unauthenticated forbidden error ok valid verified verification please closed needs need needed requires only
	contains changed reset already authentication flag option argument parameter length minimum maximum may might will would
	authorization when if strict unspecified unavailable permission unexpected <nil> <none> <empty> n/a
	minlength maxlength bắt không chưa phải sai thiếu quá đã được cần bị hết trống khong chua thieu this yes string number boolean integer bytes type`)

// schemeProse are words that follow "bearer" in messages about authentication.
var schemeProse = words(`a auth authentication authorization certificate credential credentials error expired format has header in
	invalid is missing not or realm required scheme token tokens was and for with of to`)

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// complaint reports whether a text begins like a complaint about a value
// rather than with the value.
func complaint(text string) bool {
	text = strings.TrimLeft(text, " \t[\"'`")
	end := strings.IndexAny(text, " \t\r\n,;&\"'`])}")
	if end < 0 {
		end = len(text)
	}
	word := strings.TrimRight(text[:end], ".:!")
	if len(word) == 0 || len(word) > len("unauthenticated") {
		return false
	}
	return complaints[word] || complaints[strings.ToLower(word)]
}

// lookedUp reports whether a text goes on as it does behind the name of a thing
// that was looked for.
func lookedUp(rest string) bool {
	rest = strings.TrimLeft(rest, "\"'`)")
	for _, end := range []string{" not found", " does not exist", " doesn't exist", " already exists", " is missing", " missing", " was not found"} {
		if strings.HasPrefix(rest, end) {
			return true
		}
	}
	return false
}
