package fault

import "strings"

// A result that says it failed has one of a few shapes, whatever the service:
// an error member that is not blank, a flag that says no, a status word beside
// a message, a failure status as a number, or one of these wrapped in a string.
// Everything else is data, and words in data prove nothing.

// finding is what an envelope says.
type finding struct {
	clues
	shape   string // which shape it was, part of the rule's name
	bare    cause  // what the shape means where its content says nothing
	refused bool   // the answer says that nothing was done, whatever the cause
}

// readEnvelope reports whether a decoded result says that it failed. effect
// matters for records: a stored record about a failed payment is data for a
// read, and the answer to a payment is not.
func readEnvelope(root any, effect Effect) (*finding, bool) {
	return envelope(root, effect, 0)
}

func envelope(root any, effect Effect, depth int) (*finding, bool) {
	if depth > 3 {
		return nil, false
	}
	switch v := root.(type) {
	case []any:
		return listEnvelope(v, effect, depth)
	case map[string]any:
		o, _ := asObject(v)
		if inner, ok := onlyAnswer(v); ok {
			o = inner
		}
		return objectEnvelope(o, effect, depth)
	}
	return nil, false
}

// onlyAnswer unwraps {"/data/a.csv": {…}}, a map of one answer by file or host,
// and {"trade_query_response": {…}}.
func onlyAnswer(m map[string]any) (object, bool) {
	if len(m) != 1 {
		return nil, false
	}
	for key, v := range m {
		if namesAnswer(key) {
			return asObject(v)
		}
	}
	return nil, false
}

func namesAnswer(key string) bool {
	return strings.ContainsAny(key, "/.") || strings.HasSuffix(key, "_response") || strings.HasSuffix(key, "Response")
}

func objectEnvelope(o object, effect Effect, depth int) (*finding, bool) {
	if f, ok := flagEnvelope(o); ok {
		return f, true
	}
	if saysYes(o) {
		return nil, false
	}
	if f, ok := errorEnvelope(o, effect); ok {
		return f, true
	}
	if f, ok := statusEnvelope(o, effect); ok {
		return f, true
	}
	if f, ok := userErrors(o); ok {
		return f, true
	}
	if f, ok := detailEnvelope(o); ok {
		return f, true
	}
	if f, ok := shortEnvelope(o, effect); ok {
		return f, true
	}
	return wrappedEnvelope(o, effect, depth)
}

func (f *finding) of(o object) *finding {
	f.absorbObject(o, 0)
	return f
}

// flagEnvelope finds a flag that says no: ok:false, success:false,
// is_error:true.
func flagEnvelope(o object) (*finding, bool) {
	for _, m := range []string{"ok", "success", "successful", "succeeded", "issuccess", "issuccessful", "succeed", "thanhcong", "thànhcông", "exito", "éxito", "erfolg", "sucesso", "succes", "succès"} {
		if v, ok := o[m]; ok && isFalse(v) && len(o) <= 12 {
			return (&finding{shape: m + ":false", bare: saysItFailed, refused: true}).of(o), true
		}
	}
	for _, m := range []string{"iserror", "haserror", "haserrors", "error", "failed", "errored", "isfailure", "err"} {
		if v, ok := o[m]; ok && isTrue(v) {
			return (&finding{shape: m + ":true", bare: saysItFailed, refused: true}).of(o), true
		}
	}
	return nil, false
}

// saysYes reports whether the envelope claims success.
func saysYes(o object) bool {
	for _, m := range []string{"ok", "success", "thanhcong", "thànhcông"} {
		if v, ok := o[m]; ok && isTrue(v) {
			return true
		}
	}
	return false
}

// errorEnvelope finds an error member that is not blank.
func errorEnvelope(o object, effect Effect) (*finding, bool) {
	if effect == Read && isRecord(o) {
		return nil, false
	}
	for _, m := range []string{"error", "err", "fault", "responseerror", "errormessages"} {
		v, ok := o.any(m)
		if !ok {
			continue
		}
		switch v := v.(type) {
		case string:
			if saysNothing(v) && claimsSuccess(o) {
				return nil, false
			}
			return (&finding{shape: m, bare: saysItFailed}).of(o), true
		case map[string]any, []any:
			return (&finding{shape: m, bare: saysItFailed}).of(o), true
		}
	}
	if v, ok := o.any("errors"); ok {
		return errorsEnvelope(o, v)
	}
	if f, ok := foreignEnvelope(o); ok {
		return f, true
	}
	for _, m := range []string{"errormessage", "errormsg", "errorcode", "errortype", "errordesc", "errordescription", "faultstring"} {
		v, ok := o.any(m)
		if s, isText := v.(string); ok && isText && s != "" && len(o) <= 8 {
			return (&finding{shape: m, bare: saysItFailed}).of(o), true
		}
	}
	return nil, false
}

