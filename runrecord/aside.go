package runrecord

import (
	"strings"
	"sync"

	"github.com/failloud/failloud/fault"
)

// maxHeard bounds the user's words that a run holds; each text counts a little
// more than its length, so that very many short ones are bounded as well.
const (
	maxHeard  = 256 * 1024
	heardCost = 16
)

// aside is what a run holds for its judge alone: most runs of most programs
// have none, so it is made when the first of it is asked for. It is let go of
// when the run ends for good. Below: guarded by the family's lock, but for the
// question, which never changes.
type aside struct {
	question string
	heard    []string // the question first
	words    int      // bytes of heard, with the cost of each
	locals   map[any]func() any
	evidence evidence
}

// beside returns the run's aside and makes it where there is none; nil for a
// run that has ended, which holds on to nothing any more. The lock is held, or
// nobody else knows the run yet.
func (r *Run) beside() *aside {
	if r.state.Ended() {
		return nil
	}
	a := r.aside.Load()
	if a == nil {
		a = new(aside)
		r.aside.Store(a)
	}
	return a
}

// asked takes over the question of the task and when it was asked.
func (r *Run) asked() {
	if r.task.Asked.IsZero() {
		r.task.Asked = r.start
		if r.parent != nil {
			r.task.Asked = r.parent.task.Asked
		}
	}
	if q := r.task.Question; q != "" {
		a := r.beside()
		a.question, r.task.Question = a.hear(q), ""
	}
}

// Hear adds what the user said later in the same run: the judge does not hold
// it against an answer that it repeats the user. Beyond 256 KiB in all, the
// question included, a text is cut at a rune boundary, and what comes after it
// is passed over. Nothing of it is in the record, unless [Config.Capture] asks
// for it: then what is held of it is an event of its own.
func (r *Run) Hear(text string) {
	if r == nil || text == "" {
		return
	}
	r.family.mu.Lock()
	held := ""
	if a := r.beside(); a != nil {
		held = a.hear(text)
	}
	leg := r.leg
	r.family.mu.Unlock()
	if held != "" && r.rec.capture != CaptureOff && r.rec.wants(EventHeard, fault.KindNone) {
		e := r.event(EventHeard, leg)
		e.Question = r.rec.captured(held)
		r.rec.emit(&e)
	}
}

// hear returns what is held of the text. The rest of one that is cut is not held
// by a part of it.
func (a *aside) hear(text string) string {
	if room := maxHeard - a.words - heardCost; len(text) > room {
		text = strings.Clone(runeCut(text, room))
	}
	if text != "" {
		a.words += len(text) + heardCost
		a.heard = append(a.heard, text)
	}
	return text
}

// Heard returns what the user has said in this run so far, the question first.
// Texts are only ever added. It is empty once the run has ended for good.
func (r *Run) Heard() []string {
	if r == nil {
		return nil
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	a := r.aside.Load()
	if a == nil {
		return nil
	}
	return a.heard[:len(a.heard):len(a.heard)]
}

// Local returns a value that a judge keeps with the run, an index of its
// evidence, say. The first call with a key runs make, under no lock of the run;
// the others wait for it and get the same value. key is best a pointer, or of a
// type of its own, as with [context.WithValue]; make must not ask for its own
// key. The value is let go of when the run ends for good: from then on, and of
// a nil run, every call makes one that is not kept.
func (r *Run) Local(key any, make func() any) any {
	if r == nil {
		return make()
	}
	return r.local(key, make)()
}

func (r *Run) local(key any, f func() any) func() any {
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	a := r.beside()
	if a == nil {
		return f
	}
	once := a.locals[key]
	if once == nil {
		if a.locals == nil {
			a.locals = make(map[any]func() any)
		}
		once = sync.OnceValue(f)
		a.locals[key] = once
	}
	return once
}
