package guard

import (
	"slices"
	"strings"
	"unicode"
)

// withoutForeign takes out what the draft only words for somebody else: letters,
// between "Subject:" or a salutation and the closing, what follows "you could
// write:" in its paragraph, and poems. A draft that is a letter itself is the
// author's own. mail: a letter was taken out that nothing introduces, so that it
// may be what leaves.
func withoutForeign(text string) (own string, mail bool) {
	if !strings.ContainsAny(text, "\n:") {
		return text, false
	}
	f := foreign{first: true}
	for line := range strings.Lines(text) {
		f.line(line)
	}
	if !f.found {
		return text, false
	}
	return strings.Join(f.kept, ""), f.letters && !f.introduced && !slices.ContainsFunc(f.own, func(line string) bool { return hasWord(strings.ToLower(line), letterWords) })
}

// foreign keeps the lines that are the author's own.
type foreign struct {
	kept       []string
	first      bool // nothing but empty lines came before
	left       int  // lines of the letter that may follow
	quoted     bool // a paragraph that is quoted comes or has begun
	begun      bool
	verse      bool // all that follows is quoted
	found      bool
	letters    bool
	introduced bool     // the author speaks of a text before
	own        []string // lines that are the author's, whole
}

func (f *foreign) line(line string) {
	bare := strings.TrimFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ':' && r != ',' })
	long := len(bare) >= maxClosing
	bare = strings.ToLower(bare[:cutAt(bare, maxClosing)]) // which has all that a line can begin with
	switch {
	case bare == "":
		if f.quoted && f.begun {
			f.quoted, f.begun = false, false
		}
		f.kept = append(f.kept, line)
		return
	case f.left > 0:
		f.left--
		if beginsWith(bare, closings) && !long {
			f.left = 0
		}
		f.drop(line)
		return
	case !f.verse && (beginsWith(bare, subjectLines) || !f.first && !long && beginsWith(bare, salutations)):
		f.letters, f.left = true, maxLetter
		f.introduced = f.introduced || f.quoted || beginsWith(bare, subjectLines)
		f.quoted, f.begun = false, false
		f.drop(line)
		return
	case f.quoted:
		f.begun = true
		f.drop(line)
		return
	case f.verse:
		f.drop(line)
		return
	}
	f.first = false
	f.own = append(f.own, line)
	at, last, verse := speechBehind(line)
	if at < 0 {
		f.kept = append(f.kept, line)
		return
	}
	f.found = true
	f.kept = append(f.kept, line[:at], "\n")
	f.quoted, f.begun, f.verse = last && !verse, false, last && verse
}

// drop leaves a line empty.
func (f *foreign) drop(line string) {
	f.found = true
	if strings.HasSuffix(line, "\n") {
		f.kept = append(f.kept, "\n")
	}
}

// speechBehind is where the words of somebody else begin in a line, -1 where
// they do not, whether they begin in the next one, and whether they are verse.
func speechBehind(line string) (at int, last, verse bool) {
	if !strings.Contains(line, ":") {
		return -1, false, false
	}
	from := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case (c == '.' || c == '!' || c == '?') && endsSentence(line[i+1:]):
			from = i + 1
		case c == ':' && endsSentence(line[i+1:]):
			lead := strings.ToLower(line[from:i])
			last = strings.TrimRight(line[i+1:], " \t\r\n*_\"“") == ""
			switch {
			case hasWord(lead, speechWords) && hasWord(lead, offerWords), hasWord(lead, sayers) && len(strings.Fields(lead)) <= 4:
				return i + 1, last, false
			case hasWord(lead, verses) && last:
				return i + 1, true, true
			}
			from = i + 1
		}
	}
	return -1, false, false
}

func beginsWith(line string, starts []string) bool {
	return slices.ContainsFunc(starts, func(s string) bool { return strings.HasPrefix(line, s) })
}

// hasWord reports whether a text in lower case has one of the words.
func hasWord(text string, words map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }) {
		if words[w] {
			return true
		}
	}
	return false
}

// asksForText reports whether the user asks for verse or a story, or for
// something to send.
func asksForText(text string) (poem, letter bool) {
	lower := strings.ToLower(text[:cutAt(text, maxRequest)])
	if !hasWord(lower, writing) {
		return false, false
	}
	return hasWord(lower, verses), hasWord(lower, letterWords)
}

var (
	subjectLines = []string{"subject:", "chủ đề:", "tiêu đề:"}
	salutations  = []string{"dear ", "hi ", "hello ", "kính gửi", "thân gửi", "chào "}
	closings     = []string{"best", "kind regards", "regards", "sincerely", "warm", "yours", "thanks", "thank you,", "cheers", "trân trọng", "thân ái", "kính thư"}

	speechWords = set("write say reply message template wording email mail draft letter caption text response viết nhắn nói lời nhắn thư câu email")
	offerWords  = set("can could may might would should suggest suggested suggestion sample template example draft try mẫu gợi thể thử dụ nên nháp")
	sayers      = set("says reads writes wrote viết")
	verses      = set("poem poems haiku limerick lyrics verse verses sonnet song story tale dialogue screenplay thơ truyện")
	writing     = set("write compose draft tell make create prepare help reword rephrase viết soạn sáng kể thảo")
	letterWords = set("draft drafted reply letter email mail message template sample response wording version mẫu thư soạn nháp viết nhắn")
)

const (
	maxClosing = 48
	maxLetter  = 40 // lines; a letter that is not closed ends here
)
