package runrecord

import (
	"sync/atomic"

	"github.com/failloud/failloud/fault"
)

// defaultEvidence is what [Run.KeepEvidence] takes for no limit: forty results
// of the 200 KB that a model can read, which is more than most runs have.
const defaultEvidence = 8 << 20

// Bounds of what is kept beside the limit that a judge asks for.
const (
	maxProofs   = 1 << 16  // pieces, so that very many tiny ones are bounded as well
	maxTried    = 64 << 10 // bytes of what calls asked for that did not succeed, in all
	longTried   = 16 << 10 // bytes of one of them: a longer text names nothing
	triedWeighs = 64       // what each counts beyond its length
)

// Payload is the content of a call. The zero value is none.
type Payload struct {
	Args   string // JSON text of the arguments
	Result string // what the model may see of the result
}

func (p *Payload) size() int { return len(p.Args) + len(p.Result) }

// Evidence is the payload of a call that succeeded: what an answer may stand on.
type Evidence struct {
	Call       uint32          // number of the call, see [Call.Seq]
	Tool       *ToolInfo       // that was called
	Qualifiers fault.Qualifier // of the success, as far as known now
	Payload
}

// evidence is what a run that asked for it holds, for itself and its children.
type evidence struct {
	limit     atomic.Int64 // 0: not asked for
	size      int
	dropped   int
	all       []proof
	tried     []proof // of calls that did not succeed: what they asked for
	triedSize int
}

type proof struct {
	Evidence
	by *origin // the run that made the call
}

// origin stands for a run in what outlives it: a parent that lives for long
// holds the evidence of its children and not the children. It is made when a run
// has its first proof. A run's place among its parents is all there is to it.
type origin struct{ parent *origin }

// origin returns that of the run. The lock is held.
func (r *Run) origin() *origin {
	if r == nil {
		return nil
	}
	if r.place == nil {
		r.place = &origin{r.parent.origin()}
	}
	return r.place
}

// within reports whether o is of or one of its descendants.
func (o *origin) within(of *origin) bool {
	for ; o != nil; o = o.parent {
		if o == of {
			return true
		}
	}
	return false
}

// KeepEvidence asks that the payloads of calls that succeed from now on, in
// this run and its children, be kept until the run ends for good, up to limit
// bytes in all; a limit below 1 means 8 MiB. A judge asks for it when it begins.
// Asking twice, the larger limit counts. Of calls that do not succeed the arguments
// are kept as well, see [Run.Tried].
//
// Payloads are kept whole or not at all, since half a result proves less than
// it seems to: one that does not fit into what is left of the limit is counted
// by [Run.EvidenceDropped], and a smaller one after it may still fit. Where a
// child has a judge of its own, each of the two has its own limit; the texts
// themselves are shared.
func (r *Run) KeepEvidence(limit int) {
	if r == nil {
		return
	}
	if limit < 1 {
		limit = defaultEvidence
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	if a := r.beside(); a != nil {
		a.evidence.limit.Store(max(a.evidence.limit.Load(), int64(limit)))
	}
}

// KeepsEvidence reports whether this run or one of its parents has asked for
// evidence and has not ended.
func (r *Run) KeepsEvidence() bool { return r.keeper() != nil }

// keeper is where the evidence of r is: its own, or that of the nearest parent
// that asked; nil for none. It takes no lock.
func (r *Run) keeper() *evidence {
	for ; r != nil; r = r.parent {
		if a := r.aside.Load(); a != nil && a.evidence.limit.Load() > 0 {
			return &a.evidence
		}
	}
	return nil
}

// WantsPayload reports whether anybody has a use for the payload of a call that
// ends like this: a judge, or a sink, where payloads are captured. It is to be
// asked before a payload is made.
func (r *Run) WantsPayload(kind fault.Kind) bool {
	if r == nil {
		return false
	}
	return r.KeepsEvidence() ||
		r.rec.capture != CaptureOff && (r.rec.wants(EventCall, kind) || r.rec.wants(EventSettled, kind))
}

// prove keeps the payload of a success, and what any other call asked for, for
// everyone who wants evidence. The lock is held.
func (r *Run) prove(c *Call, p Payload) {
	succeeded := c.Kind == fault.KindOK
	if !succeeded {
		if p.Result = ""; p.Args == "" {
			return // what a failure returned supports nothing
		}
	}
	for of := r; of != nil; of = of.parent {
		a := of.aside.Load()
		if a == nil || a.evidence.limit.Load() == 0 {
			continue
		}
		one := proof{Evidence{c.Seq, c.Tool, c.Qualifiers, p}, r.origin()}
		if succeeded {
			a.evidence.add(one)
		} else {
			a.evidence.addTried(one)
		}
	}
}

// add keeps a proof, or counts it where there is no room.
func (e *evidence) add(p proof) {
	if int64(e.size+p.size()) > e.limit.Load() || len(e.all) >= maxProofs {
		e.dropped += p.size()
		return
	}
	e.size += p.size()
	e.all = append(e.all, p)
}

// addTried keeps what a call asked for in vain. It takes no room from a proof.
func (e *evidence) addTried(p proof) {
	weight := p.size() + triedWeighs
	if p.size() > longTried || e.triedSize+weight > maxTried {
		return
	}
	e.triedSize += weight
	e.tried = append(e.tried, p)
}

// qualifyEvidence passes on what was found out later about a success of r. The
// lock is held.
func (r *Run) qualifyEvidence(seq uint32, q fault.Qualifier) {
	for of := r; of != nil; of = of.parent {
		a := of.aside.Load()
		if a == nil {
			continue
		}
		for i := range a.evidence.all {
			if a.evidence.all[i].Call == seq {
				a.evidence.all[i].Qualifiers |= q
			}
		}
	}
}

// Evidence returns what the successful calls of this run and its children have
// shown, in the order in which they ended. It is only ever added to. There is
// none where neither the run nor one of its parents has asked for it, and none
// after the run that asked has ended for good; see [Run.KeepsEvidence].
func (r *Run) Evidence() []Evidence {
	return r.proofs(func(e *evidence) []proof { return e.all })
}

// Tried returns what the calls of this run and its children asked for that did
// not succeed, in the order in which they ended: their arguments, never what
// they returned. They support nothing; an answer may name what it could not
// get. They are kept as long as [Run.Evidence] is and take no room from it: at most
// 64 KiB in all, and none that is longer than 16 KiB, which names nothing. What is
// left out is not counted by [Run.EvidenceDropped].
func (r *Run) Tried() []Evidence {
	return r.proofs(func(e *evidence) []proof { return e.tried })
}

// proofs are the parts of the evidence that r or one of its children made.
func (r *Run) proofs(of func(*evidence) []proof) []Evidence {
	if r == nil {
		return nil
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	e := r.keeper()
	if e == nil {
		return nil
	}
	if r.place == nil {
		return nil // neither it nor a child of it has proved anything
	}
	var mine []Evidence
	all := of(e)
	for i := range all {
		if p := &all[i]; p.by.within(r.place) {
			mine = append(mine, p.Evidence)
		}
	}
	return mine
}

// EvidenceDropped is how many bytes of evidence were beyond the limit: where it
// is not zero, what an answer stands on may be among them. For a run that did
// not ask itself it is that of the parent that did.
func (r *Run) EvidenceDropped() int {
	if r == nil {
		return 0
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	if e := r.keeper(); e != nil {
		return e.dropped
	}
	return 0
}
