package runs

import (
	"slices"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// maxShares bounds how many combinations of tool and status a run tells apart; what
// comes later is kept together, under no tool.
const maxShares = 1000

// share is what one tool with one status has in the tally of a run.
type share struct {
	tool   string
	status int
	runrecord.Tally
}

// shares are the tally of a run and its children, taken apart the way a filter can
// ask for it.
type shares []share

// count adds one call, or its settlement.
func (all *shares) count(e *runrecord.Event) {
	i := slices.IndexFunc(*all, func(s share) bool { return s.tool == e.Tool && s.status == e.Status })
	if i < 0 {
		s := share{tool: e.Tool, status: e.Status}
		if i = len(*all); i >= maxShares {
			s.tool, s.status = "", 0
			i = maxShares
		}
		if i == len(*all) {
			*all = append(*all, s)
		}
	}
	s := &(*all)[i]
	if e.Outcome == fault.KindOK {
		s.OK++
	}
	if e.Fails() {
		s.Bad++
	}
	if e.Type == runrecord.EventCall {
		s.Calls++
		s.Retries += max(0, e.Attempts-1)
	}
}

// of is what a filter selects of the tally, and whether the run made such a call.
func (all shares) of(f *runrecord.Filter) (t runrecord.Tally, selected bool) {
	for i := range all {
		s := &all[i]
		if f.Tool != "" && f.Tool != s.tool {
			continue
		}
		t.OK += s.OK
		t.Bad += s.Bad
		if f.Status == 0 || f.Status == s.status {
			selected = true
			t.Calls += s.Calls
			t.Retries += s.Retries
		}
	}
	return t, selected
}

// encode appends the shares to what is kept with the run.
func (all shares) encode(out []byte) []byte {
	w := packer{data: out}
	w.shares(all)
	return w.data
}

func decodeShares(data []byte) (shares, error) {
	if len(data) == 0 {
		return nil, nil
	}
	r := unpacker{data: data}
	all := r.shares()
	if r.err == nil && len(r.data) > 0 {
		r.err = errRest
	}
	return all, r.err
}
