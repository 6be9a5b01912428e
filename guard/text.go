package guard

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
)

// Language is a language the guard writes in by itself.
type Language string

const (
	English    Language = "en" // also for drafts in any other language
	Vietnamese Language = "vi" // with marks or without
)

// Notice is what a text of the guard has to say. Nothing in it comes from an
// upstream, and nothing but Unsourced from a model.
type Notice struct {
	Decision  Decision // Disclose: the text is appended to the draft; else it replaces it
	Language  Language
	Items     []Item        // most important first, at most five
	More      int           // how many were left out
	NoCall    bool          // no tool was called at all
	Waits     Decision      // Escalate: a person has to settle a step; Defer: one is not done yet; else Answer
	CutShort  fault.Reason  // why the run was ended early; none where it was not, or the draft says so
	Running   int           // calls that had not ended when the draft was written, and that it does not mention
	Done      []string      // what was done all the same: names for people of tools that change something and have succeeded; at most five
	Undone    []string      // what the draft says was done and no call did, as verbs of the language: "sent"; at most five
	Unsourced []string      // words of the draft that nothing supports, printable, of at most 60 bytes each; at most five
	RetryIn   time.Duration // longest known wait until it is worth trying again; 0 where nobody said
}

// Item is one tool in a [Notice], with one trouble of it.
type Item struct {
	Tool    string // its name, "" for names that no tool has
	Name    string // for people: what [Named] says, or the words of the name
	Effect  fault.Effect
	Trouble Trouble
	Reason  fault.Reason
	Unkeyed bool          // the reason is that neither the task nor the tool has a key, which keeps a thing from being done twice
	Failed  int           // calls with this trouble
	Calls   int           // calls of the tool in the run
	Values  []string      // values of [Requirement.ForEach] that are missing, at most five
	Age     time.Duration // of a stale result
}

const (
	maxItems  = 5
	maxValues = 5
	maxName   = 60
	// maxText bounds what the guard adds or writes, in bytes: a few lines of a
	// chat, also from [Texts].
	maxText = 2000
)

// write makes the text that may leave.
func (j *judgment) write(d Decision) string {
	if d == Answer {
		return j.draft
	}
	n := j.notice(d)
	text := ownText(j.guard.text, n)
	if text == "" {
		text = wordings[n.Language].write(n)
	}
	text = cutText(text, maxText)
	if draft := strings.TrimRightFunc(j.draft, unicode.IsSpace); d == Disclose && draft != "" {
		return draft + "\n\n" + text
	}
	return text
}

