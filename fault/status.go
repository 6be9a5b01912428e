package fault

// statusCause returns what an HTTP status means when nothing else is known,
// and whether the status is specific. A generic status (400, 422, 500) gives
// way to a known phrase; a specific one (401, 413, 429) does not.
func statusCause(status int) (c cause, specific bool) {
	switch status {
	case 401, 407, 419, 440, 498:
		return badCredential, true
	case 402:
		return mustPay, true
	case 403, 451:
		return notAllowed, true
	case 404, 410:
		return absent, true
	case 408, 425:
		return refusedLate, true
	case 409, 412, 423, 428:
		return exists, true
	case 413:
		return tooLarge, true
	case 420, 429:
		return throttled, true
	case 499:
		return callerGone, true
	case 405, 406, 411, 414, 415, 417, 431:
		return badArguments, true
	case 501, 505, 511:
		return notImplemented, true
	case 503, 529:
		return unavailable, true
	case 502, 504:
		return serverBroke, true
	case 500:
		return serverBroke, false
	}
	switch {
	case status >= 400 && status < 500:
		return badArguments, false
	case status >= 500 && status < 600:
		return serverBroke, true
	}
	return noCause, false
}

// isFailureStatus reports whether n is an HTTP status that means a failure.
func isFailureStatus(n int) bool { return n >= 400 && n < 600 }

// parseStatus reads a three-digit failure status.
func parseStatus(s string) (int, bool) {
	if len(s) != 3 {
		return 0, false
	}
	n := smallNumber(s)
	return n, assigned(n)
}

// assigned reports whether a failure status is in use. Other protocols have
// three digits, too: 550 is a mailbox.
func assigned(n int) bool {
	switch {
	case n >= 400 && n <= 431, n >= 500 && n <= 511, n >= 520 && n <= 530:
		return true
	}
	return n == 440 || n == 451 || n == 498 || n == 499 || n == 598 || n == 599
}

// saysStatus are the words that, standing before a number, make it a status.
var saysStatus = map[string]bool{
	"status": true, "code": true, "http": true, "https": true, "error": true, "statuscode": true, "httpstatus": true,
	"httpstatuscode": true, "errorcode": true, "returned": true, "returns": true, "response": true, "responded": true,
	"httperror": true, "err": true, "got": true, "received": true, "with": true,
}

// afterStatus are the words that, standing after a number, make it a status:
// the standard reason phrases.
var afterStatus = map[string]bool{
	"unauthorized": true, "unauthorised": true, "forbidden": true, "not": true, "bad": true, "too": true, "internal": true,
	"service": true, "gateway": true, "conflict": true, "payment": true, "gone": true, "unprocessable": true, "client": true,
	"server": true, "request": true, "precondition": true, "error": true, "method": true, "locked": true, "payload": true,
	"proxy": true,
}

// statusInText finds an HTTP status that a message mentions: "status code 429",
// "HTTP/1.1 502", "error! Status: 403", "404 Not Found", "…: 400". A number that
// is part of an identifier, a version, a line or a count is not one.
func statusInText(folded string, words []word) int {
	for i, w := range words {
		n, ok := parseStatus(w.text)
		if !ok || !standsAlone(folded, w) {
			continue
		}
		switch {
		case i == 0 && len(words) == 1:
			return n
		case i > 0 && saysStatus[words[i-1].text]:
			return n
		case i > 1 && (words[i-1].text == "is" || words[i-1].text == "of") && saysStatus[words[i-2].text]:
			return n
		case i > 2 && words[i-3].text == "http" && words[i-2].text == "1", i > 1 && words[i-2].text == "http" && words[i-1].text == "2":
			return n
		case i+1 < len(words) && afterStatus[words[i+1].text] && (i == 0 || !isIntroducing(words[i-1].text)):
			return n
		case i == len(words)-1 && w.start >= 2 && folded[w.start-2] == ':':
			return n
		case i > 0 && w.start > 0 && folded[w.start-1] == '(' && w.end < len(folded) && (folded[w.end] == ')' || folded[w.end] == ','):
			return n
		}
	}
	return 0
}

// isIntroducing reports words after which a number is a name or a count:
// "line 404 not reached", "issue 500 request".
func isIntroducing(w string) bool {
	switch w {
	case "line", "row", "page", "issue", "ticket", "order", "id", "port", "top", "room", "invoice", "number", "no", "flight", "the", "all", "of", "after", "and":
		return true
	}
	return false
}

// standsAlone reports whether the word is not glued to an identifier: the
// 401 of "PROJ-401", "#401", "/v1/401" and "1.401" is not a status.
func standsAlone(s string, w word) bool {
	if w.start > 0 {
		switch s[w.start-1] {
		case ' ', '\t', '\n', '(', '[', '=', ':', '"', '\'', '>', '{', '|', ',':
		default:
			return false
		}
	}
	if w.end < len(s) {
		switch s[w.end] {
		case ' ', '\t', '\n', '\r', ')', ']', ',', ':', ';', '"', '\'', '<', '}', '|', '!':
		case '.':
			return w.end+1 == len(s) || s[w.end+1] == ' ' || s[w.end+1] == '\n'
		default:
			return false
		}
	}
	return true
}
