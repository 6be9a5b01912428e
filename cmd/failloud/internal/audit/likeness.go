package audit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// replayKey is where a run keeps its replay.
type replayKey struct{}

// resembles says whether a later success made good what a call failed to do,
// where nobody declared what the calls of its tool are about. It errs towards
// yes for a call that was put wrongly and towards no for one that was about
// another thing.
func resembles(run *runrecord.Run, failed, later *runrecord.Call) bool {
	r, _ := run.Local(replayKey{}, func() any { return (*replay)(nil) }).(*replay)
	if r == nil {
		return false
	}
	f, s := &r.calls[failed.Seq-1], &r.calls[later.Seq-1]
	tried, did := r.subject(f), r.subject(s)
	if f.tool == s.tool {
		if suggested(f, tried, did) {
			return true
		}
		return !r.oneOfMany(failed, f, tried) && (corrects(failed, f, tried, did) || tried.shared(did) >= sameTool)
	}
	if readBack(failed, later) && r.confirms(s, tried, did) {
		return true
	}
	if glances(s.tool) || later.Qualifiers.Has(fault.Empty) || !tried.identifies(did) {
		return false // that a file is there is not what is in it
	}
	if executes(s.tool) {
		return tried.shared(did) >= byProgram
	}
	return tried.shared(did) >= otherTool
}

// readBack holds for a look at what a change in doubt has left.
func readBack(failed, later *runrecord.Call) bool {
	inDoubt := failed.Kind == fault.KindUnknown || failed.Reason == fault.ReasonTimeout || failed.Reason == fault.ReasonNetwork
	return inDoubt && failed.Tool.Effect != fault.Read && later.Tool.Effect == fault.Read
}

// confirms reports whether a look at the same thing shows all that was to be
// changed: it took effect.
func (r *replay) confirms(s *call, tried, did *subject) bool {
	if len(tried.words) < 2 || tried.shared(did) == 0 {
		return false
	}
	return !slices.ContainsFunc(tried.words, func(w string) bool {
		return !did.has(w) && !strings.Contains(strings.ToLower(s.returned), w)
	})
}

// How much of what a call was about has to return in a later one.
const (
	sameTool  = 0.6
	otherTool = 0.75
	byProgram = 0.4 // a program names what it works on, and not how another tool would have
	program   = 0.45
	form      = 0.3 // where the call was only put wrongly
	matter    = 0.5 // where what it asked for was refused
)

// suggested holds for a call that has something new in it which the refusal named:
// "did you mean", "use … instead", "the total is 305".
func suggested(f *call, tried, did *subject) bool {
	if f.returned == "" {
		return false
	}
	refusal := strings.ToLower(f.returned)
	return slices.ContainsFunc(did.words, func(w string) bool {
		return !tried.has(w) && len(w) > 1 && strings.Contains(refusal, w)
	})
}

// oneOfMany reports whether the call is one of several like it, each about
// another thing: of a list of customers none stands in for another. A call that
// was only put wrongly was about none of them yet.
func (r *replay) oneOfMany(failed *runrecord.Call, f *call, tried *subject) bool {
	if executes(f.tool) || failed.Reason == fault.ReasonInvalidArgs {
		return false
	}
	if f.many == nil {
		many := r.siblings(int(failed.Seq)-1, tried) > 1
		f.many = &many
	}
	return *f.many
}

// siblings counts the successes of the same tool near the call that were about
// something else in the same form.
func (r *replay) siblings(at int, tried *subject) int {
	n := 0
	for i := max(0, at-maxNear); i < min(len(r.calls), at+maxNear); i++ {
		c := &r.calls[i]
		if i == at || c.tool != r.calls[at].tool || !c.outcome.OK() {
			continue
		}
		about := r.subject(c)
		if len(about.words) == len(tried.words) && tried.nameless(about) {
			n++
		}
	}
	return n
}

// maxNear bounds how many calls before and behind one are compared with it.
const maxNear = 128

// nameless reports whether a name of the call is not in other, in which another
// stands in its place.
func (s *subject) nameless(other *subject) bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return s.names[w] && !other.has(w) })
}

// corrects holds for a call of the same tool in another form than the one that
// was refused, where some of what it was about returned.
func corrects(failed *runrecord.Call, f *call, tried, did *subject) bool {
	shared := tried.shared(did)
	if (failed.Reason == fault.ReasonCommandFailed || executes(f.tool)) && saysNotThere(f.returned) && did.isPlace() {
		return true // found elsewhere
	}
	switch failed.Reason {
	case fault.ReasonCommandFailed:
		return executes(f.tool) && shared >= program
	case fault.ReasonInvalidArgs, fault.ReasonPayloadTooLarge:
		return len(tried.words) == 0 || shared >= form
	case fault.ReasonConflict, fault.ReasonSoftError:
		return len(tried.words) == 0 || shared >= matter
	case fault.ReasonNotFound:
		if failed.Tool.Effect.Writes() {
			return shared >= form
		}
		return tried.isPlace() && did.isPlace() // found elsewhere
	}
	return len(tried.words) == 0
}

