package fault

import "strings"

// Of the texts that tools return about one in four that contain an error word
// near the start is no failure (measured: precision 0.71). So a text counts as
// a failure only where its shape says that all of it is one: it is short, it
// begins like a complaint or ends in one, and it names a cause.

const (
	maxComplaint = 1200 // bytes of a text that may be nothing but a failure
	maxSentence  = 320  // bytes of a sentence that may be one
)

// readText reports whether a text result, JSON or not, is a failure.
func readText(text string, effect Effect, depth int) (*finding, bool) {
	text = strings.TrimSpace(text)
	if f, failed, isData := nestedEnvelope(text, effect, depth); isData {
		return f, failed
	}
	if text == "" || saysEmpty(text) || looksNested(text) {
		return nil, false
	}
	if text[0] == '"' && depth < 3 {
		if inner, ok := decodeJSON(text); ok {
			s, _ := inner.(string)
			return readText(s, effect, depth+1)
		}
	}
	if looksLikeHTML(text) {
		return readPage(text)
	}
	if isTraceback(text) {
		f := &finding{shape: "traceback", bare: saysItFailed}
		f.text(text)
		return f, true
	}
	if len(text) > maxComplaint {
		if notApplied(text) {
			return &finding{shape: "not applied", bare: badArguments, refused: true}, true
		}
		return pageOfRecord(text[:min(len(text), maxText)])
	}
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(strings.TrimLeft(line, "*#>❌⚠️🚫✗×[ \t"))
	folded := fold(line)
	words := split(folded)
	if len(words) == 0 || isNumberedLine(text) || isLogLine(line) || rest != "" && isLog(text) {
		return nil, false
	}
	if isRecordText(text) {
		return pageOfRecord(text)
	}
	sentence := words
	lines := strings.Count(rest, "\n") + 1
	start := opening(line, words)
	retry := strings.HasSuffix(text, retryAdvice)
	if start == plain && !retry && (lines > 12 || len(line) > maxSentence || tellsSuccess(words) || !endsInComplaint(folded, withoutAdvice(folded, words), lines)) {
		return nil, false
	}
	if _, rest, ok := strings.Cut(line, ": "); ok && start == label && !isTitle(line) {
		inner := fold(rest)
		if said := split(inner); len(said) > 0 && opening(rest, said) == complaint {
			line, words, start = rest, said, complaint // "Error: Failed to send …"
		}
	}
	if start == harness || retry {
		f := &finding{shape: "harness text", bare: saysItFailed}
		f.text(text)
		return f, true
	}
	if len(line) > maxSentence && start != complaint {
		return nil, false
	}
	f := &finding{shape: "text", bare: saysItFailed}
	f.text(line)
	tells := f.namedStatus() != 0 || f.any(loose) || f.exit != 0
	if isTitle(line) && !repeats(line, words) && f.namedStatus() == 0 && f.exit == 0 && !f.any(known) || countsNone(words) {
		return nil, false
	}
	switch {
	case start == complaint && tells,
		start == complaint && isVerb(line, words) && len(text) <= maxSentence,
		start == complaint && effect != Read && len(text) <= maxSentence,
		start == label && tells && f.tellsPlainly(words, effect),
		start == label && effect != Read && lines <= 3 && len(text) <= maxSentence && strings.HasPrefix(words[0].text, "error"),
		start == label && len(words) <= 4 && isCoded(words),
		start == label && lines == 1 && len(text) <= maxSentence && denies(words) && !isTitle(line),
		start == plain:
	default:
		return nil, false
	}
	if speaksOf(text, folded, sentence) {
		return nil, false
	}
	f.text(text)
	return f, true
}

// notApplied reports whether a long text that begins with a complaint says at
// its end that nothing was changed, as editors do that show what they refused.
func notApplied(text string) bool {
	tail := strings.ToLower(text[len(text)-maxSentence:])
	for _, said := range []string{"not been applied", "was not applied", "were not applied", "not been saved", "no changes were made", "no changes have been made"} {
		if strings.Contains(tail, said) {
			line, _, _ := strings.Cut(text, "\n")
			return tellsTrouble(split(fold(line[:min(len(line), maxSentence)])))
		}
	}
	return false
}