// foreignErrors is what an error member is called where the members are not
// named in English; foreignCodes is what the code beside it is.
var (
	foreignErrors = []string{"loi", "lỗi", "erreur", "fehler", "erro", "errore", "fout", "ошибка", "错误", "エラー", "오류"}
	foreignCodes  = []string{"ma", "mã", "maloi", "mãlỗi", "code", "codigo", "código", "codice", "kode", "код", "status"}
)

// foreignEnvelope finds an error member by its name in another language. Such
// a name means other things, too ("loi" is a law in French), so what it holds
// has to be a complaint, or the code a failure.
func foreignEnvelope(o object) (*finding, bool) {
	if len(o) > 8 {
		return nil, false
	}
	for _, m := range foreignErrors {
		v, ok := o.any(m)
		if !ok {
			continue
		}
		var said clues
		said.absorb(v, 0)
		code, _ := o.any(foreignCodes...)
		if said.any(loose) || said.namedStatus() != 0 || statusNumber(code) != 0 {
			return (&finding{shape: m, bare: saysItFailed}).of(o), true
		}
	}
	return nil, false
}

// detailEnvelope finds {"detail":[{"loc":["body","name"],"msg":"field
// required"}]}, and an object that is nothing but an exception by its name.
func detailEnvelope(o object) (*finding, bool) {
	if list, ok := o["detail"].([]any); ok && len(o) <= 2 && namePlaces(list) {
		f := (&finding{shape: "detail"}).of(o)
		f.absorbByField(list)
		return f, true
	}
	for name, v := range o {
		inner, ok := asObject(v)
		if !ok || len(o) > 1 || !inner.hasAny("message", "msg") || !strings.HasSuffix(name, "exception") && !strings.HasSuffix(name, "error") {
			break
		}
		f := &finding{shape: "exception", bare: saysItFailed}
		f.code(name)
		return f.of(inner), true
	}
	return nil, false
}

// claimsSuccess reports whether an answer, or the part of it that tells about
// the answer, says that all went well.
func claimsSuccess(o object) bool {
	for m, v := range o {
		switch v := v.(type) {
		case string:
			if m == "status" && isSuccessWord(v) {
				return true
			}
		case map[string]any:
			if strings.HasSuffix(m, "metadata") || m == "meta" {
				if inner, _ := asObject(v); isSuccessWord(inner["status"]) {
					return true
				}
			}
		case []any:
			if len(v) == 0 && (m == "results" || m == "items" || m == "data" || m == "hits") {
				return true
			}
		}
	}
	return false
}

func isSuccessWord(v any) bool {
	word, _ := v.(string)
	switch strings.ToLower(word) {
	case "ok", "success", "succeeded", "successful", "complete", "completed", "done":
		return true
	}
	return false
}

// shouts reports whether a status is a code in capitals: "NOT_FOUND".
func shouts(word string) bool {
	return len(word) > 3 && word == strings.ToUpper(word) && isIdentifier(word)
}

// onlyShell reports whether an envelope holds nothing but its status and words
// about it.
func onlyShell(o object) bool {
	for m, v := range o {
		if _, isText := v.(string); !isText && !blank(v) && !paging[m] {
			return false
		}
	}
	return true
}

// isRecord reports whether an object is a stored thing that has its own life:
// an id, a state and more. Its error member then tells about that life.
func isRecord(o object) bool {
	return o.hasAny("id", "uuid", "jobid", "runid", "taskid", "executionid") &&
		o.hasAny("status", "state", "createdat", "created", "updatedat", "startedat", "finishedat", "conclusion") && len(o) >= 4
}

