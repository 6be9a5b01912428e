package fault

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
	phrase := c.told(known)
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
	if k := c.told(loose); k != noCause && k < causeCount {
		return verdict{c.settle(k), "", "phrase"}
	}
	if c.has(staleHint) {
		return verdict{exists, "", "phrase"}
	}
	return verdict{}
}

// told is what the phrases of a grade say. A parser's "unexpected EOF" is the
// end of a text, and an index that is "out of range" in a crash is no argument.
func (c *clues) told(g grade) cause {
	k := c.first(g)
	switch {
	case k == connectionLost && c.has(syntaxHint):
		return badArguments
	case k == badArguments && c.crashed && c.seen[known]&(1<<saysItFailed) != 0:
		return saysItFailed
	}
	return k
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
		case badCredential:
			if !c.has(rightsHint) {
				return phrase
			}
		case refusedByHuman, outOfMoney, outOfBudget, mustPay, throttled, shortWindow, policyRefused:
			return phrase
		}
		if c.waits {
			return throttled
		}
	case 404:
		if phrase == noSuchTool || phrase == badCredential && c.first(loose) != absent {
			return phrase
		}
	case 402, 412:
		if phrase == outOfMoney {
			return phrase
		}
	case 405, 406, 415:
		return badArguments
	case 409, 423:
		if phrase == outOfBudget || phrase == outOfMoney {
			return phrase
		}
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
		switch phrase {
		case outOfMoney, mustPay, badCredential, notAllowed:
			return phrase
		}
	case badArguments:
		switch phrase {
		case outOfMoney, outOfBudget, mustPay, throttled, shortWindow, badCredential, exists, tooLarge, policyRefused:
			return phrase
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
		case c.seen[known]&(1<<tooLarge) != 0:
			return tooLarge // one request above the limit: no wait makes it fit
		case c.has(shortWindow), c.soon && !daily:
			return throttled
		case c.has(outOfMoney):
			return outOfMoney
		case c.surely(outOfBudget), k == outOfBudget, c.late:
			return outOfBudget
		}
		return throttled
	case exists:
		if (c.has(tryAgainHint) || c.has(lockLost)) && !c.has(staleHint) {
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