// ownText asks the owner's function. One that panics has nothing to say: the
// refusal must not be lost with it.
func ownText(f func(Notice) string, n Notice) (text string) {
	if f == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	if text = strings.ToValidUTF8(f(n), ""); strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func (j *judgment) notice(d Decision) Notice {
	n := Notice{Decision: d, Language: j.language(), NoCall: true, Waits: j.waits}
	if j.ev == nil {
		return n
	}
	for _, s := range j.ev.stats {
		n.NoCall = n.NoCall && s.Calls == 0
	}
	told := j.troubles
	if d == Disclose {
		told = j.hidden
	}
	items := j.group(told)
	for _, u := range j.unmet {
		items = j.addUnmet(items, u)
	}
	slices.SortStableFunc(items, func(a, b Item) int { return int(rank(a.Trouble)) - int(rank(b.Trouble)) })
	for _, t := range told {
		n.RetryIn = max(n.RetryIn, t.wait)
	}
	if j.cutShort || d != Disclose {
		n.CutShort = j.ev.halt
	}
	if j.early {
		n.Running = j.ev.inFlight
	}
	n.Done = j.done()
	n.Undone, n.Unsourced = j.undoneIn(n.Language), appendValues(nil, j.unsure)
	if len(items) > maxItems {
		n.More = len(items) - maxItems
		items = items[:maxItems]
	}
	n.Items = items
	return n
}

// done are the tools that change something and have succeeded, as people know
// them. One without a declared effect does where its name says so.
func (j *judgment) done() []string {
	var names []string
	for _, tool := range slices.Sorted(maps.Keys(j.ev.stats)) {
		if tool == "" || j.ev.stats[tool].OK == 0 {
			continue
		}
		changes := j.ev.effect(tool) != fault.Read
		if j.ev.effect(tool) == fault.Undeclared {
			changes = slices.ContainsFunc(j.abilities(), func(a ability) bool { return a.tool == tool && a.deeds != 0 })
		}
		if changes {
			names = appendValues(names, []string{j.displayName(tool)})
		}
	}
	return names
}

// undoneIn is what the draft says was done and nothing did, in a language.
func (j *judgment) undoneIn(l Language) []string {
	var verbs []string
	for _, c := range j.undone {
		for _, t := range tongues {
			if t.language == l && c.deed >= 0 {
				c.word = t.said(c.deed)
			}
		}
		verbs = appendValues(verbs, []string{c.word})
	}
	return verbs
}

// group makes one item of all calls of a tool with the same kind of trouble.
// The reason is the first that is a cause: a dead tool died of something.
func (j *judgment) group(troubles []*trouble) []Item {
	var items []Item
	for _, t := range troubles {
		i := slices.IndexFunc(items, func(it Item) bool { return it.Tool == t.tool && it.Trouble == t.Trouble })
		if i < 0 {
			i = len(items)
			items = append(items, Item{
				Tool: t.tool, Name: j.displayName(t.tool), Effect: t.effect,
				Trouble: t.Trouble, Reason: t.reason, Unkeyed: t.unkeyed, Calls: j.ev.stats[t.tool].Calls,
			})
		}
		it := &items[i]
		it.Failed += max(1, t.times)
		if consequence(it.Reason) && !consequence(t.reason) {
			it.Reason = t.reason
		}
		it.Age = max(it.Age, t.age)
	}
	slices.SortStableFunc(items, func(a, b Item) int { return int(rank(a.Trouble)) - int(rank(b.Trouble)) })
	return items
}

// consequence holds for reasons that follow from an earlier failure.
func consequence(r fault.Reason) bool {
	return r == fault.ReasonNone || r == fault.ReasonToolDead || r == fault.ReasonBreakerOpen ||
		r == fault.ReasonLoop || r == fault.ReasonBudget
}

// rank orders troubles by how much they matter to the reader.
func rank(t Trouble) uint8 {
	switch t {
	case TroubleUnknown:
		return 0
	case TroubleFailed, TroubleDenied, TroubleNeverCalled:
		return 1
	case TroubleSubstitute:
		return 2
	default:
		return 3
	}
}

func (j *judgment) addUnmet(items []Item, u Unmet) []Item {
	for _, tool := range u.Tools {
		if i := slices.IndexFunc(items, func(it Item) bool { return it.Tool == tool }); i >= 0 {
			items[i].Values = appendValues(items[i].Values, u.Missing)
			continue
		}
		calls := j.ev.stats[tool].Calls
		if calls > 0 && len(u.Missing) == 0 && slices.ContainsFunc(items, func(it Item) bool { return slices.Contains(u.Tools, it.Tool) }) {
			continue // of several that would do, one that failed is told
		}
		it := Item{
			Tool: tool, Name: j.displayName(tool), Effect: j.ev.effect(tool), Trouble: TroubleNeverCalled,
			Calls: calls, Values: appendValues(nil, u.Missing),
		}
		if len(it.Values) == 0 {
			j.standIn(&it)
		}
		items = append(items, it)
	}
	return items
}

// standIn says of a tool that only another one answered for, and of which that
// was not enough, what had happened to it.
func (j *judgment) standIn(it *Item) {
	substituted := false
	for i := len(j.ev.calls) - 1; i >= 0; i-- {
		c := &j.ev.calls[i]
		switch {
		case toolName(c) == it.Tool && !succeeded(c):
			if substituted {
				it.Trouble, it.Reason = failureOf(c), reasonOf(c)
				it.Failed++
			}
		case toolName(c) == it.Tool:
			return
		case succeeded(c) && slices.Contains(serves(c), it.Tool):
			substituted = true
			it.Trouble = TroubleSubstitute
			if why := detail(c).FallbackWhy; why != fault.ReasonNone {
				it.Trouble, it.Reason = TroubleFailed, why
				return
			}
		}
	}
}

func appendValues(have, more []string) []string {
	for _, v := range more {
		v = cutText(printable(v), maxName)
		if len(have) < maxValues && v != "" && !slices.Contains(have, v) {
			have = append(have, v)
		}
	}
	return have
}

// displayName is how the texts call a tool.
func (j *judgment) displayName(tool string) string {
	if called := j.guard.called[tool]; len(called) > 0 {
		return cutText(printable(called[0]), maxName)
	}
	var words []string
	for _, w := range nameWords(tool) {
		words = append(words, w.text)
	}
	return cutText(strings.Join(words, " "), maxName)
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != '"' && r != '`' {
			return r
		}
		return -1
	}, s)
}
