package guard

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// fieldReader reads what the fields of a JSON text tell: a deed is done where a
// key and its value say so together, "cancelled_at": "2026-05-03", or where a
// value is the word for it, "status": "void".
type fieldReader struct {
	text    string
	subject deedSet  // of what the text is about, from the name of its tool
	keys    []string // of the objects that are open, "" for an array
	key     string
	exist   deedSet // deeds of which there is a thing with a name: "refund_id"
	told
}

// read walks over the text. One that is cut off is read as far as it goes.
func (r *fieldReader) read() {
	for i := 0; i < len(r.text); {
		switch c := r.text[i]; c {
		case '{', '[':
			if len(r.keys) < maxOpen {
				r.keys = append(r.keys, r.key)
			}
			if c == '{' {
				r.key = ""
			}
			i++
		case '}', ']':
			if n := len(r.keys); n > 0 {
				r.key, r.keys = r.keys[n-1], r.keys[:n-1]
			}
			i++
		case '"':
			end := stringEnd(r.text, i)
			s := unquoted(r.text[i:end])
			i = end
			for i < len(r.text) && r.text[i] <= ' ' {
				i++
			}
			if i < len(r.text) && r.text[i] == ':' {
				r.key = s
				i++
				continue
			}
			r.value(s)
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
		default:
			end := i
			for end < len(r.text) && strings.IndexByte(",:{}[]\" \n\t\r", r.text[end]) < 0 {
				end++
			}
			r.value(r.text[i:end])
			i = end
		}
	}
	r.done |= r.exist &^ r.not // what failed weighs more than that there is one
}

const (
	maxOpen   = 64
	maxStatus = 120 // bytes of a value that may be a status; more is prose
)

func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func unquoted(s string) string {
	if !strings.Contains(s, `\`) {
		return strings.Trim(s, `"`)
	}
	var out string
	if json.Unmarshal([]byte(s), &out) != nil {
		return strings.Trim(s, `"`)
	}
	return out
}

// value takes in one value with its key and the objects it is in.
func (r *fieldReader) value(v string) {
	if r.key == "" && len(r.keys) > 0 {
		for k := len(r.keys) - 1; k >= 0 && r.key == ""; k-- {
			r.key = r.keys[k] // an element of an array
		}
		defer func() { r.key = "" }()
	}
	key := keyWords(r.key)
	if slices.ContainsFunc(key, func(w string) bool { return speaksOfRules[w] }) {
		return
	}
	off := isOff(v)
	if d := deedOfKey(key); d != 0 {
		if off {
			r.not |= d
		} else if !hasTakenBack(valueWords(v)) {
			r.done |= d
		}
	}
	if off {
		if d := shownByNothing[strings.Join(key, " ")]; d != 0 {
			r.done |= d
		}
		return
	}
	if len(v) > maxStatus {
		prose := readProse(v, false)
		r.add(&prose)
		return
	}
	subject := r.subject
	for k := len(r.keys) - 1; k >= 0; k-- {
		if d := nounDeedsIn(r.keys[k]); d != 0 && r.keys[k] != "" {
			subject = d
			break
		}
	}
	own := deedSet(0)
	for _, w := range key {
		own |= nounDeedsIn(w)
	}
	if own != 0 {
		subject = own
		if last := key[len(key)-1]; len(key) == 2 && proofOfNoun[last] {
			r.exist |= own
		}
	}
	r.status(v, subject, len(key) == 0 || statusKeys[key[len(key)-1]] || statusKeys[strings.Join(key, " ")] || r.inStatus())
}

// inStatus reports whether the value is in a list of what happened.
func (r *fieldReader) inStatus() bool {
	for k := len(r.keys) - 1; k >= 0; k-- {
		if r.keys[k] != "" {
			return statusKeys[r.keys[k]]
		}
	}
	return false
}

var (
	// speaksOfRules are words of keys whose values tell what may be done.
	speaksOfRules = set("policy policies terms rule rules conditions template templates instructions options allowed available eligible eligibility can may cannot should will reason note chinh")
	// statusKeys are words that end the names of fields which tell how things are.
	statusKeys = set("status state decision stage phase type kind result outcome event events action progress condition resolution disposition history timeline lifecycle conclusion")
	// proofOfNoun are words that with a noun name what there is only once it is
	// done: "refund_id".
	proofOfNoun = set("id number no ref reference code confirmation")
	// dressing is what keys add to the word for what was done: "is_paid".
	dressing = set("is was has been at on date time timestamp ts by to into with flag da duoc ngay luc")
)

func init() {
	for _, s := range []string{"trang thai", "tinh trang", "ket qua", "trang_thai"} {
		statusKeys[s] = true
	}
}

