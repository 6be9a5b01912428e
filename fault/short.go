package fault

import (
	"encoding/json"
	"strconv"
	"strings"
)

// An answer may hold nothing but how the call went: whether the work was done,
// a word for the state, a code, a reason. It has no name or id of anything and
// no payload, so a bad state in it is that of the call: {"sent":false,
// "reason":"no address"} is a failure, {"order":"5512","status":"rejected"}
// tells about an order.

const (
	maxShort  = 6   // members of an answer that is only about its call
	maxReason = 500 // bytes of a reason
)

// short is a short answer, taken apart.
type short struct {
	undone, unsure  bool   // a deed of the call is said not to be done; one that may be that of others
	state           string // the word for the state
	code            string
	fault, why      bool // there is a code that only errors have; there is a reason
	text            string
	told            finding // what code and reason say
	foreign, blames bool    // the reason is called "loi"; it is called the reason of an error
	members, clerks int
}

// readShort takes an answer apart. It reports false for what is data.
func readShort(o object) (*short, bool) {
	if len(o) > maxShort || !isAboutCall(o) {
		return nil, false
	}
	a := &short{}
	for name, v := range o {
		key := unmark(name)
		p := partOf(key)
		if saysNil(v) || p >= faultPart && blank(v) {
			continue
		}
		a.members++
		if !a.take(p, v) {
			return nil, false
		}
		a.foreign = a.foreign || key == "loi"
		a.blames = a.blames || p == whyPart && (strings.HasPrefix(key, "err") || strings.HasPrefix(key, "fail") || strings.Contains(key, "loi"))
	}
	return a, a.members > 0
}

// isAboutCall reports whether every member that has a value is one that tells
// how a call went.
func isAboutCall(o object) bool {
	for name, v := range o {
		if partOf(unmark(name)) == noPart && !saysNil(v) {
			return false
		}
	}
	return true
}

// take reads one member, and reports whether its value is what such members have.
func (a *short) take(p part, v any) bool {
	word, isText := v.(string)
	n, isNumber := number(v)
	switch p {
	case wonPart:
		if !isFalse(v) && (!isNumber || n != 0) {
			return false
		}
		a.undone = true
	case deedPart, leftPart:
		if _, isFlag := v.(bool); !isFlag || !isFalse(v) {
			return false
		}
		a.undone, a.unsure = a.undone || p == deedPart, a.unsure || p == leftPart
	case statePart:
		if no, isFlag := v.(bool); isFlag && !no { // "result": false
			a.undone = true
			return true
		}
		a.state = squash(unmark(strings.ToLower(word)))
		return isText
	case codePart, faultPart:
		if !isText && !isNumber || isText && !isIdentifier(word) {
			return false
		}
		if isNumber {
			word = strconv.Itoa(n)
		}
		a.code = word
		a.fault = a.fault || p == faultPart && !isZero(word)
		a.told.status = lowerStatus(a.told.status, a.told.absorbCode(v))
	case whyPart, textPart:
		if list, isList := v.([]any); isList && p == whyPart {
			a.told.absorb(list, 1)
			a.why = true
			return true
		}
		if !isText || len(word) > maxReason {
			return false
		}
		a.why = a.why || p == whyPart
		if a.text == "" || p == whyPart || len(word) > len(a.text) {
			a.text = word
		}
		a.told.absorbString(word, 1)
	case clerkPart:
		if _, isList := v.([]any); isList {
			return false
		}
		if _, isObject := v.(map[string]any); isObject {
			return false
		}
		a.clerks++
	}
	return true
}

// namesThing reports whether a short text or a number in an answer is neither
// about the call nor about how it went: the name, the id, the place of a thing
// that was looked up.
func namesThing(o object) bool {
	for name, v := range o {
		if partOf(unmark(name)) != noPart {
			continue
		}
		switch v := v.(type) {
		case string:
			if v != "" && len(v) <= 64 {
				return true
			}
		case json.Number, float64:
			return true
		}
	}
	return false
}

