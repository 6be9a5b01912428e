package fault

import "strings"

// isRecordText reports whether a text is a record in lines of "Name: value", as
// search and browser tools print: what a title or a description there says is
// about what was found.
func isRecordText(text string) bool {
	named := 0
	for line := range strings.Lines(text) {
		name, _ := recordField(line)
		switch strings.ToLower(name) {
		case "title", "description", "url", "name", "link", "subject", "summary", "address", "author", "snippet", "source", "published":
			if named++; named == 2 {
				return true
			}
		case "error", "err", "exception", "message", "status", "code":
			return false
		}
	}
	return false
}

// recordField cuts a line of a record into its name and value.
func recordField(line string) (name, value string) {
	name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
	if !ok || len(name) > 20 {
		return "", ""
	}
	return name, strings.TrimSpace(value)
}

// pageOfRecord judges the record of one page that a browser was sent to: its
// title is the page's own, and "Error 404" there means that it did not load.
func pageOfRecord(text string) (*finding, bool) {
	if !strings.HasPrefix(text, "Address: ") && !strings.HasPrefix(text, "URL: ") {
		return nil, false
	}
	title, titles := "", 0
	for line := range strings.Lines(text) {
		if name, value := recordField(line); strings.EqualFold(name, "title") {
			title, titles = strings.ToLower(value), titles+1
		}
	}
	if titles != 1 || !namesStatus(title) && !isErrorTitle(title) {
		return nil, false
	}
	f := &finding{shape: "error page", bare: saysItFailed}
	f.text(title)
	return f, true
}
