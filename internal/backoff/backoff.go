package backoff

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Policy doubles a first wait up to a ceiling and adds a random part, so that
// callers that failed together do not come back together. The zero value is
// [Tool].
type Policy struct {
	Base   time.Duration // before the second attempt; doubled for each further one
	Max    time.Duration // ceiling of the doubled part; 0: 30 s
	Jitter time.Duration // up to this much is added at random
	Spread float64       // up to this share of the doubled part is added at random
}

// Presets. Tool calls wait 1 s, 2 s, … plus 0 to 1 s; Gentle adds up to 10 % and
// stays short; Model is for model providers, whose limits take longer to pass.
var (
	Tool   = Policy{Base: time.Second, Max: 30 * time.Second, Jitter: time.Second}
	Gentle = Policy{Base: time.Second, Max: 30 * time.Second, Spread: 0.1}
	Model  = Policy{Base: 5 * time.Second, Max: 120 * time.Second, Spread: 0.5}
)

// Validate reports what is wrong with p.
func (p Policy) Validate() error {
	var errs []error
	if p.Base < 0 || p.Max < 0 || p.Jitter < 0 {
		errs = append(errs, fmt.Errorf("backoff: negative wait in %+v", p))
	}
	if !(p.Spread >= 0 && p.Spread <= 1) {
		errs = append(errs, fmt.Errorf("backoff: spread %v is not between 0 and 1", p.Spread))
	}
	return errors.Join(errs...)
}

// Delay is the wait after the given number of failed attempts, 1 or more. The
// random number is in [0, 1); the same number gives the same wait.
func (p Policy) Delay(failed int, random float64) time.Duration {
	if p == (Policy{}) {
		p = Tool
	}
	ceiling := p.Max
	if ceiling <= 0 {
		ceiling = Tool.Max
	}
	wait := min(p.Base, ceiling)
	for i := 1; i < failed && wait < ceiling; i++ {
		wait = min(2*wait, ceiling)
	}
	return wait + time.Duration(random*(float64(p.Jitter)+p.Spread*float64(wait)))
}

// Next is [Policy.Delay] with a random number of its own.
func (p Policy) Next(failed int) time.Duration { return p.Delay(failed, rand.Float64()) }
