package fault

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxWaitScan bounds how much of a body is read for a wait: services say it at
// the top, and a body may be megabytes.
const maxWaitScan = 16 << 10

// bodyWait reads a wait out of a body of any format, whole or cut: fields by
// their name, wherever they are nested, else words. Of several of one sort it
// takes the longest.
func bodyWait(body []byte, now time.Time) span {
	text := string(body[:min(len(body), maxWaitScan)])
	var field, words span
	for i := 0; i < len(text); {
		if !isWord(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && isWord(text[end]) {
			end++
		}
		switch text[i] | 0x20 {
		case 'r', 'q', 'x', 'w', 'b', 'a', 'n': // first letters of everything looked for
			word, rest := text[i:end], text[end:]
			field.longest(fieldWait(word, rest, now))
			words.longest(wordsWait(word, rest, now))
		}
		i = end
	}
	if field.ok {
		return field
	}
	return words
}

// fieldWait reads "name: value" where the name is one of a wait. Names are
// compared without case, "_" and "-"; quotes and escapes around both parts do
// not matter, and neither does the nested form "retry_delay { seconds: 56 }".
func fieldWait(name, rest string, now time.Time) span {
	unit, moment, ok := waitField(name)
	if !ok {
		return span{}
	}
	value := trimPunctuation(rest)
	if !strings.ContainsAny(rest[:len(rest)-len(value)], ":={") {
		return span{}
	}
	if after, found := strings.CutPrefix(value, "seconds"); found {
		value = trimPunctuation(after)
	}
	if moment {
		if n, after, ok := decimal(value); ok && !strings.HasPrefix(after, "-") {
			return epochOrDelta(n, now)
		}
	}
	return spoken(value, unit, now)
}

// trimPunctuation skips what stands between a name and its value, escaped line
// ends of a text inside JSON included.
func trimPunctuation(v string) string {
	for {
		v = strings.TrimLeft(v, " \t\r\n\"':={")
		if len(v) < 2 || v[0] != '\\' {
			return v
		}
		if v[1] == 'n' || v[1] == 'r' || v[1] == 't' {
			v = v[1:]
		}
		v = v[1:]
	}
}

// waitField says what a field of that name holds: a number of units, or a
// moment.
func waitField(name string) (unit time.Duration, moment, ok bool) {
	var buf [32]byte
	folded := buf[:0]
	for i := 0; i < len(name); i++ {
		if c := name[i]; c != '_' && c != '-' {
			if len(folded) == len(buf) {
				return 0, false, false
			}
			folded = append(folded, lower(c))
		}
	}
	folded = bytes.TrimPrefix(folded, []byte("x"))
	folded = bytes.TrimPrefix(folded, []byte("quota"))
	folded = bytes.TrimPrefix(folded, []byte("ratelimit"))
	switch string(folded) {
	case "resetat", "resetsat", "retryat", "nextretryat", "resettime", "resettimestamp":
		return time.Second, true, true
	case "reset":
		// Alone the word names many things; behind "ratelimit" only one.
		return time.Second, true, len(name) > len("x-reset")
	}
	for _, stem := range [...]string{
		"retryafter", "retrydelay", "retryin", "resetsin", "resetin", "resetafter", "resetdelay", "waittime", "wait", "backoff",
	} {
		suffix, found := bytes.CutPrefix(folded, []byte(stem))
		if !found {
			continue
		}
		general := stem == "wait" || stem == "waittime" || stem == "backoff"
		if len(suffix) == 0 {
			return time.Second, false, !general
		}
		if unit := unitOf(string(suffix)); unit != 0 {
			return unit, false, true
		}
	}
	return 0, false, false
}

// wordsWait reads a wait behind a word that announces one: "retry in 5s",
// "retry your request after 30 seconds", "again in 2 minutes", "reset at
// 2026-05-15T15:00:00Z", "wait for 3 s", "available in 56 seconds".
func wordsWait(word, rest string, now time.Time) span {
	between := 0 // words that may stand between the announcement and "in"
	switch {
	case strings.EqualFold(word, "retry"):
		between = 3
	case strings.EqualFold(word, "again"), strings.EqualFold(word, "reset"), strings.EqualFold(word, "resets"),
		strings.EqualFold(word, "wait"), strings.EqualFold(word, "available"):
	default:
		return span{}
	}
	linked := strings.EqualFold(word, "wait") // "wait 30 seconds" needs no "in"
	for range 6 {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return span{}
		}
		if c := rest[0]; '0' <= c && c <= '9' {
			if !linked {
				return span{}
			}
			return spokenWithUnit(rest, now)
		}
		n := 0
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
		switch next := rest[:n]; {
		case next == "":
			if rest[0] != ':' {
				return span{} // a sentence has ended
			}
			n = 1
		case isLink(next):
			linked = true
		case linked:
			if !isFiller(next) {
				return span{}
			}
		case between == 0:
			return span{}
		default:
			between--
		}
		rest = rest[n:]
	}
	return span{}
}

