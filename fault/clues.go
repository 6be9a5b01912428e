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
	return ok
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

// verdict is what the clues come to.
type verdict struct {
	cause cause
	code  string // the code that decided, "" where it was not a code
	basis string // "code", "status", "exit", "phrase", or "" for nothing
}

// decide weighs the clues. status is the HTTP status of the answer, 0 where
// there was none; then one that the text mentions is used.
func (c *clues) decide(status int) verdict {
	if !isFailureStatus(status) {
		status = c.namedStatus()
	}
	if k := c.first(exact); k != noCause && !(c.exit != 0 && k > exitCode) {
		return verdict{c.settle(k), c.codes[exact], "code"}
	}
	byStatus, specific := statusCause(status)
	if specific {
		if k := c.behind(status); k != noCause {
			return verdict{c.settle(k), "", "phrase"}
		}
		return verdict{c.settle(byStatus), c.codes[likeState], "status"}
	}
	if k := c.first(likeState); k != noCause {
		return verdict{c.settle(c.sharpen(k)), c.codes[likeState], "code"}
	}
	phrase := c.first(known)
	if c.exit != 0 && status == 0 && (phrase == noCause || phrase > exitCode) {
		return verdict{exitCause(c.exit), "", "exit"}
	}
	if phrase != noCause && !(status >= 500 && weakerThanServer(phrase)) && !(status != 0 && phrase == brokenReply) {
		return verdict{c.settle(phrase), "", "phrase"}
	}
	if byStatus != noCause {
		if k := c.first(loose); status < 500 && (k == absent || k == tooLarge || k == outOfBudget) {
			return verdict{k, "", "phrase"}
		}
		return verdict{byStatus, c.codes[generic], "status"}
	}
	if k := c.first(generic); k != noCause {
		return verdict{c.settle(k), c.codes[generic], "code"}
	}
	if k := c.first(loose); k != noCause && k < causeCount {
		return verdict{c.settle(k), "", "phrase"}
	}
	if c.has(staleHint) {
		return verdict{exists, "", "phrase"}
	}
	return verdict{}
}

// behind finds what a specific status hides: a 403 or 429 that is a budget, a
// 403 for a dead credential, a conflict that is a lock.
func (c *clues) behind(status int) cause {
	phrase := c.first(known)
	switch status {
	case 401:
		if phrase == outOfMoney {
			return phrase
		}
	case 403, 451:
		switch phrase {
		case refusedByHuman, outOfMoney, outOfBudget, mustPay, throttled, shortWindow, badCredential:
			return phrase
		}
		if c.waits {
			return throttled
		}
	case 404:
		if phrase == noSuchTool || phrase == badCredential && c.first(loose) != absent {
			return phrase
		}
	case 402:
		if phrase == outOfMoney {
			return phrase
		}
	case 405, 406, 415:
		return badArguments
	case 409, 423:
		if c.first(likeState) == absent {
			return absent
		}
		if c.has(lockLost) && !c.has(staleHint) {
			return lockLost
		}
	case 503, 529:
		if phrase == throttled || phrase == shortWindow {
			return throttled
		}
	}
	return noCause
}

// sharpen makes a code that names a state more precise by the words beside
// it: gRPC's Unavailable for a closed connection, ResourceExhausted for a
// message that is too large.
func (c *clues) sharpen(k cause) cause {
	phrase := c.first(known)
	switch k {
	case unavailable:
		switch phrase {
		case neverSent, connectionLost, unreachable, handshakeSlow:
			return phrase
		}
	case throttled:
		if phrase == tooLarge || phrase == tooBusy {
			return phrase
		}
	case exists:
		if c.has(lockLost) {
			return lockLost
		}
	}
	return k
}

// settle decides inside a family: which limit it is, and whether a conflict
// passes by itself.
func (c *clues) settle(k cause) cause {
	switch k {
	case throttled, outOfBudget, shortWindow:
		daily := c.first(exact) == outOfBudget
		switch {
		case c.has(shortWindow), c.soon && !daily:
			return throttled
		case c.has(outOfMoney):
			return outOfMoney
		case c.surely(outOfBudget), k == outOfBudget:
			return outOfBudget
		}
		return throttled
	case exists:
		if c.has(tryAgainHint) && !c.has(staleHint) {
			return lockLost
		}
	case unavailable:
		if c.waits {
			return tooBusy
		}
	case callerGone:
		if c.has(noAnswer) { // clients cancel a request to end it in time
			return noAnswer
		}
	}
	return k
}

// weakerThanServer reports causes that a phrase inside a 500 does not prove:
// the server broke while it talked about them.
func weakerThanServer(k cause) bool {
	switch k {
	case absent, badArguments, brokenReply, neverSent, connectionLost, unreachable, noAnswer, callerGone, exitCode, notAllowed:
		return true
	}
	return false
}

// exitCause is what an exit code means.
func exitCause(code int) cause {
	switch code {
	case 124, 137:
		return noAnswer
	}
	return exitCode
}