// tellsTrouble reports whether a sentence names an error or a refusal.
func tellsTrouble(words []word) bool {
	for _, w := range words {
		switch w.text {
		case "error", "errors", "failed", "invalid", "rejected", "refused", "cannot", "unable", "conflict", "conflicts":
			return true
		}
	}
	return false
}

// isCoded reports whether a line is nothing but "error code 1015".
func isCoded(words []word) bool {
	return len(words) > 2 && words[1].text == "code" && smallNumber(words[2].text[:min(3, len(words[2].text))]) > 0
}

// isTitle reports whether a line is written like a heading: nearly every long
// word begins with a capital.
func isTitle(line string) bool {
	long, capital := 0, 0
	for i, w := range strings.Fields(line) {
		if i == 0 || len(w) < 4 {
			continue
		}
		long++
		if w[0] >= 'A' && w[0] <= 'Z' && w != strings.ToUpper(w) {
			capital++
		}
		if long == 3 {
			break
		}
	}
	return capital >= 2 || long > 0 && capital == long && len(strings.Fields(line)) > 3
}

// repeats reports whether a line says at its end what it began with, as
// wrapped errors do: "Not Found: Resource not found: Not Found".
func repeats(line string, words []word) bool {
	head, rest, ok := strings.Cut(line, ": ")
	n := len(strings.Fields(head))
	if !ok || rest == "" || n == 0 || len(words) < 2*n {
		return false
	}
	for i := range n {
		if words[i].text != words[len(words)-n+i].text {
			return false
		}
	}
	return true
}

// countsNone reports whether a line is a count of failures that is zero:
// "Not found: 0", "Errors: 0, warnings: 2".
func countsNone(words []word) bool {
	for i := 1; i < len(words) && i < 4; i++ {
		if words[i].text == "0" {
			return true
		}
	}
	return false
}

// isLogLine reports whether a line begins with a time or a mark in a gutter, as
// the lines of logs and of reports do: what it says happened to somebody else.
func isLogLine(line string) bool {
	if strings.HasPrefix(line, "E   ") {
		return true // the gutter of a report of tests
	}
	line = strings.TrimLeft(line, "[(")
	digits, marks := 0, 0
	for i := 0; i < len(line) && i < 20; i++ {
		switch b := line[i]; {
		case b >= '0' && b <= '9':
			digits++
		case b == '-' || b == ':' || b == '/' || b == '.' || b == 'T':
			marks++
		default:
			return digits >= 4 && marks >= 2
		}
	}
	return digits >= 4 && marks >= 2
}

// isVerb reports whether "failed to" is followed by what failed, as in a
// message, and not by a name, as in a title.
func isVerb(line string, words []word) bool {
	if raw := strings.Fields(line); len(words) < 3 || len(raw) < 3 || raw[2] != strings.ToLower(raw[2]) && line != strings.ToUpper(line) {
		return false
	}
	switch words[0].text {
	case "failed", "unable":
		return words[1].text == "to"
	case "could":
		return words[1].text == "not"
	case "couldnt", "cannot", "cant":
		return true
	case "error":
		return strings.HasSuffix(words[1].text, "ing") || words[1].text == "while" || words[1].text == "during"
	case "an", "there":
		return true
	case "lỗi":
		return words[1].text == "khi"
	}
	return false
}

// tellsPlainly reports whether what follows "Error:" is a message and not a
// title: it has a known phrase, a code or a status, or ends in a common phrase.
func (f *finding) tellsPlainly(words []word, effect Effect) bool {
	if f.namedStatus() != 0 || f.exit != 0 || f.any(known) {
		return true
	}
	return effect != Read || len(words) <= 16
}

// endsInComplaint reports whether a sentence that begins like any other says at
// its end, or in all of it, that something failed: "Document /x does not
// exist", "Mermaid diagram is invalid".
func endsInComplaint(folded string, words []word, lines int) bool {
	found := false
	eachPhrase(words, func(p *phrase, from, to int) {
		switch {
		case p.cause >= causeCount, p.quiet, len(words) > 30, isSupposed(words[:from]), describes(words[to:]), isQuoted(folded, words[from].start, words[to-1].end), isGlued(folded, words[from].start), p.isNeutral() && !troubled(words):
			return
		case isWide(words[from].text):
			found = found || endsClause(words[from].text, p.words[0])
			return
		case p.grade == loose && len(p.words) < 2:
			found = found || to == len(words) && p.isAbsence() && isBrief(folded, words)
			return
		}
		atEnd := to == len(words)
		atStart := from == 0 && len(words) <= 14 && p.grade == known
		if atEnd || atStart || p.grade == known && len(words) <= 16 && lines <= 2 {
			found = true
		}
	})
	return found
}