func isLink(w string) bool {
	switch strings.ToLower(w) {
	case "in", "after", "at", "for", "until", "on":
		return true
	}
	return false
}

func isFiller(w string) bool {
	switch strings.ToLower(w) {
	case "about", "approximately", "another", "least", "around", "a", "minimum", "of":
		return true
	}
	return false
}

// spokenWithUnit reads a wait in prose: a number there counts as seconds only
// where nothing is counted by it ("retry after 3 attempts").
func spokenWithUnit(v string, now time.Time) span {
	if _, rest, ok := decimal(v); ok && !looksLikeDate(v) {
		if s, _ := duration(v); s.ok {
			return s
		}
		if rest != "" && strings.IndexByte(".,;)\"'}]\r\n\\!", rest[0]) < 0 {
			return span{}
		}
	}
	return spoken(v, time.Second, now)
}

// spoken reads the wait that v begins with: a duration, a number of units, or
// a date with its zone.
func spoken(v string, unit time.Duration, now time.Time) span {
	if looksLikeDate(v) {
		if end := strings.IndexAny(v, " \t\r\n\"',;()\\}]"); end >= 0 {
			v = v[:end]
		}
		return dateText(strings.TrimSuffix(v, "."), now)
	}
	if s, _ := duration(v); s.ok {
		return s
	}
	n, rest, ok := decimal(v)
	if !ok || rest != "" && (rest[0] == ':' || rest[0] == '-' || rest[0] == '%') {
		return span{} // a clock time, a range, a share
	}
	return spanOf(n, unit)
}

func looksLikeDate(v string) bool { return len(v) > 10 && v[4] == '-' && v[7] == '-' }

// duration reads parts such as "6m0s", "6hr 29min", "1 hour and 5 minutes"; it
// returns what is left behind them.
func duration(v string) (span, string) {
	var total float64
	found := false
	for {
		part := strings.TrimLeft(v, " ")
		if found {
			part = strings.TrimLeft(strings.TrimPrefix(part, "and "), " ,")
		}
		n, rest, ok := decimal(part)
		if !ok {
			break
		}
		rest = strings.TrimLeft(rest, " ")
		end := 0
		for end < len(rest) && (lower(rest[end]) >= 'a' && lower(rest[end]) <= 'z') {
			end++
		}
		unit := unitOf(rest[:end])
		if unit == 0 {
			break
		}
		total += n * float64(unit)
		found, v = true, rest[end:]
	}
	if !found {
		return span{}, v
	}
	return spanOf(total, 1), v
}

// unitOf knows the units that services write; 0 for any other word.
func unitOf(w string) time.Duration {
	switch strings.ToLower(w) {
	case "ms", "msec", "msecs", "milli", "millis", "millisecond", "milliseconds":
		return time.Millisecond
	case "s", "sec", "secs", "second", "seconds":
		return time.Second
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour
	case "d", "day", "days":
		return 24 * time.Hour
	}
	return 0
}

// decimal reads the decimal number that v begins with. Signs, "Inf" and "NaN",
// which the standard library would take, are not numbers of seconds.
func decimal(v string) (n float64, rest string, ok bool) {
	end := digits(v, 0)
	if end == 0 {
		return 0, v, false
	}
	if end+1 < len(v) && v[end] == '.' && digits(v, end+1) > end+1 {
		end = digits(v, end+1)
	}
	if end+1 < len(v) && v[end]|0x20 == 'e' {
		exp := end + 1
		if exp+1 < len(v) && (v[exp] == '+' || v[exp] == '-') {
			exp++
		}
		if last := digits(v, exp); last > exp {
			end = last
		}
	}
	n, err := strconv.ParseFloat(v[:end], 64)
	if err != nil {
		n = math.MaxFloat64 // out of range: clamped by whoever converts it
	}
	return n, v[end:], true
}

func digits(v string, from int) int {
	for from < len(v) && '0' <= v[from] && v[from] <= '9' {
		from++
	}
	return from
}

func isWord(c byte) bool {
	return lower(c) >= 'a' && lower(c) <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
