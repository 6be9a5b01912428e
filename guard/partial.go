package guard

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/grounding"
	"github.com/failloud/failloud/runrecord"
)

// spokenForAll is the part of step 4 about results that say of themselves that
// there is more, or that they are old, where nobody declared it: most such cuts
// are harmless, so only a draft that speaks for the whole, or for now, has to
// tell. What is declared is a trouble of its own, see [judgment.findTroubles].
func (j *judgment) spokenForAll(p Policy) {

	counts := slices.ContainsFunc(j.figures, func(r grounding.Result) bool { return r.Verdict == grounding.Derived })
	if j.hints()&hintWhole == 0 && !counts {
		return
	}
	cut, old := j.shortResult(cutMarks, cutWords), j.shortResult(oldMarks, oldWords)
	if cut == nil && old == nil {
		return
	}
	d := j.read()
	tells := func(of topic) bool {
		return slices.ContainsFunc(d.said, func(s statement) bool { return s.topics&of != 0 })
	}
	if cut != nil && !tells(saysCut|saysPartial|saysShort) {
		j.tellsOfWhole(p, cut, isWhole, "was cut or has more pages, and the draft speaks for the whole")
	}
	if old != nil && !tells(saysOld) {
		j.tellsOfWhole(p, old, isNow, "came from a cache, and the draft speaks of now")
	}
}

// tellsOfWhole notes the first place of the draft that speaks for more than the
// result shows.
func (j *judgment) tellsOfWhole(p Policy, e *runrecord.Evidence, kind class, what string) {
	f := Finding{Step: StepHidden, Kind: KindShort, Call: e.Call, What: what, Asks: p.decide(Disclose)}
	if e.Tool != nil {
		f.Tool = e.Tool.Name
	}
	for _, r := range j.figures {
		if kind == isWhole && r.Verdict == grounding.Derived && r.Nearest.Call == e.Call {
			f.Start, f.End = r.Start, r.End
			break
		}
	}
	if f.End == 0 {
		clauses := j.clauses()
		find := finder{draft: j.draft}
		at := slices.IndexFunc(clauses, func(cl clause) bool { return !cl.question && cl.hasClass(wholes, kind) })
		if at < 0 {
			return
		}
		f.Start, f.End = find.clause(&clauses[at])
	}
	kinds := map[class]Trouble{isWhole: TroubleTruncated, isNow: TroubleStale}
	j.hidden = append(j.hidden, &trouble{Trouble: kinds[kind], tool: f.Tool, call: f.Call, effect: fault.Read})
	j.note(f)
}

// shortResult is the last success whose result has one of the marks, where no
// later one of the same tool has none.
func (j *judgment) shortResult(marks *regexp.Regexp, words []string) *runrecord.Evidence {
	proof := j.proof()
	whole := map[*runrecord.ToolInfo]bool{}
	for i := len(proof) - 1; i >= 0; i-- {
		e := &proof[i]
		marked := !e.Qualifiers.Degraded() && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(e.Result, w) }) && marks.MatchString(e.Result)
		if marked && !whole[e.Tool] {
			return e
		}
		whole[e.Tool] = whole[e.Tool] || !marked
	}
	return nil
}

func (cl *clause) hasClass(x *cueIndex, kind class) bool {
	found := false
	x.each(cl, func(c *cue, _, _ int) bool {
		found = found || c.class == kind
		return !found
	})
	return found
}

const (
	isWhole class = 1 << iota // it speaks for all there is
	isNow                     // it speaks of now
)

// What a result says of itself. The words are looked for first, since few
// results have one.
var (
	cutWords = []string{"runcated", "RUNCATED", "as_more", "asMore", " more lines", " more rows", " more results", " more items", " more entries", " more pages", " more characters", "ext_page", "ext_cursor", "extPage", "đã cắt"}
	cutMarks = regexp.MustCompile(`(?i)"(is_?truncated|truncated|has_?more)"\s*:\s*true` +
		`|"next_?(page|cursor|page_?token)"\s*:\s*("[^"]|[1-9])` +
		`|[\[(<…][^\])>\n]{0,40}(truncated|đã cắt|\d more (lines|rows|results|items|entries|pages|characters))` +
		`|\.\.\.\s*\(?(truncated|\+?\d[\d,. ]* more (lines|rows|results|items|entries|pages|characters))`)
	oldWords = []string{"cache", "stale"}
	oldMarks = regexp.MustCompile(`(?i)"(is_?|from_?)?(cached?|stale)"\s*:\s*true`)

	wholes = indexCues(slices.Concat(
		compileClass([]string{"only #", "are|were|is|has|have only", "no other|others", "nothing else", "in total", "total of", "all #", "all of them|it|these|the", "entire|whole", "altogether", "average|mean|sum", "highest|lowest|largest|smallest|most|fewest", "complete|full list",
			"chỉ có", "không còn", "nào khác", "tổng", "toàn bộ", "tất cả", "trung bình", "cao|thấp|nhiều|lớn|ít nhất"}, isWhole),
		compileClass([]string{"currently", "now", "at the moment", "at present", "as of now", "right now", "today",
			"hiện tại|nay|giờ|có|đang", "bây giờ", "lúc này"}, isNow)))
)