// statusEnvelope finds a status that means failure beside a message, and the
// objects that are nothing but a code and a message.
func statusEnvelope(o object, effect Effect) (*finding, bool) {
	told := o.hasAny("message", "msg", "error", "errors", "detail", "details", "reason", "description", "title", "errormessage", "errmsg")
	explained := told || o.hasAny("code", "errorcode")
	record := isRecord(o)
	for _, m := range []string{"status", "statuscode", "code", "httpstatus", "httpcode", "errorcode", "httpstatuscode", "cod", "result", "returncode", "resultcode", "message"} {
		v, ok := o[m]
		if !ok {
			continue
		}
		if n, isNumber := number(v); isNumber {
			if isFailureStatus(n) && !record && (told || explained && m != "code" || len(o) <= 3 && !namesThing(o)) {
				return (&finding{shape: m, bare: saysItFailed, refused: true}).of(o), true
			}
			continue
		}
		word, _ := v.(string)
		switch strings.ToLower(word) {
		case "failure":
			if !record && (explained || len(o) <= 3) && !(effect == Read && namesThing(o)) {
				return (&finding{shape: m + ":failure", bare: saysItFailed, refused: true}).of(o), true
			}
		case "error", "fail", "notok", "not_ok", "nok", "ko", "unsuccessful":
			if !record && (explained || len(o) <= 3) {
				return (&finding{shape: m + ":" + strings.ToLower(word), bare: saysItFailed, refused: true}).of(o), true
			}
		case "failed":
			if explained && len(o) <= 6 && (effect != Read || !record && !namesThing(o)) {
				return (&finding{shape: m + ":failed", bare: saysItFailed, refused: true}).of(o), true
			}
		case "unauthorized", "forbidden", "denied", "unauthenticated":
			if len(o) <= 4 && !record && !(effect == Read && namesThing(o)) {
				return (&finding{shape: m, bare: saysItFailed, refused: true}).of(o), true
			}
		default:
			if f := (&finding{shape: m, bare: saysItFailed, refused: true}); shouts(word) && !record && onlyShell(o) && f.code(word) {
				return f.of(o), true
			}
		}
	}
	v, ok := o.any("errcode", "errno", "errornumber", "retcode")
	if !ok && o.hasAny("msg", "message") {
		v, ok = o.any("ret")
	}
	if ok {
		if n, isNumber := number(v); isNumber && len(o) <= 8 && n != 200 {
			return (&finding{shape: "errcode", bare: saysItFailed, refused: true}).of(o), true
		}
	}
	return messageEnvelope(o)
}

// messageEnvelope judges an object that has a message and at most a code and
// an id: it is a failure where the message has a known phrase or the code is a
// known one.
func messageEnvelope(o object) (*finding, bool) {
	message, ok := o.any("message", "msg", "detail", "errormessage", "note", "information", "info", "notice")
	text, isText := message.(string)
	if !ok || !isText || len(text) > 500 {
		return nil, false
	}
	for m, v := range o {
		switch m {
		case "message", "msg", "detail", "code", "type", "requestid", "traceid", "timestamp", "path", "documentationurl", "id", "key",
			"errormessage", "status", "statuscode", "data", "result", "helplink", "moreinfo", "title", "instance", "name", "reason", "fields",
			"note", "information", "info", "notice", "subcode", "submsg", "rspcode", "respcode", "responsecode", "returncode", "resultcode", "retcode":
		default:
			if !blank(v) {
				return nil, false
			}
		}
	}
	if v, ok := o.any("data", "result"); ok && v != nil {
		return nil, false
	}
	if state, ok := o["status"].(string); ok && statusNumber(state) == 0 {
		return nil, false // a report of a state
	}
	hasCode := o.hasAny("code", "type", "__type")
	if _, isNumber := number(o["id"]); isNumber && !hasCode && !o.hasAny("status", "statuscode") {
		return nil, false // a message that is kept by its number
	}
	f := (&finding{shape: "message", bare: saysItFailed}).of(o)
	if f.any(exact) || hasCode && f.any(likeState) || f.complaint(text, len(o) == 1) {
		return f, true
	}
	return nil, false
}

// complaint reports whether a message, which may as well be good news, tells
// of a failure: it has a known phrase, or ends in a common one. Where it is all
// there is, a common phrase anywhere and the beginning of a complaint will do.
func (c *clues) complaint(text string, alone bool) bool {
	folded := fold(text)
	words := split(folded)
	if isGoodNews(words) || saysEmpty(text) || alone && len(words) > 0 && speaksOf(text, folded, words) {
		return false
	}
	told := false
	eachPhrase(words, func(p *phrase, _, to int) {
		if p.cause < causeCount && (p.grade == known || to == len(words) || alone && len(p.words) > 1) {
			told = true
		}
	})
	return told || c.namedStatus() != 0 || alone && opening(text, words) >= complaint
}

// goodNews are first words of messages that report success.
var goodNews = map[string]bool{
	"ok": true, "success": true, "successfully": true, "done": true, "created": true, "updated": true, "deleted": true, "accepted": true, "queued": true,
	"completed": true, "sent": true, "saved": true, "moved": true, "removed": true, "renamed": true, "copied": true, "added": true, "booked": true,
	"disabled": true, "archived": true, "merged": true, "revoked": true, "cancelled": true, "scheduled": true,
}
