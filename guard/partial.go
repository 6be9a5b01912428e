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
	cut := j.shortResult(isCut)
	old := j.shortResult(isOld)
	if cut == nil && old == nil {
		return
	}
	d := j.read()
	tells := func(of topic) bool {
		return slices.ContainsFunc(d.said, func(s statement) bool { return s.topics&of != 0 })
	}
	if cut != nil && !tells(saysCut|saysPartial|saysShort) {
		j.tellsOfWhole(p, cut, TroubleTruncated, isWhole, "was cut or has more pages, and the draft speaks for the whole")
	}
	if old != nil && !tells(saysOld) {
		j.tellsOfWhole(p, old, TroubleStale, isNow, "came from a cache, and the draft speaks of now")
	}
}

// tellsOfWhole notes the first place of the draft that speaks for more than the
// result shows.
func (j *judgment) tellsOfWhole(p Policy, e *runrecord.Evidence, kind Trouble, says class, what string) {
	f := Finding{Step: StepHidden, Kind: KindShort, Call: e.Call, What: what, Asks: p.decide(Disclose)}
	if e.Tool != nil {
		f.Tool = e.Tool.Name
	}
	for _, r := range j.figures {
		if kind == TroubleTruncated && r.Verdict == grounding.Derived && r.Nearest.Call == e.Call {
			f.Start, f.End = r.Start, r.End
			break
		}
	}
	if f.End == 0 {
		clauses := j.clauses()
		at := slices.IndexFunc(clauses, func(cl clause) bool { return !cl.question && cl.hasClass(wholes, says) })
		if at < 0 {
			return
		}
		find := finder{draft: j.draft}
		f.Start, f.End = find.clause(&clauses[at])
	}
	j.hidden = append(j.hidden, &trouble{Trouble: kind, tool: f.Tool, call: f.Call, effect: fault.Read})
	j.note(f)
}

// shortness is what a result says of itself.
type shortness uint8

const (
	isCut shortness = 1 << iota // there is more
	isOld                       // it comes from a cache
	wasRead
)

// shortResult is the last success whose result says so of itself, where no later
// one of the same tool does not.
func (j *judgment) shortResult(says shortness) *runrecord.Evidence {
	proof := j.proof()
	b := j.book()
	b.mu.Lock()
	defer b.mu.Unlock()
	whole := map[*runrecord.ToolInfo]bool{}
	for i := len(proof) - 1; i >= 0; i-- {
		e := &proof[i]
		marked := !e.Qualifiers.Degraded() && b.shortnessOf(e)&says != 0
		if marked && !whole[e.Tool] {
			return e
		}
		whole[e.Tool] = whole[e.Tool] || !marked
	}
	return nil
}

// shortnessOf reads the ends of a result, once.
func (b *book) shortnessOf(e *runrecord.Evidence) shortness {
	at := page{e.Call, len(e.Result)}
	if b.short[at] == 0 {
		head, tail := endsOf(e.Result)
		b.short[at] = wasRead | shortnessIn(head) | shortnessIn(tail)
	}
	return b.short[at]
}

func shortnessIn(text string) (s shortness) {
	if saysCutOff(text) && cutMarks.MatchString(text) {
		s |= isCut
	}
	if (strings.Contains(text, "cache") || strings.Contains(text, "stale")) && oldMarks.MatchString(text) {
		s |= isOld
	}
	return s
}

func (cl *clause) hasClass(x *cueIndex, kind class) bool {
	found := false
	x.each(cl, func(c *cue, _, _ int) bool {
		found = found || c.class == kind
		return !found
	})
	return found
}

// endsOf are the beginning and the end of a result, where it says what became of
// it; the end is empty where the beginning is all of it.
func endsOf(text string) (head, tail string) {
	if len(text) <= 2*maxEnd {
		return text, ""
	}
	return text[:maxEnd], text[len(text)-maxEnd:]
}

const maxEnd = 4 << 10 // bytes

// saysCutOff is the quick look, in one pass, for words without which no result
// says that it was cut.
func saysCutOff(text string) bool {
	for i := 0; i+4 <= len(text); i++ {
		rest, found := text[i:], false
		switch rest[0] {
		case 'x':
			found = strings.HasPrefix(rest, "xt_page") || strings.HasPrefix(rest, "xt_cursor") || strings.HasPrefix(rest, "xtPage")
		case 'm':
			found = strings.HasPrefix(rest, "more") && i > 0 && (text[i-1] == '_' || text[i-1] == ' ' && i > 1 && isDigit(text[i-2]))
		case 'M':
			found = strings.HasPrefix(rest, "More") && i > 0 && text[i-1] == 's'
		case 'u':
			found = strings.HasPrefix(rest, "uncated")
		case 'U':
			found = strings.HasPrefix(rest, "UNCATED")
		case 0xC4:
			found = strings.HasPrefix(rest, "đã cắt")
		}
		if found {
			return true
		}
	}
	return false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

const (
	isWhole class = 1 << iota // it speaks for all there is
	isNow                     // it speaks of now
)

// What a result says of itself.
var (
	cutMarks = regexp.MustCompile(`(?i)"(is_?truncated|truncated|has_?more)"\s*:\s*true` +
		`|"next_?(page|cursor|page_?token)"\s*:\s*("[^"]|[1-9])` +
		`|[\[(<…][^\])>\n]{0,40}(truncated|đã cắt|\d more (lines|rows|results|items|entries|pages|characters))` +
		`|\.\.\.\s*\(?(truncated|\+?\d[\d,. ]* more (lines|rows|results|items|entries|pages|characters))`)
	oldMarks = regexp.MustCompile(`(?i)"(is_?|from_?)?(cached?|stale)"\s*:\s*true`)

	wholes = indexCues(slices.Concat(
		compileClass([]string{"only #", "are|were|is|has|have only", "no other|others", "nothing else", "in total", "total of", "all #", "all of", "entire|whole", "altogether", "average|mean|sum", "highest|lowest|largest|smallest|most|fewest", "complete|full list",
			"chỉ có", "không còn", "nào khác", "tổng", "toàn bộ", "tất cả", "trung bình", "cao|thấp|nhiều|lớn|ít nhất"}, isWhole),
		compileClass([]string{"currently", "now", "at the moment", "at present", "as of now", "right now", "today",
			"hiện tại|nay|giờ|có|đang", "bây giờ", "lúc này"}, isNow)))
)
