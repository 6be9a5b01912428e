package fault

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"slices"
	"strings"
)

// A body that ends in the middle is no answer, whatever the status. Where the
// content type names a format that has an end, the end is looked for.

// brokenJSON reports whether a body that does not decode was meant to be JSON.
// Of a body that is too long to be decoded nobody knows.
func brokenJSON(contentType string, body []byte) bool {
	if len(body) > maxJSON {
		return false
	}
	if isJSONType(contentType) || isMediaType(contentType, "application/x-ndjson", "application/ndjson", "application/jsonl") {
		return true
	}
	if contentType != "" {
		return false
	}
	text := trimJSON(string(body))
	return (strings.HasPrefix(text, `{"`) || strings.HasPrefix(text, `[{"`)) && endsEarly(text)
}

// endsEarly reports whether a body stops in the middle of JSON.
func endsEarly(body string) bool {
	var v any
	return errors.Is(json.NewDecoder(strings.NewReader(body)).Decode(&v), io.ErrUnexpectedEOF)
}

// cutXML reports whether XML stops before its first element is closed.
func cutXML(contentType string, body []byte) bool {
	body = bytes.TrimSpace(body)
	declared := isMediaType(contentType, "application/xml", "text/xml") || strings.HasSuffix(mediaType(contentType), "+xml")
	if !declared && !(contentType == "" && bytes.HasPrefix(body, []byte("<?xml"))) {
		return false
	}
	if !bytes.HasSuffix(body, []byte(">")) {
		return true
	}
	name, closed := firstTag(string(body[:min(len(body), maxText)]))
	return name != "" && !closed && !bytes.Contains(body, []byte("</"+name))
}

// cutPage reports whether a page stops inside of a tag. Pages may leave out
// their end tags, so that alone proves nothing.
func cutPage(body []byte) bool {
	tail := body[max(0, len(body)-maxText):]
	open := bytes.LastIndexByte(tail, '<')
	if open < 0 || open+1 >= len(tail) || bytes.IndexByte(tail[open:], '>') >= 0 {
		return false
	}
	next := tail[open+1]
	return (next == '/' || next|0x20 >= 'a' && next|0x20 <= 'z') && !bytes.Contains(tail, []byte("</html"))
}

// cutTable reports whether a CSV stops inside of a row: every row has the same
// number of fields but the last, which has fewer and no line end.
func cutTable(contentType string, body []byte) bool {
	if !isMediaType(contentType, "text/csv", "application/csv") || len(body) > maxJSON || bytes.HasSuffix(body, []byte("\n")) {
		return false
	}
	if bytes.Count(body, []byte(`"`))%2 == 1 {
		return true
	}
	reader := csv.NewReader(bytes.NewReader(body))
	reader.FieldsPerRecord, reader.LazyQuotes = -1, true
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 3 || len(rows[0]) < 2 {
		return false
	}
	for _, row := range rows[:len(rows)-1] {
		if len(row) != len(rows[0]) {
			return false
		}
	}
	return len(rows[len(rows)-1]) < len(rows[0])
}

// mediaType returns the type of a Content-Type header without its parameters,
// in lower case.
func mediaType(contentType string) string {
	if contentType == "" {
		return ""
	}
	parsed, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		parsed, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	return strings.TrimSpace(parsed)
}

func isMediaType(contentType string, types ...string) bool {
	return contentType != "" && slices.Contains(types, mediaType(contentType))
}

func isJSONType(contentType string) bool {
	t := mediaType(contentType)
	return t == "application/json" || t == "text/json" || strings.HasSuffix(t, "+json")
}
