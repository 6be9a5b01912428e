package guard

import (
	"slices"
	"strings"
)

// lexicon is data: what people write when something could not be had, one list a
// language, see [englishCues]. To add a language, write such a list, put it here,
// and add its words for look-ups, data and people to [vocabulary]. Patterns are read by [compile]; the words in
// braces are in [sets]. A pattern that matches is only a cue: whether it
// discloses a given call is decided by [reading.says].
var lexicon = slices.Concat(englishCues, vietnameseCues)

// cueSet is patterns that speak about the same and are read in the same way.
type cueSet struct {
	topics   topic
	rule     rule
	patterns string // one a line
}

// Words that decide how a clause is read.
var (
	contrast   = set("but however although though whereas despite except if unless because since due owing yet nhưng tuy dù nếu neu vì nên bởi")
	openers    = set("when whenever once should had were while unless if khi mỗi hễ not except")
	untilComma = set("although though while whereas despite if unless whenever tuy dù nếu neu hễ")
	afterComma = set("while so as còn song")
	condition  = set("if unless whenever nếu neu hễ should had were")
	authored   = set("could can did do failed không chưa")
	pronouns   = set("it this that they these those them nó này đó")
	noneOf     = set("none nothing neither nobody zero")
	negators   = set("no not never without nor zero 0 không khong chẳng chả đâu")
	numbers    = set("one two three four five six seven eight nine ten twenty fifty hundred một hai ba bốn năm sáu bảy tám chín mười")
	auxiliary  = set("was were is are could can did has have had do does failed timed will would không chưa bị đã khong chua")
	attributes = set("a an the this that her his its their your our my")
	nowWords   = set("now today this nay giờ moment right")
	statesNone = set("none no 0 zero không")
)

// A failure in the past is none any more where one of these stands before it.
var bygone = []string{"initially", "at first", "first attempt|try", "previously", "earlier", "formerly", "used to", "at the start|beginning", "yesterday", "last|past week|month|year|time", "once", "in the past", "had been",
	"ban đầu", "lúc đầu", "lần đầu", "trước đây", "trước đó", "hôm qua", "hồi trước", "đã từng", "lúc trước"}

// overcome tells that it works by now.
var overcome = []string{"now ~ work*|retrieved|loaded|available|succeed*|fine|back", "eventually ~ got|worked|succeeded|retrieved|loaded", "it ~ worked|works|succeeded", "retry|retries|retrying|second|attempt ~ worked|succeeded|retrieved|fixed|resolved|through",
	"resolved|solved|fixed|recovered", "works|worked now|fine|again|afterwards", "then|later|finally|eventually ~ succeeded|worked|got", "back online|up",
	"thử lại ~ thành công", "giờ ~ đã ~ được", "cuối cùng đã ~ được", "đã ~ khắc phục|ổn", "sau khi thử lại ~ được", "bây giờ"}

// untrue takes back what it introduces.
var untrue = []string{"not|never|no ~ true|case|correct|right|longer", "false|untrue|wrong|incorrect|myth that", "not that", "not to say", "according to", "would have|be|say|tell", "whenever", "in case", "should ~ ever",
	"không đúng", "không phải là", "sai khi", "trong trường hợp", "giả sử", "sẽ nói", "không phải"}

var (
	vocabularyIndex = indexCues(compileVocabulary())
	cues            = indexCues(compileLexicon())
	turns           = indexCues(slices.Concat(compileClass(bygone, isBygone), compileClass(overcome, isOvercome), compileClass(untrue, isUntrue)))
)

func compileLexicon() []cue {
	var all []cue
	for _, l := range lexicon {
		for line := range strings.Lines(l.patterns) {
			if pattern := strings.TrimSpace(line); pattern != "" {
				all = append(all, compile(pattern, l.topics, l.rule))
			}
		}
	}
	return all
}

func compileVocabulary() []cue {
	var all []cue
	for _, v := range vocabulary {
		var phrases []string
		for phrase := range strings.SplitSeq(v.words, ",") {
			if phrase = strings.TrimSpace(phrase); phrase != "" {
				phrases = append(phrases, phrase)
			}
		}
		all = append(all, compileClass(phrases, v.class)...)
	}
	return all
}

func compileClass(patterns []string, c class) []cue {
	all := make([]cue, len(patterns))
	for i, p := range patterns {
		all[i] = compile(p, 0, 0)
		all[i].class = c
	}
	return all
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
