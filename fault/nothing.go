package fault

import "strings"

// saysEmpty reports whether a text says in words that nothing was found, which
// is an answer: "No results found.", "0 matches".
func saysEmpty(text string) bool {
	if len(text) > 200 || !countsLike(text) {
		return false
	}
	words := split(strings.ToLower(text))
	if len(words) < 2 || len(words) > 24 {
		return false
	}
	switch words[0].text {
	case "no":
		return emptyNouns[words[1].text] || len(words) > 2 && emptyNouns[words[2].text] && !isSecretWord(words[1].text)
	case "0", "zero":
		return emptyNouns[words[1].text]
	case "found":
		return words[1].text == "0" || words[1].text == "no" || words[1].text == "nothing"
	case "nothing":
		return words[1].text == "found" || words[1].text == "matched"
	case "không", "khong":
		return saysEmptyInVietnamese(words[1:])
	}
	return false
}

// saysEmptyInVietnamese reports whether what follows "không" says that a search
// found nothing: "Không tìm thấy kết quả", "Không có chuyến nào phù hợp". A thing
// that was asked for by its name and is not there is no such answer.
func saysEmptyInVietnamese(words []word) bool {
	switch words[0].text {
	case "có", "co", "còn", "con", "tìm", "tim", "thấy", "thay":
	default:
		return false
	}
	for i, w := range words[1:] {
		switch w.text {
		case "nào", "nao", "gì":
			return true
		case "phù", "kết", "dữ", "bản", "mục", "phu", "ket", "du", "ban", "muc":
			if i+2 < len(words) {
				switch unmark(words[i+2].text) {
				case "hop", "qua", "lieu", "ghi":
					return true
				}
			}
		}
	}
	return false
}

// countsLike reports whether a text begins with the letter of a word that a
// count of nothing begins with, without cutting it into words.
func countsLike(text string) bool {
	for i := 0; i < len(text); i++ {
		if isWordByte(text[i]) {
			return strings.IndexByte("nNfFzZ0kK", text[i]) >= 0
		}
	}
	return false
}

// saysNothing reports whether a message says, in any order of its words, that
// there are no results: "Google hasn't returned any results for this query."
func saysNothing(message string) bool {
	if saysEmpty(message) {
		return true
	}
	words := split(fold(message))
	if len(words) > 24 {
		return false
	}
	for i, w := range words {
		switch w.text {
		case "no", "0", "zero", "any":
		default:
			continue
		}
		if w.text == "any" && !denies(words[:i]) {
			continue
		}
		for _, noun := range words[i+1 : min(len(words), i+3)] {
			if emptyNouns[noun.text] {
				return true
			}
		}
	}
	return false
}

// denies reports whether a sentence says that something is not so.
func denies(words []word) bool {
	for _, w := range words {
		switch w.text {
		case "no", "not", "failed", "without", "never", "none", "nothing", "cant", "couldnt", "didnt", "doesnt", "hasnt", "havent", "isnt", "wasnt", "wont", "werent", "không", "chưa":
			return true
		}
	}
	return false
}

func isSecretWord(w string) bool { return w == "api" || w == "access" || w == "auth" || w == "valid" }

var emptyNouns = map[string]bool{
	"results": true, "result": true, "matches": true, "match": true, "matching": true, "files": true, "items": true, "records": true, "rows": true, "entries": true, "data": true, "documents": true, "messages": true,
	"issues": true, "events": true, "changes": true, "differences": true, "hits": true, "errors": true, "warnings": true, "flights": true, "users": true, "tasks": true, "emails": true, "memories": true, "notes": true, "products": true,
	"orders": true, "pages": true, "articles": true, "comments": true, "invoices": true, "customers": true, "tickets": true, "relevant": true, "output": true, "nodes": true, "entities": true, "alerts": true, "problems": true, "repositories": true,
}
