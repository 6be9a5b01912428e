package idempotency

import (
	"cmp"
	"slices"
	"time"
)

// Query selects rows. The zero value selects the first 100 of all.
type Query struct {
	States   []State // any of these; empty: all
	Tenant   string  // "" for any
	Tool     string  // "" for any
	RunID    string  // "" for any
	TaskKey  string  // "" for any
	Identity string  // "" for any, see [Identify]
	// Gate selects the deferred rows that wait for it, oldest first; After does not
	// apply then, because rows leave the front as they are run. "" for any.
	Gate  string
	Due   bool // only rows whose Due has come, by the store's clock
	ToRun bool // only rows that a person wants to be run, see [Row.ToRun]
	// Unannounced selects the open cases of which nobody was told, and which nobody
	// is telling now, by the store's clock.
	Unannounced bool
	After       string // ids after this one: the next page
	Limit       int    // 0: 100
}

// DefaultLimit is the length of a page where a [Query] asks for none.
const DefaultLimit = 100

// Match reports whether a row is selected, the page aside. A store may answer
// from indexes, and must agree with it.
func (q Query) Match(r *Row, now time.Time) bool {
	return (len(q.States) == 0 || slices.Contains(q.States, r.State)) &&
		(q.Tenant == "" || q.Tenant == r.Key.Tenant) &&
		(q.Tool == "" || q.Tool == r.Key.Tool) &&
		(q.RunID == "" || q.RunID == r.RunID) &&
		(q.TaskKey == "" || q.TaskKey == r.TaskKey) &&
		(q.Identity == "" || q.Identity == r.Identity) &&
		(q.Gate == "" || r.State == Deferred && q.Gate == r.Gate) &&
		(!q.Due || (!r.Due.IsZero() && !now.Before(r.Due))) &&
		(!q.ToRun || r.ToRun()) &&
		(!q.Unannounced || r.unannounced(now))
}

// Page reports whether a row is on the page or a later one.
func (q Query) Page(r *Row) bool { return q.Gate != "" || r.ID > q.After }

// Compare is the order of the rows: by id, or with a gate by Created, then id.
func (q Query) Compare(a, b *Row) int {
	if q.Gate != "" {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.ID, b.ID)
}

// Size is how many rows are asked for.
func (q Query) Size() int {
	if q.Limit <= 0 {
		return DefaultLimit
	}
	return q.Limit
}
