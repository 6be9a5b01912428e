package transcript

import (
	"hash/maphash"
	"strconv"
	"strings"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// text returns a text, or "".
func text(v rawjson.Value) string {
	s, _ := v.Text()
	return s
}

// identity returns an id, which may be a text or a number. A very long one is
// shortened so that it stays one of its own.
func identity(v rawjson.Value) string {
	id := text(v)
	if v.Kind() == rawjson.Number {
		id = string(v)
	}
	if len(id) <= maxID {
		return id
	}
	return strings.ToValidUTF8(id[:maxID/2], "") + "…" + strconv.FormatUint(maphash.String(seed, id), 36)
}

// maxID bounds an id.
const maxID = 256

// rawText returns a text as it is and anything else as JSON; null is "".
func rawText(v rawjson.Value) string {
	switch v.Kind() {
	case rawjson.String:
		return text(v)
	case rawjson.None, rawjson.Null:
		return ""
	}
	return string(v)
}

// first returns the first value that is there.
func first(values ...rawjson.Value) rawjson.Value {
	for _, v := range values {
		if v.Present() {
			return v
		}
	}
	return nil
}

var (
	yes = true
	no  = false
)

// flag returns a boolean that may be missing.
func flag(v rawjson.Value) *bool {
	switch is, ok := v.Bool(); {
	case !ok:
		return nil
	case is:
		return &yes
	}
	return &no
}

// number returns a whole number that may be missing.
func number(v rawjson.Value) *int {
	n, ok := v.Int()
	if !ok {
		return nil
	}
	i := int(n)
	return &i
}

// moment reads a time: RFC 3339, with or without a zone (then UTC), or seconds,
// milliseconds, microseconds or nanoseconds since 1970. The zero time is none.
func moment(v rawjson.Value) time.Time {
	if f, ok := v.Float(); ok {
		for f > 1e11 { // seconds beyond the year 5000
			f /= 1000
		}
		if f < 1e8 {
			return time.Time{} // a counter, or a duration
		}
		return time.UnixMicro(int64(f * 1e6)).UTC()
	}
	s := text(v)
	if len(s) < len(time.DateOnly) || len(s) > 40 {
		return time.Time{}
	}
	s = strings.Replace(s, " ", "T", 1)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
