package fault

import "strings"

// clues collects what one signal says about the cause of a failure, from
// codes, statuses and words, and decides between them.
type clues struct {
	status  int // HTTP status that a member of the answer names
	spoken  int // HTTP status that a message mentions
	seen    [gradeCount]uint64
	codes   [gradeCount]string // first code of the highest-ranking cause of each grade
	exit    int                // exit code a message mentions
	crashed bool               // the message names an exception that says nothing else
	waits   bool               // the server said when to come back
	soon    bool               // and that is within two minutes
	late    bool               // or after more than two hours
}

// add records one clue.
func (c *clues) add(cause cause, g grade, code string) {
	if cause == noCause {
		return
	}
	before := c.first(g)
	c.seen[g] |= 1 << cause
	if code != "" && (before == noCause || cause < before || cause == before && (c.codes[g] == "" || code < c.codes[g])) {
		c.codes[g] = code
	}
}

// first is the highest-ranking cause of a grade.
func (c *clues) first(g grade) cause {
	for k, bits := cause(1), c.seen[g]>>1; bits != 0; k, bits = k+1, bits>>1 {
		if bits&1 != 0 {
			return k
		}
	}
	return noCause
}

func (c *clues) has(k cause) bool {
	var all uint64
	for _, bits := range c.seen {
		all |= bits
	}
	return all&(1<<k) != 0
}

// surely reports whether a cause was found by more than a loose phrase.
func (c *clues) surely(k cause) bool {
	return (c.seen[known]|c.seen[likeState]|c.seen[exact])&(1<<k) != 0
}

// any reports whether anything but hints was found at the grade or above.
func (c *clues) any(from grade) bool {
	for g := from; g < gradeCount; g++ {
		if k := c.first(g); k != noCause && k < causeCount {
			return true
		}
	}
	return false
}

// code reads one machine-readable code and reports whether it is a known one.
func (c *clues) code(code string) bool {
	e, ok := lookCode(code)
	if ok {
		c.add(e.cause, e.grade, code)
	}
	return ok && e.cause < causeCount
}

// isException reports whether a name is that of an exception in Python, Java,
// JavaScript or C#.
func isException(name string) bool {
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")
}

// namedStatus is the HTTP status the answer itself names: a member's before a
// message's.
func (c *clues) namedStatus() int {
	if c.status != 0 {
		return c.status
	}
	return c.spoken
}

// phrases reads a message that was cut into words.
func (c *clues) phrases(words []word) {
	eachPhrase(words, func(p *phrase, _, _ int) { c.add(p.cause, p.grade, "") })
}

// text reads a message: its phrases, the codes that stand in it and the HTTP
// or exit status it mentions.
func (c *clues) text(message string) {
	if message == "" {
		return
	}
	folded := fold(message)
	words := split(folded)
	c.phrases(words)
	eachCodeInText(message, func(code string) {
		if !c.code(code) && isException(code) {
			c.crashed = true
		}
	})
	c.spoken = lowerStatus(c.spoken, statusInText(folded, words))
	c.exit = max(c.exit, exitInText(words))
}

// eachCodeInText calls found for the words of a message that look like code:
// SCREAMING_SNAKE, snake_case, and names that end in Error or Exception.
func eachCodeInText(message string, found func(code string)) {
	if len(message) > maxText {
		message = message[:maxText]
	}
	for i := 0; i < len(message); {
		if !isCodeByte(message[i]) {
			i++
			continue
		}
		from := i
		for i < len(message) && isCodeByte(message[i]) {
			i++
		}
		if token := message[from:i]; looksLikeCode(token) {
			found(token)
		}
	}
}

func isCodeByte(b byte) bool { return isWordByte(b) && b < 0x80 || b == '_' }

// looksLikeCode reports whether a token of prose is an identifier rather than
// a word.
func looksLikeCode(token string) bool {
	if len(token) < 4 || len(token) > 64 {
		return false
	}
	var upper, lower, score, humps int
	for i := 0; i < len(token); i++ {
		switch b := token[i]; {
		case b >= 'A' && b <= 'Z':
			upper++
			if i > 0 && token[i-1] >= 'a' && token[i-1] <= 'z' {
				humps++
			}
		case b >= 'a' && b <= 'z':
			lower++
		case b == '_':
			score++
		}
	}
	switch {
	case upper+lower == 0:
		return false
	case score > 0:
		return token[0] != '_'
	case lower == 0:
		return token[0] == 'E' || token[0] == 'X' || len(token) > 7 // ECONNRESET, NXDOMAIN
	}
	return humps > 0
}

// exitInText finds the exit status a message mentions: "exited with code 1",
// "exit status 2", "non-zero exit status 127". Zero is not a failure.
func exitInText(words []word) int {
	for i := range words {
		switch words[i].text {
		case "exit", "exited", "exitcode":
		default:
			continue
		}
		for k := i + 1; k < len(words) && k <= i+4; k++ {
			switch w := words[k].text; w {
			case "with", "code", "status", "exit", "non", "zero", "of", "error", "was", "is", "a":
			default:
				if n := smallNumber(w); n > 0 {
					return n
				}
				k = len(words)
			}
		}
	}
	return 0
}

func smallNumber(s string) int {
	if len(s) == 0 || len(s) > 3 {
		return 0
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
