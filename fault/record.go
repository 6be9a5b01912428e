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

// logLevels are how log lines begin.
var logLevels = map[string]bool{"ERROR": true, "WARN": true, "WARNING": true, "INFO": true, "DEBUG": true, "FATAL": true, "TRACE": true, "CRITICAL": true, "NOTICE": true, "PANIC": true}

// isLog reports whether most lines of a text begin with a level and not all
// with the same: it is a log that was asked for. "ERROR: …" in line after line
// is how one command complains.
func isLog(text string) bool {
	lines, leveled, first, mixed := 0, 0, "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		lines++
		level, rest, _ := strings.Cut(line, " ")
		level = strings.Trim(level, "[]")
		if !logLevels[level] || rest == "" {
			continue
		}
		leveled++
		mixed = mixed || first != "" && first != level
		first = level
	}
	return mixed && leveled*2 >= lines
}
