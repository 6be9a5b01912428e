package canonjson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxDiff  = 8  // fields named
	maxField = 64 // bytes of one name
)

// Diff names the fields in which two documents differ, as JSON pointers in
// ascending order: at most eight, each cut at 64 bytes, never a value. It
// returns nil where they are equal or where one is not JSON.
func Diff(a, b []byte) []string {
	left, err := leaves(a)
	if err != nil {
		return nil
	}
	right, err := leaves(b)
	if err != nil {
		return nil
	}
	var fields []string
	for p, v := range left {
		if w, ok := right[p]; !ok || v != w {
			fields = append(fields, p)
		}
	}
	for p := range right {
		if _, ok := left[p]; !ok {
			fields = append(fields, p)
		}
	}
	slices.Sort(fields)
	if len(fields) > maxDiff {
		fields = fields[:maxDiff]
	}
	for i, f := range fields {
		if len(f) > maxField {
			f = f[:maxField]
		}
		fields[i] = strings.ToValidUTF8(f, "")
	}
	return fields
}

// leaves maps the pointer of every scalar and empty container to its text.
func leaves(document []byte) (map[string]string, error) {
	canonical, err := Canonicalize(document)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	return found, collect(found, "", canonical)
}

func collect(into map[string]string, at string, v jsontext.Value) error {
	if s := string(v); s == "{}" || s == "[]" || (v.Kind() != '{' && v.Kind() != '[') {
		into[at] = s
		return nil
	}
	dec := jsontext.NewDecoder(strings.NewReader(string(v)))
	open, err := dec.ReadToken()
	if err != nil {
		return err
	}
	for i := 0; dec.PeekKind() != '}' && dec.PeekKind() != ']'; i++ {
		name := strconv.Itoa(i)
		if open.Kind() == '{' {
			tok, err := dec.ReadToken()
			if err != nil {
				return err
			}
			name = strings.NewReplacer("~", "~0", "/", "~1").Replace(tok.String())
		}
		member, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if err := collect(into, at+"/"+name, member); err != nil {
			return err
		}
	}
	return nil
}
