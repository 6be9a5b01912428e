package faulttest

import "net/http"

// Cell is one place in the grid of failures: what fails, for how long, and on
// which side of the effect.
type Cell struct {
	Name        string // "reset-after-effect/transient"
	Failure     Failure
	Implicit    bool // looks like a success
	Permanent   bool // else it heals
	AfterEffect bool // the effect happened although the call failed
}

// Plan is the plan of the cell: for ever, or n times and healthy after that. n
// of 0 or less means once.
func (c Cell) Plan(n int) Plan {
	if c.Permanent {
		return Always(c.Failure)
	}
	return Times(max(n, 1), c.Failure)
}

// Grid lists explicit and implicit failures, each transient and permanent, each
// before the effect and, where that can happen, after it. The names are unique
// and the order is fixed. Two cells never answer ("hang", "slow-body"): give
// calls a time limit. The hostile body is small here; use [Hostile] for a big
// one. What [Failure.Rules] returns has to be declared for the cells "empty"
// and "wrong-type", which nothing else can tell from a success.
func Grid() []Cell {
	rejections := []Failure{ // refused before anything was done, always
		Status(http.StatusUnauthorized), Status(http.StatusForbidden), Status(http.StatusNotFound),
		Status(http.StatusUnprocessableEntity), RateLimited(WaitSeconds, 0), RedirectLoop(),
		SoftError(), ErrorEnvelope(), LoginPage(), Empty(), WrongType(),
	}
	accidents := []Failure{ // may come before or after the effect
		Status(http.StatusInternalServerError), Status(http.StatusServiceUnavailable), BadGatewayPage(),
		Reset(), Cut(), Hang(), SlowBody(0), TruncatedBody(), CutChunks(), Garbage(), Hostile(32 << 10),
	}
	var grid []Cell
	add := func(f Failure) {
		for _, permanent := range []bool{false, true} {
			name := f.Name() + "/transient"
			if permanent {
				name = f.Name() + "/permanent"
			}
			grid = append(grid, Cell{Name: name, Failure: f, Implicit: f.implicit, Permanent: permanent, AfterEffect: f.after})
		}
	}
	for _, f := range rejections {
		add(f)
	}
	for _, f := range accidents {
		add(f)
		add(f.AfterEffect())
	}
	return grid
}
