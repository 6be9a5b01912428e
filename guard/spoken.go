package guard

import (
	"strconv"
	"strings"
	"sync"
)

// spoken is which failures the user, or what was looked up, speaks of: of those
// the draft may speak as well. It belongs to the run and grows with it, so that
// every text is read once, however many sentences of however many drafts tell of
// failures.
type spoken struct {
	mu           sync.Mutex
	outages      uint32                             // a bit each, as in [outages]
	statuses     [lastStatus + 1 - firstStatus]bool // beside a word for an error
	proof, heard int                                // how many texts were read
}

// The statuses of HTTP that tell of a failure.
const (
	firstStatus = 400
	lastStatus  = 599
)

type spokenKey struct{}

// spoken has read all that there is by now.
func (j *judgment) spoken() *spoken {
	s := j.run.Local(spokenKey{}, func() any { return new(spoken) }).(*spoken)
	proof, heard := j.proof(), j.run.Heard()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range unread(proof, &s.proof) {
		s.read(e.Result)
	}
	for _, text := range unread(heard, &s.heard) {
		s.read(text)
	}
	return s
}

// unread are those that were added since n were read.
func unread[T any](all []T, n *int) []T {
	added := all[min(*n, len(all)):]
	*n = max(*n, len(all))
	return added
}

func (s *spoken) read(text string) {
	lower := strings.ToLower(text)
	for o := range outages {
		for _, p := range outages[o].spelled {
			if s.outages&(1<<o) == 0 && strings.Contains(lower, p) {
				s.outages |= 1 << o
			}
		}
	}
	for _, w := range besideStatus {
		if strings.Contains(lower, w) {
			s.readStatuses(lower)
			return
		}
	}
}

// besideStatus stand in a text whose numbers may be statuses.
var besideStatus = []string{"error", "status", "http", "return", "lỗi"}

func (s *spoken) readStatuses(text string) {
	for i := 0; i+3 <= len(text); i++ {
		if text[i] != '4' && text[i] != '5' {
			continue
		}
		if n, err := strconv.Atoi(text[i : i+3]); err == nil && n >= firstStatus && n <= lastStatus {
			s.statuses[n-firstStatus] = true
		}
	}
}

// isSubjectMatter reports whether such a failure was spoken of.
func (s *spoken) isSubjectMatter(what *outage, status int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if status >= firstStatus && status <= lastStatus && s.statuses[status-firstStatus] {
		return true
	}
	for o := range outages {
		if &outages[o] == what {
			return s.outages&(1<<o) != 0
		}
	}
	return false
}
