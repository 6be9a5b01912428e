package guard

import (
	"fmt"
	"os"
	"strings"
)

// Mode says how far the guard's word reaches. The zero value enforces.
type Mode uint8

const (
	Enforcing Mode = iota // verdicts and loops are acted upon
	Reporting             // everything leaves, no loop is stopped; the record holds what would have happened
	Disabled              // nothing is judged: runs end unjudged, which views and alerts show
)

// EnvMode is the environment variable that overrides the mode of every guard
// of the process: "enforce", "report" or "off".
const EnvMode = "FAILLOUD_GUARD"

var modeNames = map[string]Mode{"enforce": Enforcing, "report": Reporting, "off": Disabled}

// Report lets every draft leave and records what would have happened: the way
// to put a guard in front of a running agent. Requirements for unbound tools
// are still refused at the start.
func Report() Option {
	return optionFunc(func(g *Guard) error { g.mode = Reporting; return nil })
}

// ModeFrom asks f for the mode at every start, at every loop and at every
// [Guard.Final]: the kill switch for a running process, wired to a feature
// flag. f must be fast and safe for concurrent use; where it panics, the guard
// enforces. [EnvMode] overrides it.
func ModeFrom(f func() Mode) Option {
	return optionFunc(func(g *Guard) error {
		if f == nil {
			return &SettingError{Option: "ModeFrom", Why: "the function is nil"}
		}
		g.modeFunc = f
		return nil
	})
}

// currentMode is looked up each time it matters. switched tells that it comes
// from outside the program's own settings. A misspelt variable is an error at
// the start and is ignored after it: a typing error must not open the gate.
// Neither must a function that panics, which stops no run from starting.
func (g *Guard) currentMode() (mode Mode, switched bool, err error) {
	if v := strings.ToLower(strings.TrimSpace(os.Getenv(EnvMode))); v != "" {
		if m, known := modeNames[v]; known {
			return m, true, nil
		}
		err = &SettingError{Option: EnvMode, Why: fmt.Sprintf("%.20q is not one of enforce, report, off", v)}
	}
	if g.modeFunc != nil {
		m, panicked := g.askMode()
		if panicked {
			return Enforcing, false, err
		}
		if m <= Disabled {
			return m, true, err
		}
	}
	return g.mode, false, err
}

func (g *Guard) askMode() (mode Mode, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
			g.modePanicked.Store(true)
		}
	}()
	return g.modeFunc(), false
}
