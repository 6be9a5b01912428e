package guard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// outage is a kind of failure that a draft can tell of.
type outage struct {
	spelled []string   // any of them
	words   [][]string // the same, as words in a row
	reasons []fault.Reason
	from    int // statuses
	to      int
}

var outages = []outage{
	{spelled: []string{"timed out", "timing out", "time out", "timeout", "timeouts", "hết thời gian", "quá thời gian"}, reasons: []fault.Reason{fault.ReasonTimeout, fault.ReasonNetwork, fault.ReasonOverloaded, fault.ReasonUnknownOutcome, fault.ReasonServerError, fault.ReasonBreakerOpen}, from: 408, to: 408},
	{spelled: []string{"server error", "internal error", "server errors", "lỗi máy chủ", "crashed"}, reasons: []fault.Reason{fault.ReasonServerError, fault.ReasonOverloaded, fault.ReasonUnknownOutcome, fault.ReasonNetwork, fault.ReasonBreakerOpen, fault.ReasonCommandFailed, fault.ReasonPanic, fault.ReasonSoftError}, from: 500, to: 599},
	{spelled: []string{"rate limit", "rate limited", "rate limits", "too many requests", "quá nhiều yêu cầu"}, reasons: []fault.Reason{fault.ReasonRateLimit, fault.ReasonQuota, fault.ReasonOverloaded}, from: 429, to: 429},
	{spelled: []string{"connection refused", "connection error", "network error", "lỗi mạng"}, reasons: []fault.Reason{fault.ReasonNetwork, fault.ReasonTimeout, fault.ReasonUnknownOutcome, fault.ReasonServerError, fault.ReasonOverloaded}, from: 0, to: 0},
	{spelled: []string{"authentication error", "unauthorized", "lỗi xác thực"}, reasons: []fault.Reason{fault.ReasonAuth, fault.ReasonPermission}, from: 401, to: 403},
}

func init() {
	for o := range outages {
		for _, p := range outages[o].spelled {
			outages[o].words = append(outages[o].words, strings.Fields(p))
		}
	}
}

// inventedFailure reports whether the clause tells of a failure of the agent's
// own tools and the record has none of the kind.
func (j *judgment) inventedFailure(cl *clause) (Finding, bool) {
	what, status, ok := toldFailure(cl)
	if !ok || j.anyFailureLike(what, status) || j.spoken().isSubjectMatter(what, status) {
		return Finding{}, false
	}
	f := Finding{Kind: KindFailure, What: "the draft tells of a failure, and the record has none of the kind"}
	if status > 0 {
		f.What = fmt.Sprintf("the draft tells of a status %d, and the record has none of the kind", status)
	}
	return f, true
}

// toldFailure finds the failure that a clause tells of: an outage, or a status
// beside a word such as "returned" or "error".
func toldFailure(cl *clause) (what *outage, status int, ok bool) {
	if !slices.ContainsFunc(cl.words, func(w word) bool { return ownTools[w.text] || ownTools[w.plain] }) {
		return nil, 0, false
	}
	for i := range cl.words {
		w := &cl.words[i]
		if negators[w.text] || failureUnreal[w.text] || englishTongue.roles[w.text]&unsaid != 0 && !ownTools[w.text] || englishTongue.roles[w.text]&other != 0 {
			return nil, 0, false
		}
		if n, err := strconv.Atoi(w.text); err == nil && n >= 400 && n < 600 && len(w.text) == 3 && hasAny(cl.words[max(0, i-5):min(len(cl.words), i+3)], "returned", "error", "errors", "status", "http", "responded", "code", "got", "received", "lỗi", "trả") {
			status = n
		}
		for o := range outages {
			for _, p := range outages[o].words {
				if startsWith(cl.words[i:], p) {
					what = &outages[o]
				}
			}
		}
	}
	return what, status, what != nil || status > 0
}

func startsWith(words []word, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, p := range phrase {
		if words[i].text != p {
			return false
		}
	}
	return true
}

// ownTools are words for what the agent works with.
var ownTools = set("i we my our tool tools lookup lookups api apis request requests call calls server service query attempt attempts kept keep tôi mình em lệnh máy")

// anyFailureLike reports whether the record has a failure of the kind, or one of
// which it does not say enough to tell.
func (j *judgment) anyFailureLike(what *outage, status int) bool {
	for _, s := range j.ev.stats {
		if s.DroppedNotOK > 0 {
			return true
		}
	}
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		if c.Attempts > 1 {
			return true // an attempt failed, and the record keeps only the last
		}
		if succeeded(c) && detail(c).FallbackWhy == fault.ReasonNone {
			continue
		}
		if like(c, what, status) {
			return true
		}
	}
	return false
}

func like(c *runrecord.Call, what *outage, status int) bool {
	switch {
	case status > 0 && c.Status > 0:
		return int(c.Status) == status
	case status > 0 && what == nil:
		for o := range outages {
			if status >= outages[o].from && status <= outages[o].to {
				what = &outages[o]
			}
		}
		if what == nil {
			return true
		}
	}
	if c.Reason == fault.ReasonNone || c.Reason == fault.ReasonUnknown || c.Reason == fault.ReasonToolDead || c.Reason == fault.ReasonSoftError {
		return true
	}
	return slices.Contains(what.reasons, c.Reason) || int(c.Status) >= what.from && int(c.Status) <= what.to && c.Status > 0
}
