package atom

import (
	"strings"
	"unicode/utf8"
)

// nounWords is how many words behind a number are looked at for the one that is
// counted: two adjectives and the noun.
const nounWords = 3

// nounAfter finds the word that the number counts that ends at text[at]; one
// says that it counts a single thing. Of the next three words, as far as no
// punctuation and no function word comes between, it is
//
//   - the first plural: "12 open invoices were", "3 files deleted";
//   - in Vietnamese, which has no plural, the first two syllables, or the one
//     before a function word: "12 hóa đơn", "5 bài đã";
//   - the last word before the punctuation or the function word that ends the
//     group: "1 open invoice was"; where nothing ends it, the first.
//
// Only words in lower case count, except for plurals.
func nounAfter(text string, at int, one bool) [2]int {
	var spans [nounWords][2]int
	n, ended := 0, true
	marked := false // letters beyond ASCII
	at = emphasisEnd(text, at)
	for k := range nounWords {
		start := at + spaceAt(text, at)
		if k == 0 && start == at && at < len(text) && text[at] == '-' {
			start++
		}
		end := wordEnd(text, start)
		if start == at || end == start || stopWords.at(text[start:end]) || keyed(text, end) {
			break
		}
		if !one && plural(text[start:end]) {
			return [2]int{start, end}
		}
		at = end
		if n < k || isUpper(text[start]) {
			continue
		}
		for i := start; n < 2 && i < end; i++ {
			marked = marked || text[i] >= utf8.RuneSelf
		}
		spans[n] = [2]int{start, end}
		n++
		ended = at == len(text) || text[at] != ' '
	}
	switch {
	case n == 0:
		return [2]int{}
	case marked:
		return [2]int{spans[0][0], spans[min(n, 2)-1][1]}
	case n == nounWords && !ended:
		n = 1
	}
	if last := spans[n-1]; !notNoun(text[last[0]:last[1]]) {
		return last
	}
	return [2]int{}
}

// keyed reports whether the word that ends at text[at] is the name of what
// follows, not of what is before it: files: 12 errors: 5.
func keyed(text string, at int) bool {
	switch byteAt(text, at) {
	case '=':
		return true
	case ':':
		return digitAt(text, at+1+spaceAt(text, at+1))
	}
	return false
}

// notNoun reports whether a word ends like a participle or an adverb: in "order
// 50 shipped", nothing is counted.
func notNoun(w string) bool {
	return strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ly")
}

// plural reports whether a word looks like an English plural.
func plural(w string) bool {
	if irregular.at(w) {
		return true
	}
	n := len(w)
	if n < 3 || w[n-1] != 's' {
		return false
	}
	switch w[n-2] {
	case 's', 'u', 'i': // process, status, analysis
		return false
	}
	return true
}

// irregular are plurals without an "s".
var irregular = newVocab(map[string]bool{
	"people": true, "children": true, "men": true, "women": true, "data": true, "media": true, "criteria": true, "staff": true, "feet": true, "menus": true,
})

// stopWords end the group of words that a number counts.
var stopWords = func() *vocab[bool] {
	all := map[string]bool{}
	for _, w := range [...]string{
		"is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did", "will", "would", "can", "could", "may", "might", "must", "should", "this", "its", "his", "as", "us", "yes", "thus", "plus", "minus", "across", "times",
		"and", "or", "but", "nor", "so", "than", "then", "that", "which", "who", "whose", "where", "when", "while", "if", "because",
		"of", "in", "on", "at", "to", "from", "for", "with", "by", "per", "out", "over", "under", "about", "into", "between", "after", "before", "since", "until", "without", "within", "during",
		"the", "a", "an", "each", "every", "total", "more", "less", "most", "least", "not", "no", "ago", "later", "today", "yesterday",
		"đã", "chưa", "được", "trong", "và", "của", "cho", "là", "có", "không", "với", "từ", "đến", "tại", "bị", "hay", "hoặc", "vào", "này", "nữa", "đang", "sẽ", "do", "theo", "trên", "dưới", "sau", "trước", "còn", "mà", "thì", "nhưng",
	} {
		all[w] = true
	}
	return newVocab(all)
}()
