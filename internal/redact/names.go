package redact

import (
	"bytes"
	"strings"
)

// nameClass says what a word tells about what follows it.
type nameClass uint8

const (
	ordinary nameClass = iota
	weak               // also the name of harmless things: only a value that looks like a secret is one
	token              // a word of prose as well: hidden where it is assigned, as in token=x and "token":"x"
	plural             // a count, or a list of secrets
	pin                // some digits behind it are a secret, even in prose
	strong             // whatever it is given is hidden, but for a complaint such as "required"
	password           // strong, and also announces a secret without a separator
	header             // everything to the end of the line is hidden
	scheme             // of authentication: the next word is the secret
)

// classes of whole names, in lower case and without - and _.
var classes = map[string]nameClass{
	"authorization": header, "proxyauthorization": header, "cookie": header, "setcookie": header,
	"bearer": scheme, "basic": scheme, "negotiate": scheme, "digest": scheme,
	"token": token, "jwt": token, "auth": token, "pass": token, "pw": token, "signature": token, "hmac": token,
	"sig": token, "sid": token, "session": token, "key": weak, "code": weak,
	"tokens": plural, "keys": plural, "signatures": plural, "secrets": plural, "cookies": plural, "passwords": plural,
	"otp": pin, "pin": pin, "cvv": pin, "cvc": pin, "totp": pin, "verificationcode": pin, "securitycode": pin,
	"pwd": strong, "xapikey": strong, "sessionid": strong, "xfunctionskey": strong, "codeverifier": strong,
	"clientassertion": strong, "assertion": strong, "passcode": strong, "kennwort": password, "senha": password,
}

// stem is a part that makes a name a secret's.
type stem struct {
	text  string
	class nameClass
	mask  uint32 // of its letters
}

var stems = withMasks([]stem{
	{text: "passw", class: password}, {text: "passphrase", class: password}, {text: "secret", class: strong},
	{text: "credential", class: strong}, {text: "authorization", class: strong}, {text: "passcode", class: strong},
	{text: "signature", class: token}, {text: "token", class: token}, {text: "key", class: weak},
	{text: "cookie", class: token}, {text: "pwd", class: token},
})

func withMasks(stems []stem) []stem {
	for i, s := range stems {
		for _, c := range []byte(s.text) {
			stems[i].mask |= 1 << (c & 31)
		}
	}
	return stems
}

// keyOwners make "key" behind them a secret; tokenOwners do so for "token" as a
// word of its own, where an adjective might stand as well.
var (
	keyOwners = []string{
		"api", "access", "private", "account", "signing", "auth", "secret", "encryption", "decryption", "ssh", "subscription",
		"function", "functions", "application", "app", "master", "shared", "client", "webhook", "hmac", "symmetric", "storage",
		"admin", "deploy", "consumer", "host", "service", "license", "root", "wrapping", "sas",
	}
	tokenOwners = []string{"access", "refresh", "bearer", "auth", "api", "session", "id", "bot", "csrf", "xsrf", "security", "oauth"}
)

// harmlessOwners stand before a key that finds something, or a token that counts
// or points to something.
var harmlessOwners = []string{
	"primary", "foreign", "partition", "sort", "row", "order", "duplicate", "unique", "cache", "public", "composite", "shard",
	"group", "join", "routing", "idempotency", "object", "range", "lookup", "index", "product", "item", "customer", "message",
	"record", "property", "column", "field", "map", "dictionary", "redis", "natural", "surrogate", "dedup", "deduplication",
	"page", "continuation", "next", "prev", "previous", "cursor", "sync", "max", "min", "total", "prompt", "completion", "input",
	"output", "cached", "reasoning", "stop", "special", "pad", "unexpected", "reserved", "cancellation", "num", "request",
}

// about are words behind a secret's name that make it the name of something
// about the secret.
var about = []string{
	"name", "names", "type", "count", "required", "policy", "version", "provider", "method", "time", "timeout", "expires", "expiry",
	"expiration", "expired", "url", "uri", "endpoint", "length", "limit", "size", "id", "ids", "arn", "status", "state", "kind",
	"format", "algorithm", "alg", "strength", "reset", "field", "header", "at", "enabled", "disabled", "valid", "file", "path",
	"manager", "service", "store", "ttl", "age", "rotation", "missing", "index", "scope", "scopes", "source", "ref", "usage", "used",
	"hint", "label", "position", "error", "errors", "changed", "updated", "created", "location", "role", "in", "invalid", "mount",
	"set", "present", "prefix", "mode", "min", "max", "rules", "retries", "attempts", "server", "less", "auth", "authentication", "match",
	"mismatch", "exception", "found", "failed", "failure",
}

