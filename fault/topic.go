package fault

import "strings"

// A text may hold the words of a failure and only speak of it: "Permission
// denied rate is 17 percent", "Ticket 4711: customer reports a timeout at
// login". There the words are the subject, the attribute or the quotation of a
// statement about something else. What tells is the place of the words: behind
// a failure stands a detail, a place or an advice, behind a topic a noun or a
// verb that makes one of it; before a topic stands who reported it.

// speaksOf reports whether a text, whose first line is given folded and in
// words, only speaks of failures.
func speaksOf(text, folded string, words []word) bool {
	first, ending := len(words), 0 // the span from the first phrase to the end of the last
	topic := false
	eachPhrase(words, func(p *phrase, from, to int) {
		if p.cause >= causeCount {
			return
		}
		first, ending = min(first, from), max(ending, to)
		topic = topic || isTopic(folded, words, from, to)
	})
	if !topic && startsAsTopic(folded, words) {
		return true
	}
	return topic || isReported(words, first) || isCaseNote(folded, words, first, ending) ||
		isOver(folded, words, ending) || isWorkRecord(text)
}

// startsAsTopic reports whether a line begins with a failure that no phrase
// names ("Timeout handling was rewritten") or says how much there is of one.
func startsAsTopic(folded string, words []word) bool {
	for _, lead := range topicLeads {
		if n, ok := matchWords(lead, words); ok && !tellsTroubleVerb(words[n:]) {
			return true
		}
	}
	for _, e := range openingIndex[words[0].text] {
		if n, ok := matchWords(e.words, words); ok && e.kind == complaint && isTopic(folded, words, 0, n) {
			return true
		}
	}
	return false
}

// topicLeads measure or explain what follows them.
var topicLeads = [][]string{
	{"rate", "of"}, {"share", "of"}, {"percentage", "of"}, {"how", "to"}, {"what", "does"}, {"why", "does"}, {"tỷ", "lệ"}, {"tỉ", "lệ"}, {"ty", "le"}, {"số", "lần"}, {"so", "lan"}, {"số", "lượng"},
}

// topicNouns make an attribute of the failure that stands before them.
var topicNouns = setOf(`rate rates ratio errors page pages screen screens banner banners dialog dialogs message messages alert alerts attempts incidents cases events
	responses codes complaints tickets reports logs handling monitoring policy policies guide guides tutorial chapter redesign test tests trend trends statistics metrics chart dashboard`)

// topicVerbs make a subject of the failure that stands before them.
var topicVerbs = setOf(`means meant indicates refers describes denotes signifies explains dropped drops fell falls rose rises grew grows increased increases decreased decreases doubled tripled halved
	improved peaked averaged affects affected happens happened occurs giảm tăng nghĩa`)

// isTopic reports whether what stands behind a phrase makes it the subject or
// an attribute: "… rate is 17 percent", "… means that".
func isTopic(folded string, words []word, from, to int) bool {
	if to == len(words) {
		return false
	}
	if words[to-1].text == "closed" && from > 0 && isHours(words[to].text) {
		return true // "The bridge is closed to traffic"
	}
	for i := to; i < len(words) && i <= to+2 && adjoins(folded, words, i); i++ {
		switch w := words[i].text; {
		case topicVerbs[w], w == "có" && i+1 < len(words) && words[i+1].text == "nghĩa":
			return i == to || isErrorNoun(words[i-1].text)
		case isCopula(w):
			return i == to && from == 0 && !tellsPredicate(words[i+1:])
		case topicNouns[w] && !tellsPredicate(words[i+1:]):
			return !isAdjective(words[from].text) || w == "attempts" && words[from].text != "too"
		case linksOn(w), strings.HasSuffix(w, "ing"):
			return false
		}
	}
	return false
}

// adjoins reports whether nothing but a blank separates a word from the one
// before it.
func adjoins(folded string, words []word, i int) bool {
	return strings.TrimSpace(folded[words[i-1].end:words[i].start]) == ""
}

func isErrorNoun(w string) bool { return w == "error" || w == "errors" || w == "timeouts" }

func isCopula(w string) bool { return w == "is" || w == "are" || w == "was" || w == "were" }

// isHours reports whether a word behind "is closed" tells to whom or when.
func isHours(w string) bool {
	switch w {
	case "to", "on", "until", "every", "during":
		return true
	}
	return false
}

// isAdjective reports whether a phrase begins with a word whose noun is what
// went wrong: "Invalid message", "Unknown policy", "Too many attempts".
func isAdjective(w string) bool {
	switch w {
	case "invalid", "unknown", "unsupported", "missing", "insufficient", "unrecognized", "unrecognised", "incorrect", "wrong", "bad", "illegal", "malformed", "too", "no", "error", "failed":
		return true
	}
	return false
}

// linksOn reports whether a word begins the detail of a failure: "denied by
// policy", "refused for tests".
func linksOn(w string) bool {
	switch w {
	case "by", "for", "on", "to", "in", "of", "from", "at", "with", "while", "when", "because", "due", "as", "and", "after", "the", "a", "an", "this", "your", "try", "please", "not", "cho", "khi", "với", "vì", "do", "trong", "từ":
		return true
	}
	return false
}

