package fault

import "encoding/json"

// Rules is what a tool's owner declares about its results, as data. The zero
// value declares nothing. Conditions are "PATH OP VALUE", see [ParseCondition].
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
}