// normal writes the end of a word in lower case and without what joins its
// parts, and tells which letters it has.
func normal(buf *[longName]byte, word string) (name []byte, mask uint32) {
	name = buf[:0]
	for i := max(0, len(word)-longName); i < len(word); i++ {
		c := word[i]
		switch {
		case c == '-' || c == '_' || c == ' ':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		name = append(name, c)
		mask |= 1 << (c & 31)
	}
	return name, mask
}

// nameKind classifies a word by its last bytes. phrase is the word with the one
// before it, "" where none stands close.
func nameKind(word, phrase string) nameClass {
	if len(word) < len("pw") {
		return ordinary
	}
	if endsInPass(word) {
		return strong
	}
	var buf [longName]byte
	name, mask := normal(&buf, word)
	if kind, ok := classes[string(name)]; ok {
		if phrase != "" && (kind == weak || kind == token || kind == plural) {
			return phraseKind(phrase, string(name), kind)
		}
		return kind
	}
	for _, st := range stems {
		if mask&st.mask != st.mask {
			continue
		}
		if at := bytes.LastIndex(name, []byte(st.text)); at >= 0 {
			if kind := stemKind(name[:at], st, name[at+len(st.text):]); kind != ordinary {
				return kind
			}
		}
	}
	return ordinary
}

// endsInPass tells DB_PASS and smtpPass from compass and bypass.
func endsInPass(word string) bool {
	before, ok := cutSuffixFold(word, "pass")
	if !ok {
		before, ok = cutSuffixFold(word, "pw")
	}
	if !ok || before == "" {
		return false
	}
	last := before[len(before)-1]
	return last == '_' || last == '-' || last >= 'a' && last <= 'z' && word[len(before)] == 'P'
}

func cutSuffixFold(s, suffix string) (before string, ok bool) {
	n := len(s) - len(suffix)
	if n < 0 || !strings.EqualFold(s[n:], suffix) {
		return s, false
	}
	return s[:n], true
}

// phraseKind lets the word before decide what kind of key or token it is.
func phraseKind(phrase, name string, kind nameClass) nameClass {
	var buf [longName]byte
	both, _ := normal(&buf, phrase)
	before := bytes.TrimSuffix(both, []byte(name))
	switch {
	case hasSuffix(before, harmlessOwners):
		return ordinary
	case name == "code" && hasSuffix(before, []string{"verification", "security", "onetime", "passcode"}):
		return pin
	case name == "key" && hasSuffix(before, keyOwners), name == "token" && hasSuffix(before, tokenOwners):
		return strong
	}
	return kind
}

// stemKind classifies a name that has a stem in it by what stands around it.
func stemKind(before []byte, st stem, after []byte) nameClass {
	if st.text == "passw" {
		after = bytes.TrimPrefix(bytes.TrimPrefix(after, []byte("ord")), []byte("ort"))
	}
	many := len(after) == 1 && after[0] == 's'
	switch st.text {
	case "key":
		switch {
		case hasSuffix(before, harmlessOwners):
			return ordinary
		case len(after) > 0 && !many && string(after) != "data" && string(after) != "value" && string(after) != "id":
			return ordinary // keyboard, keyspace
		case string(after) == "id":
			return weak
		case hasSuffix(before, keyOwners):
			return strong
		}
		return weak
	case "token", "cookie", "pwd":
		switch {
		case hasSuffix(before, harmlessOwners):
			return ordinary
		case many:
			return plural
		case len(after) > 0:
			return ordinary
		}
		return strong
	}
	switch {
	case len(after) == 0:
		if st.class == token && len(before) > 0 {
			return strong
		}
		return st.class
	case st.text == "secret" && bytes.HasPrefix(after, []byte("ar")), hasSuffix(after, []string{"algorithm", "alg"}):
		return ordinary // a secretary
	case hasSuffix(after, about):
		return weak
	case many && st.text != "credential":
		return plural
	}
	return max(st.class, strong)
}

func hasSuffix(s []byte, suffixes []string) bool {
	for _, suffix := range suffixes {
		if len(s) >= len(suffix) && string(s[len(s)-len(suffix):]) == suffix {
			return true
		}
	}
	return false
}

// foreign are names of passwords in other languages, in lower case.
var foreign = []string{
	"mật mã", "contraseña", "mot de passe", "hasło", "şifre", "пароль", "密码", "密碼", "パスワード", "비밀번호",
	"lösenord", "wachtwoord", "heslo", "parola", "κωδικός", "كلمة المرور", "identified by",
}

// foreignOf holds them by their first byte, of both cases.
var foreignOf = func() (by [256][]string) {
	for _, name := range foreign {
		upper := strings.ToUpper(name)
		by[name[0]] = append(by[name[0]], name)
		if upper[0] != name[0] {
			by[upper[0]] = append(by[upper[0]], name)
		}
	}
	return by
}()

// foreignName returns the length of the foreign name that s starts with.
func foreignName(s string) int {
	for _, name := range foreignOf[s[0]] {
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			return len(name)
		}
	}
	return 0
}