// tellsSuccess reports whether a sentence reports that something was done, with
// whatever it met on its way.
func tellsSuccess(words []word) bool {
	for _, w := range words {
		if w.text == "succeeded" || w.text == "successfully" {
			return true
		}
	}
	return goodNews[words[0].text]
}

// isQuoted reports whether a part of a text stands in quotes: it is talked
// about.
func isQuoted(s string, from, to int) bool {
	if open := strings.LastIndexByte(s[:from], '\''); open >= 0 && (open == 0 || s[open-1] == ' ') && open+1 <= from {
		if end := strings.IndexByte(s[to:], '\''); end >= 0 && !isApostrophe(s, to+end) && !strings.Contains(s[open:to], "' ") {
			return true
		}
	}
	for _, mark := range []string{`"`, "`"} { // an apostrophe is no mark: it stands in words, too
		if strings.Count(s[:from], mark)%2 == 1 && strings.Contains(s[to:], mark) {
			return true
		}
	}
	return false
}

// isGlued reports whether a word is part of a path: "feature/timeout".
func isGlued(s string, from int) bool { return from > 0 && s[from-1] == '/' }

// isNeutral reports whether a phrase only names a limit or a plan, as a price
// list does, too.
func (p *phrase) isNeutral() bool {
	return p.cause == shortWindow || p.cause == outOfBudget || p.cause == mustPay
}

// isSupposed reports whether a sentence says when something would be so: "what
// to do if the connection is lost".
func isSupposed(before []word) bool {
	for _, w := range before {
		switch w.text {
		case "if", "when", "whenever", "unless", "khi", "nếu", "neu", "wenn", "si", "cuando", "quand", "cause", "nguyên":
			return true
		}
	}
	return false
}

// isAbsence reports whether a phrase says that something cannot be reached.
func (p *phrase) isAbsence() bool { return p.cause == connectionLost || p.cause == unavailable }

// isBrief reports whether a text is no more than a thing and its state, as
// devices report it: "feed disconnected".
func isBrief(folded string, words []word) bool {
	return len(words) > 1 && len(words) <= 4 && !strings.ContainsAny(folded, ":,;|\n?")
}

// troubled reports whether a sentence about a limit or a plan says that
// somebody ran into it.
func troubled(words []word) bool {
	for _, w := range words {
		switch w.text {
		case "exceeded", "exceed", "exceeds", "reached", "exhausted", "over", "out", "required", "requires", "require", "expired", "ended", "declined", "insufficient", "upgrade", "resets", "hit":
			return true
		}
	}
	return denies(words)
}

// endsClause reports whether a clause in a script without spaces is short, or
// ends in the phrase.
func endsClause(clause, phrase string) bool {
	const short, ending = 14 * 3, 5 * 3 // characters of three bytes
	rest := len(clause) - strings.Index(clause, phrase) - len(phrase)
	return len(clause) <= short || rest <= ending && len(clause) <= 2*short
}

// retryAdvice ends what agent frameworks send to a model whose call was refused.
const retryAdvice = "Fix the errors and try again."

// withoutAdvice drops the sentences behind a complaint that say what to do
// about it: "Document x does not exist. Please try another id."
func withoutAdvice(folded string, words []word) []word {
	for i := 1; i < len(words); i++ {
		gap := folded[words[i-1].end:words[i].start]
		if !strings.ContainsAny(gap, ".!;") || !strings.HasSuffix(gap, " ") {
			continue
		}
		switch words[i].text {
		case "please", "try", "check", "make", "ensure", "verify", "use", "provide", "did", "you", "see", "contact", "consider", "bitte", "veuillez", "vui":
			return words[:i]
		}
	}
	return words
}

// isTraceback reports whether the whole text is a stack trace: it begins as
// one, and its last line names the exception.
func isTraceback(text string) bool {
	if strings.HasPrefix(text, "Traceback (most recent call last)") {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		return isExceptionName(last) || len(split(last)) == 1
	}
	return strings.HasPrefix(text, "panic: ") && strings.Contains(text, "goroutine ")
}
