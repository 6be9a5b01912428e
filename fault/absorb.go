package fault

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// role is what a member of an error object can hold; one may hold several.
type role uint8

const (
	holdsCode role = 1 << iota // a machine-readable code, or a status
	holdsText                  // a message
	holdsMore                  // further error objects
)

// roles of the members of error objects, by their squashed names.
var roles = buildRoles(map[role]string{
	holdsCode: `code errorcode errcode type errortype errtype reason status name errorname key error err subcode errorsubcode
		declinecode policyname category kind sqlstate faultcode class exception errorid title subtype result errorkey id
		loi lỗi erreur fehler erro errore fout ошибка 错误 エラー 오류 ma mã maloi mãlỗi codigo código codice kode код
		loginreason codename statustext statusname errornum errortag issue oerrorcode`,
	holdsText: `value returnmsg resultmsg retmsg message msg detail details description errordescription errormessage errormsg errmsg reason title error err
		faultstring content text cause hint info usermessage developermessage errorsummary longmessage statusmessage body
		errors errorinfo messages errormessages response exception stderr more explanation output failurereason failure result
		loi lỗi erreur fehler erro errore fout ошибка 错误 エラー 오류 thongbao thôngbáo mensaje mensagem nachricht messaggio
		data note information notice submsg errorcause fault
		lydo lýdo chitiet chitiết mota môtả nguyennhan nguyênnhân motivo razon razón grund meldung raison causa detalle errordesc`,
	holdsMore: `loi lỗi erreur fehler erro errore error errors detail details err fault extensions innererror cause errordetails response body meta metadata
		responsestatus status causes errordetail problem validationerrors fielderrors errorlist data exception result
		oerrordetails errorinfo violations usererrors failures errormessages content message messages fieldviolations fields`,
})

func buildRoles(table map[role]string) map[string]role {
	index := make(map[string]role, 128)
	for r, names := range table {
		for _, name := range strings.Fields(names) {
			index[name] |= r
		}
	}
	return index
}

// absorb reads an error object, or whatever stands in its place, for clues.
// The caller knows that it describes a failure.
func (c *clues) absorb(v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		c.absorbString(v, depth)
	case json.Number:
		c.status = lowerStatus(c.status, c.absorbCode(v))
	case []any:
		for i, item := range v {
			if i == 16 {
				break
			}
			c.absorb(item, depth+1)
		}
	case map[string]any:
		o, _ := asObject(v)
		c.absorbObject(o, depth)
	}
}

// absorbObject reads the members of an error object: what stands further out
// is read first and counts first.
func (c *clues) absorbObject(o object, depth int) {
	status := 0
	for m, v := range o {
		switch {
		case roles[m]&holdsCode != 0:
			status = lowerStatus(status, c.absorbCode(v))
		case m == "httpstatus" || m == "httpcode" || m == "statuscode" || m == "httpstatuscode":
			status = lowerStatus(status, statusNumber(v))
		}
	}
	if c.status == 0 {
		c.status = status
	}
	for _, m := range slices.Sorted(maps.Keys(o)) { // the first status counts
		switch v := o[m].(type) {
		case string:
			if roles[m]&holdsText != 0 {
				c.absorbString(v, depth+1)
			}
		case map[string]any:
			if roles[m]&holdsMore != 0 {
				c.absorb(v, depth+1)
			}
		case []any:
			if roles[m]&holdsMore != 0 {
				c.absorb(v, depth+1)
			} else if depth > 0 {
				c.absorbFields(v, depth+1)
			}
		}
	}
}

// absorbFields reads complaints about one field: {"name":["has already been
// taken"]}, or objects in place of the sentences.
func (c *clues) absorbFields(list []any, depth int) {
	for _, item := range list[:min(len(list), 4)] {
		switch item := item.(type) {
		case string:
			c.text(item)
		case map[string]any:
			c.absorb(item, depth)
		}
	}
}

// absorbCode reads a member that holds a code, and returns the HTTP status
// where it is one.
func (c *clues) absorbCode(v any) int {
	switch v := v.(type) {
	case string:
		if n := statusNumber(v); n != 0 {
			return n
		}
		if strings.HasPrefix(v, "http") {
			c.readType(v)
		} else if isIdentifier(v) {
			c.readCode(v)
		}
	case json.Number, float64:
		if n, ok := number(v); ok && n <= -32600 && n >= -32768 {
			c.add(rpcCause(n), likeState, strconv.Itoa(n))
		}
		return statusNumber(v)
	}
	return 0
}

// statusNumber reads a failure status, 0 for anything else.
func statusNumber(v any) int {
	if n, ok := number(v); ok && isFailureStatus(n) {
		return n
	}
	return 0
}

// lowerStatus returns the smaller of two statuses that is not 0: of two that an
// object names, the one that blames the caller says more.
func lowerStatus(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func (c *clues) absorbString(s string, depth int) {
	s = strings.TrimSpace(s)
	if v, ok := nested(s); ok {
		c.absorb(v, depth+1)
		return
	}
	if isIdentifier(s) && c.readCode(s) {
		return
	}
	c.text(s)
}

// readCode reads an identifier, which may be a status in digits, and reports
// whether it is known.
func (c *clues) readCode(s string) bool {
	if n, ok := parseStatus(s); ok {
		c.status = lowerStatus(c.status, n)
		return true
	}
	state, ok := sqlStates.look(s)
	if _, own := sqlStates[s]; ok && (own || strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) { // services count in five digits, too
		c.add(state, exact, s)
		return true
	}
	return c.code(s)
}

// readType reads the type of a problem document: the last segment of its URL.
func (c *clues) readType(s string) {
	if !strings.HasPrefix(s, "http") {
		return
	}
	if i := strings.LastIndexAny(strings.TrimRight(s, "/"), "/#"); i >= 0 {
		c.code(strings.TrimRight(s[i+1:], "/"))
	}
}