// saysNotThere reports whether a command ended because what it was to look at, or
// the program to look with, does not exist.
func saysNotThere(text string) bool {
	text = strings.ToLower(text[:min(len(text), maxRefusal)])
	for _, sign := range []string{"no such file", "not found", "not be found", "cannot find", "does not exist"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// subject is what a call was about: the significant words of its arguments.
type subject struct {
	words []string
	set   map[string]bool
	names map[string]bool // those that look like the name of something
}

// identifies reports whether a word that returns in other is the name of
// something, not one that any two calls may have in common.
func (s *subject) identifies(other *subject) bool {
	for _, w := range s.words {
		if s.names[w] && other.has(w) {
			return true
		}
	}
	return false
}

// isPlace reports whether the call was about a place where something may be: a
// path of a file. That one is not there is learnt by looking.
func (s *subject) isPlace() bool {
	return len(s.words) > 0 && slices.ContainsFunc(s.words, func(w string) bool {
		dot := strings.LastIndexByte(w, '.')
		return dot > 0 && dot >= len(w)-6 && dot < len(w)-1 && !strings.Contains(w, "@") && !isDigits(w[dot+1:])
	})
}

func isDigits(w string) bool { return strings.Trim(w, "0123456789") == "" }

func (s *subject) has(w string) bool { return s.set[w] }

// shared is the part of the words that return in other.
func (s *subject) shared(other *subject) float64 {
	if len(s.words) == 0 {
		return 0
	}
	n := 0
	for _, w := range s.words {
		if other.has(w) || other.nearly(w) {
			n++
		}
	}
	return float64(n) / float64(len(s.words))
}

// maxNearly bounds the words that are compared letter by letter.
const maxNearly = 32

// nearly reports whether one of the words is w with a slip mended: "fre" and
// "free", "5501" and "DH5501". Two names of which each has its own last letters
// are two names.
func (s *subject) nearly(w string) bool {
	if len(s.words) > maxNearly || len(w) < 3 {
		return false
	}
	return slices.ContainsFunc(s.words, func(other string) bool {
		short, long := w, other
		if len(short) > len(long) {
			short, long = long, short
		}
		return len(short) >= 3 && len(short) < len(long) && len(long)-len(short) <= 2 && within(short, long) ||
			len(short) >= 6 && strings.HasPrefix(long, short)
	})
}

// within reports whether the letters of short are in long in their order.
func within(short, long string) bool {
	for i := 0; i < len(long) && short != ""; i++ {
		if long[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

// maxSubject bounds the words of a call that are compared.
const maxSubject = 400

// subject reads what a call was about, once.
func (r *replay) subject(c *call) *subject {
	if c.about != nil {
		return c.about
	}
	s := &subject{set: map[string]bool{}, names: map[string]bool{}}
	for w := range argumentWords(c.args) {
		if len(s.words) == maxSubject {
			break
		}
		named := w != strings.ToLower(w) || strings.ContainsAny(w, "0123456789._@") || !ascii(w)
		if w = strings.ToLower(w); !s.set[w] {
			s.set[w], s.names[w] = true, named
			s.words = append(s.words, w)
		}
	}
	c.about = s
	return s
}

// argumentWords are the words in the values of arguments. The names of fields
// are not among them: they say how something is asked, not what for.
func argumentWords(args string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		i := 0
		for i < len(args) {
			r, size := utf8.DecodeRuneInString(args[i:])
			if r == '\\' && i+1 < len(args) { // an escape within a string
				i += 2
				continue
			}
			if !wordRune(r) {
				i += size
				continue
			}
			start := i
			for i < len(args) {
				r, size := utf8.DecodeRuneInString(args[i:])
				if !wordRune(r) {
					break
				}
				i += size
			}
			if isKey(args, start, i) {
				continue
			}
			if w := strings.Trim(args[start:i], ".-_@"); significant(w) && !yield(w) {
				return
			}
		}
	}
}

func ascii(w string) bool {
	for i := range len(w) {
		if w[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '@' || r == '-'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isKey reports whether the word is the whole of a string that a colon follows.
func isKey(args string, start, end int) bool {
	if start == 0 || args[start-1] != '"' || end >= len(args) || args[end] != '"' {
		return false
	}
	rest := strings.TrimLeft(args[end+1:min(len(args), end+8)], " \t\r\n")
	return strings.HasPrefix(rest, ":")
}

// significant leaves out what many arguments have in common by chance.
func significant(w string) bool {
	switch w {
	case "true", "false", "null", "http", "https", "www", "the", "and", "for", "from":
		return false
	}
	n := utf8.RuneCountInString(w)
	return n >= 3 || n == 2 && w != strings.ToLower(w) || n >= 2 && isDigits(w) || len(w) >= 6
}
