package guard

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// subject is what a draft has to name to speak of one tool.
type subject struct {
	tool   string
	effect fault.Effect
	name   []word      // the words of the tool's name
	keys   [][]matcher // word sequences that name it and no other tool of the run
}

// subjects are the tools of the run, bound or called.
func (j *judgment) subjects() []*subject {
	var subjects []*subject
	add := func(tool string, effect fault.Effect) {
		if tool != "" && !slices.ContainsFunc(subjects, func(s *subject) bool { return s.tool == tool }) {
			subjects = append(subjects, &subject{tool: tool, effect: effect, name: nameWords(tool)})
		}
	}
	for _, t := range j.ev.tools {
		add(t.Name, t.Effect)
	}
	for i := range j.ev.calls {
		if c := &j.ev.calls[i]; c.Tool != nil {
			add(toolName(c), c.Tool.Effect)
		}
	}
	for _, t := range j.troubles {
		add(t.tool, t.effect)
	}
	shared := map[string]int{}
	for _, s := range subjects {
		for _, w := range contentWords(s.name) {
			shared[stem(w.text)]++
		}
	}
	for _, s := range subjects {
		s.keys = keysOf(s, j.guard.called[s.tool], shared)
	}
	return subjects
}

// keysOf are the words of a name that no other tool of the run has, all of its
// words where each is shared, and what the owner says people call it.
func keysOf(s *subject, called []string, shared map[string]int) [][]matcher {
	content := contentWords(s.name)
	own := slices.DeleteFunc(slices.Clone(content), func(w word) bool { return shared[stem(w.text)] > 1 })
	if len(own) == 0 {
		own = content
	}
	var keys [][]matcher
	for _, w := range own {
		keys = append(keys, []matcher{{word: w}})
		for _, phrase := range glossary[stem(w.text)] {
			keys = append(keys, compileWords(strings.Fields(phrase)))
		}
	}
	for _, phrase := range called {
		var seq []matcher
		for _, w := range splitWords(phrase) {
			seq = append(seq, matcher{word: w})
		}
		if len(seq) > 0 {
			keys = append(keys, seq)
		}
	}
	return keys
}

// splitWords reads any text as words.
func splitWords(s string) []word {
	var words []word
	for _, c := range splitDraft(s) {
		words = append(words, c.words...)
	}
	return words
}

func nameWords(tool string) []word {
	return splitWords(strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r == '-' || r == '/' || r == ':' {
			return ' '
		}
		return r
	}, tool))
}

// verbs of names say nothing about what a look-up is about.
var nameVerbs = set("get fetch list read query search lookup look up find load retrieve show check api tool tools mcp by for of from to the all id ids data info information v1 v2 v3 http https run call do exec execute use my current")

func contentWords(name []word) []word {
	content := slices.DeleteFunc(slices.Clone(name), func(w word) bool { return nameVerbs[w.text] })
	if len(content) == 0 {
		return name
	}
	return content
}

// named reports whether the words name the subject.
func (s *subject) named(words []word, marked bool) bool {
	for at := range words {
		for _, key := range s.keys {
			if sameWords(key, words[at:], marked) {
				return true
			}
		}
	}
	return false
}

// namedInFull reports whether every word of the tool's name occurs.
func (s *subject) namedInFull(words []word) bool {
	for _, n := range s.name {
		if !slices.ContainsFunc(words, func(w word) bool { return w.text == n.text || stem(w.text) == stem(n.text) }) {
			return false
		}
	}
	return len(s.name) > 0
}

func sameWords(key []matcher, words []word, marked bool) bool {
	if len(key) > len(words) {
		return false
	}
	for i, k := range key {
		if !k.matches(words[i], marked) && stem(words[i].text) != stem(k.text) {
			return false
		}
	}
	return true
}

// stem takes the commonest English endings off, so that "payments" speaks of
// pay_invoice and "archived" of archive_batch.
func stem(w string) string {
	for _, suffix := range []string{"ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ed", "es", "s", "e", "y"} {
		if root, ok := strings.CutSuffix(w, suffix); ok && len(root) >= 3 {
			w = root
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] {
		return w[:n-1] // "shipping" and "shipment"
	}
	return w
}

// glossary translates common words of tool names, so that a Vietnamese draft
// names the tool it speaks of. It is by stem; [Named] adds to it per tool.
var glossary = map[string][]string{
	"invoic": {"hóa đơn", "hoá đơn"}, "bill": {"hóa đơn", "hoá đơn"}, "customer": {"khách hàng"}, "client": {"khách hàng"},
	"order": {"đơn hàng"}, "ship": {"vận chuyển", "giao hàng"},
	"deliver": {"giao hàng"}, "track": {"vận đơn"}, "pric": {"giá"}, "quot": {"báo giá", "giá"}, "weather": {"thời tiết"},
	"fil": {"tệp", "tập tin"}, "email": {"thư", "email"}, "mail": {"thư", "email"}, "pay": {"thanh toán"}, "refund": {"hoàn tiền"},
	"balanc": {"số dư"}, "account": {"tài khoản"}, "stock": {"tồn kho", "cổ phiếu"}, "inventor": {"tồn kho"}, "product": {"sản phẩm"},
	"ticket": {"vé", "phiếu"}, "flight": {"chuyến bay"}, "book": {"đặt chỗ"}, "calendar": {"lịch"}, "event": {"sự kiện"},
	"contact": {"liên hệ"}, "document": {"tài liệu"}, "report": {"báo cáo"}, "log": {"nhật ký"}, "user": {"người dùng"},
	"databas": {"cơ sở dữ liệu"}, "messag": {"tin nhắn"}, "new": {"tin tức"}, "rat": {"tỷ giá", "tỉ giá", "lãi suất"},
	"contract": {"hợp đồng"}, "salar": {"lương"}, "employe": {"nhân viên"}, "compan": {"công ty"}, "supplier": {"nhà cung cấp"},
	"hotel": {"khách sạn"}, "map": {"bản đồ"}, "addres": {"địa chỉ"}, "transact": {"giao dịch"},
	"revenu": {"doanh thu"}, "sal": {"doanh số", "bán hàng"}, "tax": {"thuế"}, "web": {"web", "mạng"}, "director": {"thư mục"}, "record": {"hồ sơ"},
}

// heldValues are the kept argument values of a call that are long enough to be
// looked for in a text, as words.
func heldValues(kept map[string]string) map[string][]word {
	values := map[string][]word{}
	for field, v := range kept {
		if words := splitWords(v); len(words) > 0 && len(words) <= maxValueWords {
			values[field] = words
		}
	}
	return values
}

const maxValueWords = 12

func hasWords(words, value []word) bool {
	for at := 0; at+len(value) <= len(words); at++ {
		if slices.EqualFunc(words[at:at+len(value)], value, func(a, b word) bool { return a.text == b.text || a.plain == b.plain }) {
			return true
		}
	}
	return false
}

// keptOfAll are the kept values of all calls, to tell what else is named.
func keptOfAll(calls []runrecord.Call) []map[string]string {
	var all []map[string]string
	for i := range calls {
		if kept := detail(&calls[i]).Args; len(kept) > 0 {
			all = append(all, kept)
		}
	}
	return all
}
