package canonjson

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrRefused is matched by every error of this package that is about the
// document, see [*Error].
var ErrRefused = errors.New("canonjson: refused")

// Why a document is refused.
const (
	RuleSyntax    = "not valid JSON"
	RuleDuplicate = "duplicate name"
	RuleUTF8      = "invalid UTF-8 or lone surrogate"
	RuleRange     = "number out of range"
	RuleDepth     = "nested too deep"
	RuleSize      = "too large"
)

// Error says which rule a document broke and where. Its text holds no byte of
// the document.
type Error struct {
	Rule   string // one of the Rule constants
	Offset int64  // byte offset of the violation, as near as is known
}

// Error describes the rule and the place.
func (e *Error) Error() string {
	return "canonjson: " + e.Rule + " at byte " + strconv.FormatInt(e.Offset, 10)
}

// Unwrap returns [ErrRefused]. The parser's own error is not kept: it quotes
// the document.
func (e *Error) Unwrap() error { return ErrRefused }

// Wants says in one word what a document should have been that was refused with
// this error; "document" for an error of another origin.
func Wants(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return wants[e.Rule]
	}
	return "document"
}

var wants = map[string]string{
	RuleSyntax: "document", RuleDuplicate: "unique_names", RuleUTF8: "utf8",
	RuleRange: "finite_number", RuleDepth: "less_depth", RuleSize: "less_bytes",
}

// refuse translates an error of the parser.
func refuse(err error, offset int64) error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	e := &Error{Rule: RuleSyntax, Offset: offset}
	if syn, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		e.Offset = syn.ByteOffset
		switch {
		case errors.Is(syn.Err, jsontext.ErrDuplicateName):
			e.Rule = RuleDuplicate
		case syn.Err != nil && (strings.Contains(syn.Err.Error(), "UTF-8") || strings.Contains(syn.Err.Error(), "surrogate")):
			e.Rule = RuleUTF8
		}
	}
	return e
}
