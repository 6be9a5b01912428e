package guard

import "slices"

// subjectStart is where the subject of a cue begins: behind the last comma that
// has something before the cue, or behind "that" where it introduces what is
// said.
func (p *place) subjectStart(start int) int {
	content := false
	for i := start - 1; i >= 0; i-- {
		if p.words[i].text == "that" && i+1 < start && !isAuxiliary(p.words[i+1]) {
			return i + 1
		}
		content = content || len(p.named[i]) > 0 || p.tags[i]&light == 0 || p.tags[i]&author != 0
		if p.words[i].comma && content && !p.listed(i, start) {
			return i
		}
	}
	return 0
}

func (p *place) firstAuxiliary(start, end int) int {
	for i := start; i < end; i++ {
		if isAuxiliary(p.words[i]) {
			return i
		}
	}
	return end
}

// ownDoer reports whether the subject of an active cue is the author or a tool:
// not "you could not ask for better", not "Acme is unable to pay". In
// Vietnamese what was looked for may stand there ("hóa đơn của Acme không thể
// truy xuất"), so that there only people and foreign things do not count.
func (p *place) ownDoer(front *theme, subjectFrom, start int, r rule) bool {
	for i := start - 1; i >= subjectFrom; i-- {
		if p.tags[i]&author != 0 {
			return true
		}
		if p.tags[i]&person != 0 && len(p.named[i]) == 0 {
			if i > 0 && p.words[i-1].plain == "cua" {
				continue // "thư của bạn"
			}
			return false
		}
		if p.tags[i]&light == 0 && !isNumber(&p.words[i]) {
			break
		}
	}
	if p.sharesSubject(start) && slices.ContainsFunc(p.tags[:start], func(t class) bool { return t&author != 0 }) && !slices.ContainsFunc(p.tags[:start], func(t class) bool { return t&person != 0 && t&light == 0 }) {
		return true
	}
	switch {
	case !front.content:
		return true
	case len(front.names) > 0 && !front.troubled(p):
		return false
	case r&general != 0:
		return front.lookup && !front.foreign || len(front.names) > 0
	default:
		return !front.foreign && (!front.mixed || len(front.names) > 0)
	}
}

// sharesSubject reports whether an "and" or "then" joins the cue to the verb
// before: "I asked for it twice and got an error".
func (p *place) sharesSubject(start int) bool {
	return start > 0 && joining[p.words[start-1].text]
}

var joining = set("and then và rồi")

// troubled reports whether it names a tool that is in trouble.
func (t *theme) troubled(p *place) bool {
	for s := range t.names {
		if p.inTrouble[s] {
			return true
		}
	}
	return false
}

// denied reports whether the words around a cue take it back.
func (d *reading) denied(p *place, at int, c *cue, start, end int) bool {
	cl := p.clause
	if cl.question || condition[cl.opener] || (cl.opener == "when" || cl.opener == "khi" || cl.opener == "once") && !p.byAuthor(start) {
		return true
	}
	if cl.untrue <= start || at > 0 && d.clauses[at-1].sentence == cl.sentence && cl.opener != "because" && d.clauses[at-1].untrue < never {
		return true
	}
	for i := start - 1; i >= max(0, start-6); i-- {
		w := &cl.words[i]
		if noneOf[w.text] || negators[w.text] && start-i <= 3 {
			return true
		}
		if w.comma {
			break
		}
	}
	if cl.label && at+1 < len(d.clauses) && d.clauses[at+1].before == at && statesNone[d.clauses[at+1].words[0].text] {
		return true // "errors: none"
	}
	if c.rule&viet != 0 && slices.ContainsFunc(cl.words[:start], func(w word) bool { return w.plain == "ma" }) && slices.ContainsFunc(cl.words[:start], func(w word) bool { return w.plain == "khong" }) {
		return true // "không hóa đơn nào mà tôi không xem được"
	}
	span := cl.words[start:end]
	if !c.negative && slices.ContainsFunc(span, func(w word) bool { return negators[w.text] }) {
		return true // "had no trouble", "39 archived, 0 failed"
	}
	if start > 0 && cl.words[start-1].plain == "xin" {
		return true // "xin lỗi" asks to be excused
	}
	if end < len(cl.words) {
		next := &cl.words[end]
		if c.rule&event != 0 && statesNone[next.text] {
			return true // "errors: none"
		}
		if c.rule&(event|strict) != 0 && c.rule&either == before && c.rule&viet == 0 && end == start+1 && p.qualifies(end) {
			return true // "failed payments", "unavailable servers"
		}
		if c.negative && slices.ContainsFunc(cl.words[end:], func(w word) bool { return dispensable[w.text] }) {
			return true // "no access code is needed"
		}
		if c.topics&saysOld != 0 && nowWords[next.text] {
			return true // "as of today"
		}
	}
	if c.rule&event != 0 && c.rule&either == before && start > 0 && attributes[cl.words[start-1].text] && len(p.named[start-1]) == 0 && c.rule&viet == 0 {
		return true // "a ticket about the failed login"
	}
	if c.topics&(saysFailed|saysDenied|saysAbsent) != 0 && d.isPast(p, at, start) {
		return true
	}
	return p.handedOn(start)
}

// qualifies reports whether the word behind a cue is one that the cue
// describes: "failed database connections".
func (p *place) qualifies(i int) bool {
	w := &p.words[i]
	return !w.comma && len(p.named[i]) == 0 && p.tags[i]&(light|prepared|reporter) == 0 && !isNumber(w)
}

// byAuthor tells "when I tried to get the invoices" from "when it is down".
func (p *place) byAuthor(start int) bool {
	return slices.ContainsFunc(p.tags[:start], func(t class) bool { return t&author != 0 })
}

// handedOn reports whether the cue is in what somebody or something else says:
// "the report says …", "the customer reported that …".
func (p *place) handedOn(start int) bool {
	content, ours := false, false
	for i := range start {
		tag := p.tags[i]
		if tag&reporter != 0 && content && !ours && !(len(p.named[i]) > 0) && i+1 < len(p.words) && !negators[p.words[max(0, i-1)].text] {
			return true
		}
		if len(p.named[i]) > 0 || tag&light == 0 {
			content = true
		}
		ours = tag&(author|lookup) != 0
	}
	return false
}

// isPast reports whether the failure is over: it stands beside a word such as
// "previously", or the sentence goes on that it works now.
func (d *reading) isPast(p *place, at, start int) bool {
	cl := p.clause
	contrasted := at+1 < len(d.clauses) && d.clauses[at+1].sentence == cl.sentence && contrast[d.clauses[at+1].opener]
	if (cl.bygone <= start || contrasted && cl.bygone < never) && !slices.ContainsFunc(cl.words, func(w word) bool { return stillWords[w.text] }) {
		return true
	}
	for i := at; i < min(len(d.clauses), at+3) && d.clauses[i].sentence <= cl.sentence+1; i++ {
		if d.clauses[i].overcome < never && !slices.ContainsFunc(d.clauses[i].words, func(w word) bool { return negators[w.text] || w.text == "chưa" }) {
			return true
		}
	}
	return false
}

var dispensable = set("needed required requested necessary")

var stillWords = set("still again twice second both vẫn đều hai")

var sparingWords = set("not except excluding besides trừ")