// deedOfKey is what the key says was done, if it says nothing else.
func deedOfKey(key []string) deedSet {
	verb := ""
	for _, w := range key {
		if dressing[w] {
			continue
		}
		if verb != "" {
			return 0
		}
		verb = w
	}
	return deedsOfForm(verb)
}

// form takes in one word that says that something was done.
func (t *told) form(w string) {
	if reversing[w] {
		t.back |= deedsOfForm(w)
		return
	}
	t.done |= deedsOfForm(w)
}

// reversing are verbs that undo what the others of their deed do.
var reversing = set("unblocked unlocked unfrozen unfroze reopened unsubscribed revoked rejected")

// deedsOfForm are the deeds that a word without marks says were done.
func deedsOfForm(w string) deedSet {
	var d deedSet
	for _, f := range verbs[w] {
		if !f.bare && f.deed >= 0 && len(f.parts) == 1 && f.tongue.language == English {
			d |= 1 << f.deed
		}
	}
	return d
}

// isOff holds for values that say that there is nothing.
func isOff(v string) bool { return offValues[plain(strings.ToLower(strings.TrimSpace(v)))] }

var offValues = func() map[string]bool {
	m := set("0 0.0 0.00 false null none no n nil undefined off never khong chua - n/a na failed error pending declined rejected")
	m[""] = true
	return m
}()

// keyWords are the words of a key without marks.
func keyWords(key string) []string {
	var words []string
	for _, w := range nameWords(key) {
		words = append(words, w.plain)
	}
	return words
}

// valueWords are the words of a short value without marks.
func valueWords(v string) []string {
	return strings.FieldsFunc(plain(strings.ToLower(v)), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// hasTakenBack reports whether a value says that something is not done.
func hasTakenBack(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return takenBackBy[w] })
}

var takenBackBy = set("not no never none be cannot can could will would should may pending awaiting waiting failed failure error declined rejected denied refused unable to if khong chua cho se can loi that bai")

// status takes in a short value: the words of what was done, or where the key
// says that it is a status, words that show it.
func (t *told) status(v string, subject deedSet, isStatus bool) {
	words := valueWords(v)
	if hasTakenBack(words) {
		if slices.ContainsFunc(words, func(w string) bool { return w == "failed" || w == "declined" || w == "rejected" || w == "not" }) {
			t.not |= subject
			for _, w := range words {
				t.not |= deedsOfForm(w)
			}
		}
		if slices.Contains(words, "rejected") || slices.Contains(words, "declined") {
			t.form("rejected")
		}
		return
	}
	for i, w := range words {
		t.form(w)
		for _, s := range statuses[w] {
			if (isStatus || len(s.words) > 1) && len(words)-i >= len(s.words) && slices.Equal(words[i:i+len(s.words)], s.words) {
				t.done |= s.deeds
			}
		}
		for n, list := range outcomes {
			if !list[w] {
				continue
			}
			if n == outcomeDone || n == outcomeConfirmed {
				t.done |= subject
			}
			if subject == 0 {
				t.ended[n] |= anyThing
			}
			t.ended[n] |= subject
		}
	}
}

// statusWords are words of a status that show that deeds were done.
type statusWords struct {
	words []string
	deeds deedSet
}

// statuses are all of them by their first word, shownByNothing the keys whose
// value shows it by being nothing.
var statuses, shownByNothing = func() (map[string][]statusWords, map[string]deedSet) {
	byWord, byKey := map[string][]statusWords{}, map[string]deedSet{}
	for i, d := range deeds {
		for _, t := range tongues {
			for phrase := range strings.SplitSeq(t.verbs[d.name].shows, ",") {
				if words := valueWords(phrase); len(words) > 0 {
					byWord[words[0]] = append(byWord[words[0]], statusWords{words, 1 << i})
				}
			}
		}
		for key := range strings.SplitSeq(d.none, ",") {
			if key = strings.TrimSpace(key); key != "" {
				byKey[key] |= 1 << i
			}
		}
	}
	return byWord, byKey
}()

const (
	outcomeDone = iota
	outcomeConfirmed
	outcomeDelivered
	outcomePlaced
	maxOutcomes
)

// outcomes are words without marks for how a thing ended, by what they mean.
var outcomes = [maxOutcomes]map[string]bool{
	outcomeDone:      set("processed completed complete made issued settled succeeded success successful executed finalized finalised done captured paid gone went ly tat thanh xong fulfilled delivered"),
	outcomeConfirmed: set("confirmed active approved accepted booked reserved ticketed nhan"),
	outcomeDelivered: set("delivered received giao"),
	outcomePlaced:    set("placed initiated applied arranged requested submitted"),
}

// outcomesOf are the outcomes that a verb tells, as bits.
func outcomesOf(words []word) uint8 {
	var bits uint8
	for n, list := range outcomes {
		if slices.ContainsFunc(words, func(w word) bool { return list[w.plain] }) {
			bits |= 1 << n
		}
	}
	return bits
}
