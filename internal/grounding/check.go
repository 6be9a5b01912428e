package grounding

import (
	"math"
	"strings"
	"time"

	"github.com/failloud/failloud/internal/atom"
)

// mostAtoms is how many pieces of one draft are looked up; the further ones of a
// draft that holds more are [Unchecked].
const mostAtoms = 1024

// checker checks one draft.
type checker struct {
	x       *Index
	draft   string
	today   atom.Day
	atoms   []atom.Atom
	results []Result
	cited   map[uint32]bool // the objects and lines that the draft takes something from
	stated  []figure        // the figures of the draft that stand; src is the atom
	code    [][2]int        // stretches of the draft that are program text
	cuts    []uint32        // the sources of which a part is missing
	empty   bool            // there is no evidence
	counts  []count
	counted bool
	rosters map[string]roster
	sums    []total
	summed  bool
	columns []column
	tabled  bool

	small    []float64 // see smallCounts
	rows     []row
	bills    []bill
	byKey    map[string][]uint32    // see fields
	shown    map[uint32]*visible    // see visibles
	spans    []string               // the keys with digits, see namedSpan
	bySource map[uint32][2][]figure // see figuresIn
	times    map[uint32][]*moment   // see moments
	explored int                    // as spent, of the second order
	sheets   []sheet                // see allSheets
	things   []thing                // see allThings
	manners  map[int]manner         // see mannerOf
	loose    map[int]bool           // the figures that a large family of derivations reaches, see secondOrder
	searched int                    // bytes of evidence that were searched letter for letter
	spent    int                    // what was compared so far
	said     map[string]bool        // the words of the draft, see says
	capitals map[string]bool        // the words of the draft that are written with a capital
}

// Check says for each checkable piece of a draft, in order, whether the
// evidence supports it. now is the clock of the run: the day that "yesterday"
// is counted from.
func (x *Index) Check(draft string, now time.Time) []Result {
	c := checker{x: x, draft: draft, today: dayOf(now), empty: true}
	var beyond []Result
	atom.Scan(draft, atom.Prose, func(a *atom.Atom) bool {
		if len(c.atoms) < mostAtoms {
			c.atoms = append(c.atoms, *a)
		} else {
			beyond = append(beyond, Result{Verdict: Unchecked, Kind: a.Kind, Start: a.Start, End: a.End})
		}
		return true
	})
	if len(c.atoms) == 0 && !x.mayFlag() {
		return nil
	}
	x.ready()
	for i := range x.sources {
		s := &x.sources[i]
		if s.cut && (s.Kind == Returned || s.Kind == Constant) {
			c.cuts = append(c.cuts, uint32(i))
		}
		c.empty = c.empty && (s.Kind == Heard || s.Kind == Argument || strings.TrimSpace(s.text) == "")
	}
	if len(c.atoms) > 0 {
		c.results = make([]Result, len(c.atoms))
		c.cited = make(map[uint32]bool)
		c.code = fences(draft)
		c.direct()
		c.indirect()
		c.settle()
	}
	return c.withFlags(append(c.results, beyond...))
}

// direct finds what the evidence holds.
func (c *checker) direct() {
	for i := range c.atoms {
		a, r := &c.atoms[i], &c.results[i]
		r.Kind, r.Start, r.End = a.Kind, a.Start, a.End
		switch a.Kind {
		case atom.Number, atom.Money, atom.Percent:
			if namesOnlyItself(a) {
				if c.name(i); r.Verdict == 0 {
					r.Verdict = Unsupported
					c.closeName(i)
				}
				continue
			}
			if f, how := c.figure(a); f != nil {
				c.found(i, f.place(), f.object, how)
				c.field(i, f)
			} else {
				c.year(i)
			}
		case atom.Date, atom.Clock:
			c.moment(i)
		default:
			c.name(i)
		}
	}
}

// namesOnlyItself holds for a row of digits that is too long for a quantity to be
// told from the next one: it is the name of something, of which each digit counts.
func namesOnlyItself(a *atom.Atom) bool {
	return a.Kind == atom.Number && a.Hash != 0 && a.Unit == 0 && !a.Approx && a.N > 0 &&
		a.Readings[0].Step == 1 && math.Abs(a.Readings[0].Value) >= 1<<53
}

// found notes that a place of the evidence supports an atom.
func (c *checker) found(i int, at place, object uint32, how string) {
	r := &c.results[i]
	switch c.x.sources[at.src].Kind {
	case Heard:
		r.Verdict = Exempt
	case Argument:
		r.Verdict = Supported
		if how == "" {
			how = "as the call was given it"
		}
	default:
		r.Verdict = Supported
	}
	r.Nearest = c.x.nearest(at, how)
	c.cite(object)
}

func (c *checker) cite(object uint32) {
	if object != 0 {
		c.cited[object] = true
	}
}

// indirect judges what the evidence does not hold as it is written: what needs
// no evidence, what is counted, what follows by arithmetic.
func (c *checker) indirect() {
	c.state()
	for i := range c.atoms {
		a, r := &c.atoms[i], &c.results[i]
		if a.N > 0 && a.Noun[1] > 0 {
			c.countOf(i)
		}
		if r.Verdict == 0 && isTime(a) {
			if c.between(i); r.Verdict == 0 {
				c.interval(i)
			}
		}
		if r.Verdict != 0 {
			continue
		}
		if c.harmless(i) {
			r.Verdict = Exempt
			continue
		}
		switch {
		case c.verbatim(i), c.pieces(i), c.span(i), c.apart(i):
		case a.N > 0 && c.isAmount(a):
			c.derive(i)
		case a.Kind == atom.Date:
			c.dateFrom(i)
		case a.Kind == atom.Clock:
			c.momentFrom(i)
		}
	}
	// A figure may follow from others of the draft, and those from others again.
	for again := 0; again < 3; again++ {
		c.state()
		stated := c.fromDraft()
		found := stated
		for i := range c.atoms {
			if r := &c.results[i]; !stated && r.Verdict == 0 && c.isAmount(&c.atoms[i]) && !c.empty {
				found = c.secondOrder(i) || found
			}
		}
		if !found {
			break
		}
	}
}

// isAmount is whether a piece of the draft is an amount that can be computed: no
// identifier, and no "4/11", which is a day or two numbers.
func (c *checker) isAmount(a *atom.Atom) bool {
	return a.N > 0 && a.Kind != atom.Identifier && !strings.Contains(c.draft[a.Start:a.End], "/")
}

// settle gives a verdict to what is left.
func (c *checker) settle() {
	const mostNearest = 64 // atoms for which the evidence is searched for something close
	searched := 0
	for i := range c.atoms {
		r := &c.results[i]
		if r.Verdict != 0 {
			continue
		}
		r.Verdict = Unsupported
		sure := false
		if searched++; searched <= mostNearest {
			sure = c.close(i)
		}
		if !sure && c.hidden(i) || r.Verdict == Unsupported && c.loose[i] && !c.swapped(i) {
			r.Verdict = Unchecked
		}
	}
}
