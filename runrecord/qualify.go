package runrecord

import "github.com/failloud/failloud/fault"

// Qualify adds to what is known against a success that is in the record: the
// caller has found out later, when it cut the result down to what a model may
// see, say. It reports whether that was news. A call that has not succeeded, or
// is no longer held, is left as it is, and no event is written: events say how
// calls ended.
func (r *Run) Qualify(seq uint32, q fault.Qualifier) bool {
	if r == nil {
		return false
	}
	f := r.family
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.find(r, seq)
	if h == nil || h.call.Kind != fault.KindOK || h.call.Qualifiers.Has(q) {
		return false
	}
	h.call.Qualifiers |= q
	h.run.qualifyEvidence(seq, q)
	return true
}
