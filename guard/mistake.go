package guard

import (
	"path"
	"runtime"
	"strconv"
	"strings"

	"github.com/failloud/failloud/runrecord"
)

// mistaken is the verdict on a draft that could not be judged, since the guard
// itself broke: what was not judged does not leave, unless the guard only
// reports. place is where it broke.
func (g *Guard) mistaken(mode Mode, run *runrecord.Run, draft, place string) Verdict {
	f := Finding{Step: StepRequired, Kind: KindSettings, What: "the draft could not be judged, by a mistake of failloud: please report it, with " + place, Asks: Refuse}
	v := Verdict{Decision: Refuse, Would: Refuse, Step: StepRequired, Draft: draft, Findings: []Finding{f}}
	own, shipped := wordings[g.language]
	if !shipped {
		own = &english
	}
	v.Text = own.write(Notice{Decision: Refuse})
	if mode == Reporting {
		v.Decision, v.Reported, v.Text = Answer, true, draft
	}
	if run != nil {
		j := &judgment{guard: g, run: run, draft: draft}
		run.Judged(j.forRecord(v, run))
	}
	return v
}

// brokeAt names the innermost function of ours below the panic that is being
// recovered. What it panicked with may be a part of the draft, so it is not told.
func brokeAt() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for below := false; ; {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			below = true
		case below && strings.Contains(frame.Function, "failloud/"):
			return path.Base(frame.File) + ":" + strconv.Itoa(frame.Line)
		}
		if !more {
			return "the draft"
		}
	}
}

// asks calls a function of the program's own that says yes or no. One that
// panics has said no, which a finding tells; it takes no answer with it.
func (g *Guard) asks(f func() bool) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
			g.callbackPanicked.Store(true)
		}
	}()
	return f()
}
