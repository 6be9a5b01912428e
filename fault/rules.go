package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"
)

// Rules is what a tool's owner declares about its results, as data. The zero
// value declares nothing. Conditions are "PATH OP VALUE", see [ParseCondition].
// Rules can be used as they are; [Rules.Compile] makes every later use cheap.
// They are safe for concurrent use while nobody compiles or changes them.
type Rules struct {
	SoftError       string          `json:"soft_error,omitempty"`         // holds: a failure
	Denied          string          `json:"denied,omitempty"`             // holds: a person or a policy said no
	Partial         string          `json:"partial,omitempty"`            // holds: ok, partial
	Truncated       string          `json:"truncated,omitempty"`          // holds: ok, truncated
	Stale           string          `json:"stale,omitempty"`              // holds: ok, stale
	EmptyIsFailure  json.RawMessage `json:"empty_is_failure,omitempty"`   // true, or a path
	MinRows         int             `json:"min_rows,omitempty"`           // fewer: a failure
	PageLimit       int             `json:"page_limit,omitempty"`         // exactly that many items: ok, truncated
	NotFoundIsEmpty bool            `json:"not_found_is_empty,omitempty"` // 404 and 410 are ok, empty
	NoMatchExit     []int           `json:"no_match_exit,omitempty"`      // exit codes that are ok, empty
	ContentType     string          `json:"content_type,omitempty"`       // any other: malformed_response

	compiled *ruleSet
}

// ruleSet is the compiled form of Rules.
type ruleSet struct {
	softError, denied, partial, truncated, stale *Condition

	emptyFails bool
	emptyPath  *path // an empty value there is a failure
	mediaType  string
}

// Validate returns what is wrong with the rules, joined; nil for rules that can
// be used. Each error names the rule.
func (r *Rules) Validate() error {
	_, err := r.build()
	return err
}

// Compile validates the rules and keeps their compiled form. A copy made later
// shares it; a field changed later has no effect until the next Compile.
func (r *Rules) Compile() error {
	set, err := r.build()
	if err == nil {
		r.compiled = set
	}
	return err
}

// declared reports whether anything was declared. A nil pointer declares
// nothing.
func (r *Rules) declared() bool {
	return r != nil && (r.compiled != nil || r.SoftError != "" || r.Denied != "" || r.Partial != "" || r.Truncated != "" || r.Stale != "" ||
		len(r.EmptyIsFailure) > 0 || r.MinRows != 0 || r.PageLimit != 0 || r.NotFoundIsEmpty || len(r.NoMatchExit) > 0 || r.ContentType != "")
}

func (r *Rules) build() (*ruleSet, error) {
	var set ruleSet
	var errs []error
	for _, c := range []struct {
		rule, text string
		into       **Condition
	}{
		{"soft_error", r.SoftError, &set.softError}, {"denied", r.Denied, &set.denied}, {"partial", r.Partial, &set.partial},
		{"truncated", r.Truncated, &set.truncated}, {"stale", r.Stale, &set.stale},
	} {
		if c.text == "" {
			continue
		}
		parsed, err := ParseCondition(c.text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.rule, err))
			continue
		}
		*c.into = &parsed
	}
	errs = append(errs, set.parseEmpty(r.EmptyIsFailure))
	if r.MinRows < 0 {
		errs = append(errs, fmt.Errorf("min_rows: want 0 or more, got %d", r.MinRows))
	}
	if r.PageLimit < 0 {
		errs = append(errs, fmt.Errorf("page_limit: want 0 or more, got %d", r.PageLimit))
	}
	if slices.Contains(r.NoMatchExit, 0) {
		errs = append(errs, errors.New("no_match_exit: 0 is success already"))
	}
	if r.ContentType != "" {
		mediaType, _, err := mime.ParseMediaType(r.ContentType)
		if err != nil || !strings.Contains(mediaType, "/") {
			errs = append(errs, fmt.Errorf("content_type: %q is not a media type like application/json", r.ContentType))
		}
		set.mediaType = mediaType
	}
	return &set, errors.Join(errs...)
}

// parseEmpty reads empty_is_failure: true, false or a path.
func (set *ruleSet) parseEmpty(raw json.RawMessage) error {
	switch text := strings.TrimSpace(string(raw)); {
	case text == "", text == "null", text == "false":
		return nil
	case text == "true":
		set.emptyFails = true
		return nil
	}
	var where string
	if json.Unmarshal(raw, &where) != nil {
		return fmt.Errorf("empty_is_failure: want true or a path, got %s", raw)
	}
	p, err := parsePath(where)
	if err != nil {
		return fmt.Errorf("empty_is_failure: %w", err)
	}
	set.emptyPath = &p
	return nil
}

// set returns the compiled form. What does not compile declares nothing: its
// owner was told by [Rules.Validate].
func (r *Rules) set() *ruleSet {
	if r.compiled != nil {
		return r.compiled
	}
	set, _ := r.build()
	return set
}