// saysNil reports whether a member is there without a value.
func saysNil(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// shortEnvelope judges an answer that holds nothing but how the call went.
func shortEnvelope(o object, effect Effect) (*finding, bool) {
	a, ok := readShort(o)
	if !ok {
		return nil, false
	}
	f := &a.told
	f.bare = saysItFailed
	switch {
	case a.undone && (a.text != "" || a.why || a.fault || effect.Writes() && effect != Undeclared):
		f.shape, f.refused = "not done", true
	case a.unsure && a.text != "" && (a.blames || f.any(loose)):
		f.shape, f.refused = "not done", true
	case badStates[a.state] && (a.text != "" || a.why || a.code != ""):
		f.shape, f.refused = "bad state", true
	case doubtfulStates[a.state] && a.text != "" && f.any(known):
		f.shape, f.refused = "bad state", true
	case a.state != "" || a.undone || a.unsure:
		return nil, false // a report of a state
	case a.fault && (a.text != "" || a.members == 1+a.clerks && f.any(loose)):
		f.shape, f.refused = "errorcode", true
	case a.foreign && a.why && (f.any(loose) || isVietnamese(a.text)):
		f.shape = "loi"
	case a.code != "" && a.text != "" && a.codeComplains(o):
		f.shape, f.refused = "code and reason", true
	case a.code == "" && a.text != "" && a.members <= 1+a.clerks && !a.isStory(o) && (f.complaint(a.text, true) || a.refuses(o)):
		f.shape = "reason"
	default:
		return nil, false
	}
	return f, true
}

// codeComplains reports whether a code and the text beside it are an error: the
// code calls itself one or the text complains. A code of a thing, "SAVE10",
// stands beside what that thing is.
func (a *short) codeComplains(o object) bool {
	words := split(fold(a.text))
	switch {
	case isZero(a.code), isSuccessWord(a.code), isGoodNews(words):
		return false
	case callsItselfError(a.code):
		return true
	case a.describes(o):
		var said clues
		return said.readCode(a.code) && said.any(generic)
	case a.told.any(exact), a.told.any(likeState), saysCannot(words):
		return true
	}
	if _, counted := number(a.code); counted {
		return a.told.any(loose)
	}
	return a.told.complaint(a.text, false)
}

// describes reports whether the text of an answer is one that describes a thing
// rather than tells what happened.
func (a *short) describes(o object) bool {
	for name := range o {
		switch unmark(name) {
		case "description", "mota", "noidung", "ghichu", "descricao", "beschreibung", "descrizione", "explanation":
			return true
		}
	}
	return false
}

// isStory reports whether the only text of an answer may tell what happened to
// somebody else: a description, or a reason that names no known trouble.
func (a *short) isStory(o object) bool {
	for name := range o {
		if partOf(unmark(name)) == whyPart && !a.blames {
			return !a.told.any(known) || isIdentifier(a.text)
		}
	}
	return a.describes(o)
}

// refuses reports whether the message that is all of an answer says that
// something could not be done.
func (a *short) refuses(o object) bool {
	words := split(fold(a.text))
	return o.hasAny("message", "msg", "thongbao", "thôngbáo", "mensaje", "mensagem") && saysCannot(words[:min(len(words), 4)]) && !praises(words) && !isGoodNews(words) && !saysEmpty(a.text)
}

// callsItselfError reports whether a code begins as the codes of errors do:
// "E_ADDR", "ERR_PHONE", "LOI_12".
func callsItselfError(code string) bool {
	for _, start := range []string{"E_", "E-", "ERR", "LOI_", "LOI-", "err_", "err-", "error_", "error-", "loi_"} {
		if strings.HasPrefix(code, start) && len(code) > len(start) {
			return true
		}
	}
	return false
}

// isZero reports whether a code is one of the zeros that mean success: "00".
func isZero(code string) bool { return strings.Trim(code, "0") == "" }

// saysCannot reports whether a sentence says that something could not be done.
func saysCannot(words []word) bool {
	for i, w := range words {
		switch w.text {
		case "cannot", "cant", "couldnt":
			return true
		case "could", "can", "không", "khong":
			if i+1 < len(words) && (words[i+1].text == "not" || words[i+1].text == "thể" || words[i+1].text == "the") {
				return true
			}
		case "failed", "unable":
			if i+1 < len(words) && words[i+1].text == "to" {
				return true
			}
		}
	}
	return false
}

// isGoodNews reports whether a message begins as, or is, a report of success.
func isGoodNews(words []word) bool {
	if len(words) == 0 || goodNews[words[0].text] {
		return true
	}
	if first := words[0].text; (first == "đã" || first == "da") && len(words) > 1 && !spoils[words[1].text] {
		return true // "Đã gửi email": it was done
	}
	for i, w := range words {
		if (w.text == "thành" || w.text == "thanh") && i+1 < len(words) && (words[i+1].text == "công" || words[i+1].text == "cong") {
			return i == 0 || !deniesHere(words[i-1].text)
		}
	}
	return false
}

// spoils are verbs that make the news bad after "đã", which says that something
// came to pass.
var spoils = setOf(`hết het xảy xay có co tồn ton bị bi quá qua vượt vuot gặp gap mất mat tạm tam ngừng ngung`)

func deniesHere(w string) bool { return w == "không" || w == "khong" || w == "chưa" || w == "chua" }
