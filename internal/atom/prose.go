package atom

import "strings"

// ordinal is the end of a number that only orders a draft, whose digits are
// text[i:e]: the marker of a list, the number of a heading, the 3 of "Step 3".
// It is 0 where the number states something.
func ordinal(text string, i, e int) (end int) {
	if e-i > 3 {
		return 0
	}
	if e-i == 2 && strings.HasPrefix(text[i:], "24/7") {
		return e + len("/7")
	}
	lead, opens := lineBefore(text, i)
	lead = strings.Trim(lead, " \t*_>-(")
	switch {
	case !opens || strings.Trim(lead, "#") != "":
		return labelled(text, i, e)
	case e < len(text) && (text[e] == '.' || text[e] == ')') && moreOnLine(text, e+1):
		return e + 1
	case lead == "":
		return 0
	}
	return headingNumber(text, e)
}

// moreOnLine reports whether a space and something else stand at text[at].
func moreOnLine(text string, at int) bool {
	for at < len(text) && (text[at] == '*' || text[at] == '_') {
		at++
	}
	if at >= len(text) || text[at] != ' ' && text[at] != '\t' {
		return false
	}
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at < len(text) && text[at] != '\n' && text[at] != '\r'
}

// headingNumber is the end of the number of a heading whose first digits end at
// text[e]: "## 2.1 Results", "## 3: Results". A heading may count something, too:
// "## 12 open invoices".
func headingNumber(text string, e int) (end int) {
	end = e
	for end < len(text) && text[end] == '.' && digitAt(text, end+1) {
		end = digitsEnd(text, end+1)
	}
	if end < len(text) && text[end] == ':' {
		return end + 1
	}
	at := end + spaceAt(text, end)
	if at == end || at >= len(text) || end == e && !isUpper(text[at]) {
		return 0
	}
	return end
}

// labels are words that a number behind them makes the name of a part.
var labels = map[string]bool{
	"Step": true, "Section": true, "Chapter": true, "Part": true, "Phase": true, "Option": true, "Figure": true, "Table": true, "Question": true, "Appendix": true, "Method": true, "Approach": true,
	"Bước": true, "Phần": true, "Mục": true, "Chương": true, "Cách": true, "Bảng": true, "Schritt": true, "Étape": true, "Paso": true,
}

// labelled is where the number ends whose first digits are text[i:e], where it
// stands behind such a word, or is a version.
func labelled(text string, i, e int) (end int) {
	from, to := wordBack(text, i-spaceBefore(text, i), 0)
	if from == to || to == i {
		return 0
	}
	switch w := text[from:to]; {
	case w == "version" || w == "Version":
		dots := 0
		for e < len(text) && text[e] == '.' && digitAt(text, e+1) {
			e = digitsEnd(text, e+1)
			dots++
		}
		if dots > 1 { // 4.12.0 is the name of something
			return 0
		}
		return e
	case e-i <= 2 && isUpper(w[0]) && byteAt(text, emphasisEnd(text, e)) == ':' && !digitAt(text, e+1):
		return e // "Flight 2:", whatever the word, but not "At 14:30"
	case !labels[w] || e-i > 2 || e+1 < len(text) && (text[e] == '%' || text[e] == ',' && text[e+1] != ' '):
		return 0
	}
	return e
}

// unquoted is where to go on behind a fenced block of code or the mark of a
// footnote that begins at text[i], 0 where there is none.
func unquoted(text string, i int) (next int) {
	if text[i] == '[' {
		return footnote(text, i)
	}
	if !fenceAt(text, i) {
		return 0
	}
	for next = i + len(fence); ; next += len(fence) {
		n := strings.Index(text[next:], fence)
		if n < 0 {
			return 0 // what is never closed would hide the rest of the draft
		}
		if next += n; fenceAt(text, next) {
			return next + len(fence)
		}
	}
}

const fence = "```"

// fenceAt reports whether a line of a fence begins at text[at], perhaps behind
// spaces.
func fenceAt(text string, at int) bool {
	lead, opens := lineBefore(text, at)
	return opens && strings.HasPrefix(text[at:], fence) && strings.TrimLeft(lead, " ") == ""
}

// footnote is the end of a mark such as [1], [^2] or [1, 3] that begins at
// text[i]. Behind ":" or "=" it is a value.
func footnote(text string, i int) (end int) {
	before := strings.TrimRight(text[max(0, i-8):i], " ")
	if before == "" || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=") {
		return 0
	}
	end = i + 1
	if strings.HasPrefix(text[end:], "^") {
		end++
	}
	for digits := 0; end < len(text) && end-i < 16; end++ {
		switch c := text[end]; {
		case classes[c] == isDigit && digits < 2:
			digits++
		case c == ',' || c == ' ':
			digits = 0
		case c == ']' && end > i+1:
			return end + 1
		default:
			return 0
		}
	}
	return 0
}
