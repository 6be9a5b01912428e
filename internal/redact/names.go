package redact

import "strings"

// nameClass says what a word tells about what follows it.
type nameClass uint8

const (
	ordinary nameClass = iota
	weak               // a word of prose as well: its value must look like one
	strong             // whatever it is given is hidden
	header             // everything to the end of the line is hidden
	scheme             // of authentication: the next word is the secret
)

// classes of whole names, in lower case and without - and _.
var classes = map[string]nameClass{
	"authorization": header, "proxyauthorization": header, "cookie": header, "setcookie": header,
	"bearer": scheme, "basic": scheme, "negotiate": scheme, "digest": scheme,
	"key": weak, "token": weak, "auth": weak, "sig": weak, "sid": weak, "jwt": weak, "otp": weak, "session": weak,
	"pwd": strong, "pass": strong, "xapikey": strong, "sessionid": strong, "cookies": strong,
}

// parts make a name a secret's wherever they occur in it; so does "key" behind
// one of keyOwners.
var (
	parts     = []string{"secret", "passw", "passphrase", "credential", "signature", "authorization"}
	keyOwners = []string{"api", "access", "private", "account", "signing", "auth"}
)

// shortest of the parts: a shorter word has none of them in it.
const shortest = len("passw")

// nameKind classifies a word by its last bytes.
func nameKind(word string) nameClass {
	if len(word) < len("key") {
		return ordinary
	}
	var buf [longName]byte
	name := buf[:0]
	for i := max(0, len(word)-longName); i < len(word); i++ {
		switch c := word[i]; {
		case c == '-' || c == '_':
		case c >= 'A' && c <= 'Z':
			name = append(name, c+'a'-'A')
		default:
			name = append(name, c)
		}
	}
	if kind, ok := classes[string(name)]; ok {
		return kind
	}
	if len(name) < shortest {
		return ordinary
	}
	n := string(name)
	if before, _, found := strings.Cut(n, "key"); found && hasSuffix(before, keyOwners) ||
		strings.HasSuffix(n, "token") || strings.HasSuffix(n, "cookie") || strings.HasSuffix(n, "pwd") {
		return strong
	}
	for _, p := range parts {
		if strings.Contains(n, p) {
			return strong
		}
	}
	return ordinary
}

func hasSuffix(s string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// shape is a prefix of keys that give themselves away, with the least length of
// the whole.
type shape struct {
	prefix string
	least  int
}

// shapes come from the issuers' own documentation.
var shapes = []shape{
	{"sk-", 12}, {"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16}, {"rk_test_", 16}, {"whsec_", 16},
	{"ghp_", 16}, {"gho_", 16}, {"ghu_", 16}, {"ghs_", 16}, {"ghr_", 16}, {"github_pat_", 20}, {"glpat-", 16},
	{"xoxa-", 12}, {"xoxb-", 12}, {"xoxp-", 12}, {"xoxr-", 12}, {"xoxs-", 12}, {"xoxe", 12}, {"xapp-", 12},
	{"AKIA", 20}, {"ASIA", 20}, {"AIza", 30}, {"ya29.", 16}, {"SG.", 20}, {"npm_", 20}, {"pypi-", 20}, {"hf_", 16},
	{"gsk_", 16}, {"dop_v1_", 20}, {"shpat_", 16}, {"eyJ", 20},
}

// shapesOf holds the shapes by their first bytes, so that most words are passed
// over at once.
var shapesOf = func() (by [256][]shape) {
	for _, s := range shapes {
		by[s.prefix[0]] = append(by[s.prefix[0]], s)
	}
	return by
}()

// keyShape returns the length of the key that s starts with, 0 for none.
func keyShape(s string) int {
	for _, shape := range shapesOf[s[0]] {
		if !strings.HasPrefix(s, shape.prefix) {
			continue
		}
		if n := endOfToken(s, len(shape.prefix)); n >= shape.least {
			return n
		}
	}
	return 0
}

// random reports whether a word has a run of at least 16 letters and digits
// with both in it: no word of prose, no date, no UUID, no name of a model.
func random(word string) bool {
	run, letters, digits := 0, 0, 0
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
		case isName(c) && c != '-' && c != '_':
			letters++
		default:
			run, letters, digits = -1, 0, 0
		}
		run++
		if run >= 16 && letters > 0 && digits > 0 {
			return true
		}
	}
	return false
}
