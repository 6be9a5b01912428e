package guard

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/failloud/failloud/runrecord"
)

// Guard decides whether an answer may leave. It holds settings only, so one
// Guard may judge any number of runs at the same time; what it knows of a run
// is in that run's record and ends with it.
//
// *Guard is a [runrecord.Judge]: put it into the task, and the run is watched
// from its start. Make one with [New]; a nil *Guard starts no run and lets
// nothing leave.
type Guard struct {
	requirements  []Requirement
	policies      [lastStep + 1]Policy
	needsTools    bool
	mode          Mode
	modeFunc      func() Mode
	loopAfter     int
	language      Language
	text          func(Notice) string
	called        map[string][]string
	alike         func(run *runrecord.Run, failed, later *runrecord.Call) bool
	concerns      func(run *runrecord.Run, call uint32, words []string) bool
	known         []string
	evidenceLimit int
	err           error

	// What of the program's own has panicked, which the findings tell.
	modePanicked, callbackPanicked atomic.Bool
}

// New makes a guard. Without options all steps are on with their defaults
// and a loop is three equal calls. An invalid option does not panic: the error
// names it and comes from [Guard.Begin], so that the run does not start.
func New(options ...Option) *Guard {
	g := &Guard{loopAfter: defaultLoopAfter, evidenceLimit: defaultEvidenceLimit, called: map[string][]string{}}
	var errs []error
	for _, o := range options {
		if o == nil {
			continue
		}
		if err := o.apply(g); err != nil {
			errs = append(errs, err)
		}
	}
	g.err = errors.Join(errs...)
	return g
}

// Option is a setting of a [Guard] or a [Requirement].
type Option interface{ apply(*Guard) error }

type optionFunc func(*Guard) error

func (f optionFunc) apply(g *Guard) error { return f(g) }

// ErrSetting is what every error about an invalid option matches.
var ErrSetting = errors.New("guard: invalid setting")

// SettingError names the option that is invalid and says why.
type SettingError struct {
	Option string // its name, such as "LoopAfter"
	Why    string // what is wrong with it
}

// Error names the option and what is wrong with it.
func (e *SettingError) Error() string { return "guard: " + e.Option + ": " + e.Why }

// Unwrap returns [ErrSetting].
func (e *SettingError) Unwrap() error { return ErrSetting }

// NeedsTools refuses an answer that was given without a single call, also
// where nothing is required. It is the crude first guard for agents that can
// know nothing by themselves; greetings are refused, too. Default: such an
// answer passes.
func NeedsTools() Option {
	return optionFunc(func(g *Guard) error { g.needsTools = true; return nil })
}

// OnStep sets what one of [StepWaiting], [StepRequired], [StepEvidence],
// [StepHidden], [StepClaims] and [StepSources] does where it applies. Default:
// [PolicyDefault].
func OnStep(step int, p Policy) Option {
	return optionFunc(func(g *Guard) error {
		if step < StepWaiting || step > lastStep {
			return &SettingError{Option: "OnStep", Why: fmt.Sprintf("no step %d, the steps are %d to %d", step, StepWaiting, lastStep)}
		}
		if p > PolicyRefuse {
			return &SettingError{Option: "OnStep", Why: fmt.Sprintf("no policy %d", p)}
		}
		g.policies[step] = p
		return nil
	})
}

// LoopAfter sets how many equal calls with an equal result end the run as a
// loop. Default 3; 0 turns the detection off; 1 is refused.
func LoopAfter(n int) Option {
	return optionFunc(func(g *Guard) error {
		if n < 0 || n == 1 {
			return &SettingError{Option: "LoopAfter", Why: fmt.Sprintf("%d calls are no loop, want 0 or at least 2", n)}
		}
		g.loopAfter = n
		return nil
	})
}

// Named says how people speak of what a tool deals with, in any language:
//
//	guard.Named("get_invoices", "invoices", "hóa đơn")
//
// The texts show the first of these instead of the tool's name, and a draft
// that uses one of them speaks of this tool. A tool that is not bound is an
// error at the start. Default: the words of the tool's name.
func Named(tool string, words ...string) Option {
	return optionFunc(func(g *Guard) error {
		if strings.TrimSpace(tool) == "" {
			return &SettingError{Option: "Named", Why: "the name of the tool is empty"}
		}
		if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.TrimSpace(w) == "" }) {
			return &SettingError{Option: "Named", Why: fmt.Sprintf("%s has an empty name", tool)}
		}
		g.called[tool] = append(g.called[tool], words...)
		return nil
	})
}

// In fixes the language of the texts. Default: the language of the draft where
// it is one of those shipped, else [English].
func In(l Language) Option {
	return optionFunc(func(g *Guard) error {
		if _, shipped := wordings[l]; !shipped {
			return &SettingError{Option: "In", Why: fmt.Sprintf("no texts in %q, use Texts for your own", string(l))}
		}
		g.language = l
		return nil
	})
}

// Texts replaces what the guard writes. A blank result, or a panic of f, means
// the shipped text; anything over 2000 bytes is cut. f is called by many runs at
// the same time and gets no payload and no text of an upstream, so what it
// returns may be shown to a user.
func Texts(f func(Notice) string) Option {
	return optionFunc(func(g *Guard) error {
		if f == nil {
			return &SettingError{Option: "Texts", Why: "the function is nil"}
		}
		g.text = f
		return nil
	})
}

// Resembles says when a later success is about the same thing as a call that
// failed, for tools of which nobody has declared an Identity: it takes the place
// of the rules about calls that were only put wrongly. The same arguments always
// are about the same thing. f is called for many runs at the same time, for calls
// of any two tools; it must not change them. Default: those rules alone.
func Resembles(f func(run *runrecord.Run, failed, later *runrecord.Call) bool) Option {
	return optionFunc(func(g *Guard) error {
		if f == nil {
			return &SettingError{Option: "Resembles", Why: "the function is nil"}
		}
		g.alike = f
		return nil
	})
}

// Concerns says whether a draft that tells of a failure in these words, in lower
// case and in order, tells of that call, where the words of tools and their
// Identity leave it open: for callers who know more of a call than the record
// keeps. f is called by many runs at the same time. Default: nobody knows more.
func Concerns(f func(run *runrecord.Run, call uint32, words []string) bool) Option {
	return optionFunc(func(g *Guard) error {
		if f == nil {
			return &SettingError{Option: "Concerns", Why: "the function is nil"}
		}
		g.concerns = f
		return nil
	})
}