// tellsPredicate reports whether the rest of a sentence is itself about a
// failure: "Rate limit policy was violated", "credentials were not provided".
func tellsPredicate(rest []word) bool {
	if tellsTroubleVerb(rest) {
		return true
	}
	told := false
	eachPhrase(rest, func(p *phrase, _, _ int) { told = told || p.cause < causeCount && !p.isNeutral() })
	return told
}

// tellsTroubleVerb reports whether a sentence has a verb of failing or refusing.
func tellsTroubleVerb(rest []word) bool {
	for _, w := range rest {
		switch w.text {
		case "exceeded", "violated", "reached", "failed", "rejected", "refused", "blocked", "returned", "required", "exhausted", "hit", "not", "missing", "bị":
			return true
		}
	}
	return false
}

// speakers are people who tell of failures; speech is how they do.
var (
	speakers = setOf(`customer customers user users caller guest patient tenant employee colleague khách hàng dùng viên`)
	speech   = setOf(`says said reports reported writes wrote complains complained asks asked claims claimed mentions mentioned states stated told tells sees saw báo nói phản phàn viết hỏi khiếu kể`)
)

// isReported reports whether the words before a failure, which begins at first,
// say that a person told of it.
func isReported(words []word, first int) bool {
	for i := 1; i < first; i++ {
		if speech[words[i].text] && speakers[words[i-1].text] && words[min(i+1, len(words)-1)].text != "by" {
			return true
		}
	}
	return false
}

// isCaseNote reports whether a line is the entry of a case, by its number:
// "Incident 12: payments API returned 503 from 10:00 to 10:20". "Ticket 12:
// not found" tells of the ticket itself.
func isCaseNote(folded string, words []word, first, ending int) bool {
	at := 1
	switch words[0].text {
	case "ticket", "case", "incident", "issue", "bug", "story", "complaint", "phiếu", "vụ":
	case "sự":
		at = 2
	default:
		return false
	}
	if first >= len(words) || first <= at+1 || at+1 >= len(words) || !strings.ContainsAny(words[at].text, "0123456789") {
		return false
	}
	gap := folded[words[at].end:words[at+1].start]
	if gap != ": " && gap != " - " {
		return false
	}
	if rest := folded[words[at+1].start:]; opening(rest, words[at+1:]) != plain {
		return false
	}
	return len(words)-ending >= 2 || first-at >= 5
}

// isOver reports whether a text says, behind its failure, that it is past:
// "…; resolved", "… was down from 10:00 to 10:20".
func isOver(folded string, words []word, ending int) bool {
	for i := max(ending, 1); i < len(words); i++ {
		switch words[i].text {
		case "resolved", "fixed", "solved", "mitigated":
			before := words[i-1].text
			if before == "since" || before == "now" || before == "been" || strings.ContainsAny(folded[words[i-1].end:words[i].start], ";,.") {
				return true
			}
		case "khắc":
			return i+1 < len(words) && words[i+1].text == "phục" && words[i-1].text == "đã"
		}
	}
	return false
}

// isWorkRecord reports whether a text ends in the fields that people keep with
// a task: "Priority: high. Owner: Ana."
func isWorkRecord(text string) bool {
	fields := 0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '.' || r == ';' || r == ',' || r == '|' || r == '\n' }) {
		name, value, ok := strings.Cut(strings.TrimSpace(part), ":")
		if !ok {
			continue
		}
		switch strings.ToLower(name) {
		case "priority", "owner", "assignee", "reporter", "assigned to", "due", "ưu tiên", "mức ưu tiên", "phụ trách", "người phụ trách", "người xử lý":
			fields++
		case "status", "state", "trạng thái":
			if isWorkState(strings.ToLower(strings.TrimSpace(value))) {
				fields++
			}
		}
	}
	return fields >= 2
}

func isWorkState(value string) bool {
	switch value {
	case "open", "closed", "resolved", "new", "in progress", "on hold", "mở", "đóng", "đã đóng", "mới", "đang xử lý":
		return true
	}
	return false
}

// praises reports whether a message says "could not" to praise: "We could not
// be happier".
func praises(words []word) bool {
	for i, w := range words {
		switch w.text {
		case "cannot", "cant", "couldnt", "not":
			return isCourtesy(words[i+1:])
		}
	}
	return false
}

// isCourtesy reports whether what stands behind "could not" is praise: "be
// happier", "thank you enough".
func isCourtesy(words []word) bool {
	if len(words) == 0 {
		return false
	}
	switch words[0].text {
	case "thank", "complain", "wait", "agree", "praise":
		return true
	case "be":
		return len(words) > 1 && (strings.HasSuffix(words[1].text, "er") || words[1].text == "more" || words[1].text == "better")
	}
	return false
}

// isNumberedLine reports whether a text begins as a file reader shows lines,
// with the number of each: it is a part of a document.
func isNumberedLine(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	if len(rest) == len(text) {
		return false
	}
	if strings.HasPrefix(rest, "→") {
		return true
	}
	if !strings.HasPrefix(rest, "\t") {
		return false
	}
	_, next, more := strings.Cut(rest, "\n")
	next = strings.TrimLeft(next, " ")
	return more && next != strings.TrimLeft(next, "0123456789")
}
