package redact

import "strings"

// charset is what a key of a known shape is made of, behind its prefix.
type charset uint8

const (
	opaque   charset = iota // has a part that is no word
	loose                   // has a digit; the prefix says the rest
	hexes                   // lower-case hexadecimal digits and nothing else
	capitals                // capitals and digits and nothing else
)

// shape is a prefix of keys that give themselves away, with the least length of
// the whole. Of the charsets that allow nothing else it is the only length.
type shape struct {
	prefix string
	least  int
	made   charset
}

// shapes come from the issuers' own documentation.
var shapes = []shape{
	{"sk-", 12, opaque}, {"sk_live_", 16, opaque}, {"sk_test_", 16, opaque}, {"rk_live_", 16, opaque}, {"rk_test_", 16, opaque},
	{"whsec_", 16, opaque}, {"ghp_", 16, opaque}, {"gho_", 16, opaque}, {"ghu_", 16, opaque}, {"ghs_", 16, opaque},
	{"ghr_", 16, opaque}, {"github_pat_", 20, opaque}, {"glpat-", 16, opaque}, {"glrt-", 16, opaque}, {"gldt-", 16, opaque},
	{"glptt-", 16, opaque}, {"xoxa-", 12, loose}, {"xoxb-", 12, loose}, {"xoxc-", 12, loose}, {"xoxd-", 12, opaque},
	{"xoxp-", 12, loose}, {"xoxr-", 12, loose}, {"xoxs-", 12, loose}, {"xoxe-", 12, loose}, {"xoxe.", 12, loose},
	{"xapp-", 12, loose}, {"AKIA", 20, capitals}, {"ASIA", 20, capitals}, {"AIza", 30, opaque}, {"ya29.", 16, loose},
	{"GOCSPX-", 16, opaque}, {"SG.", 20, opaque}, {"npm_", 20, opaque}, {"pypi-", 20, opaque}, {"hf_", 16, opaque},
	{"gsk_", 16, opaque}, {"dop_v1_", 20, opaque}, {"doo_v1_", 20, opaque}, {"shpat_", 16, opaque}, {"shpss_", 16, opaque},
	{"shpca_", 16, opaque}, {"shppa_", 16, opaque}, {"eyJ", 20, opaque}, {"SK", 34, hexes}, {"key-", 36, opaque},
	{"dapi", 36, hexes}, {"hvs.", 20, opaque}, {"hvb.", 20, opaque}, {"dp.pt.", 20, opaque}, {"dp.st.", 20, opaque},
	{"lin_api_", 20, opaque}, {"secret_", 28, opaque}, {"ntn_", 20, opaque}, {"sq0atp-", 20, opaque}, {"sq0csp-", 20, opaque},
	{"EAAA", 40, opaque}, {"EAAC", 30, opaque}, {"sbp_", 20, opaque}, {"HRKU-", 20, opaque}, {"AGE-SECRET-KEY-", 30, loose},
	{"tskey-", 16, opaque}, {"figd_", 20, opaque}, {"ATATT3", 24, opaque}, {"PMAK-", 20, opaque}, {"dckr_pat_", 16, opaque},
	{"nvapi-", 20, opaque}, {"xai-", 20, opaque}, {"pplx-", 20, opaque}, {"r8_", 20, opaque}, {"sntrys_", 20, opaque},
	{"1//0", 40, opaque}, {"1%2F%2F0", 44, opaque}, {"1%2f%2f0", 44, opaque}, {"glsoat-", 16, opaque}, {"glcbt-", 16, opaque}, {"glagent-", 16, opaque},
	{"glimt-", 16, opaque}, {"glft-", 16, opaque}, {"gloas-", 16, opaque}, {"glffct-", 16, opaque}, {"GR1348941", 24, opaque}, {"xwfp-", 12, loose},
	{"sk_org_", 16, opaque}, {"IQoJb3JpZ2luX2Vj", 40, opaque}, {"FwoGZXIvYXdz", 40, opaque}, {"FQoGZXIvYXdz", 40, opaque}, {"ABSK", 60, opaque},
	{"ABIA", 20, capitals}, {"ACCA", 20, capitals}, {"mfa.", 30, opaque}, {"cfut_", 24, opaque}, {"cfat_", 24, opaque}, {"cfk_", 24, opaque}, {"v1.0-", 40, opaque},
	{"glsa_", 24, opaque}, {"glc_", 32, opaque}, {"NRAK-", 20, opaque}, {"NRJS-", 20, opaque}, {"NRII-", 20, opaque}, {"pscale_", 24, opaque},
	{"pul-", 30, opaque}, {"dt0c01.", 24, opaque}, {"dt0s", 24, opaque}, {"sb_secret_", 20, opaque}, {"lsv2_", 24, opaque}, {"xkeysib-", 24, opaque},
	{"xsmtpsib-", 24, opaque}, {"ATCTT3", 24, opaque}, {"ATBB", 24, opaque}, {"sntryu_", 20, opaque}, {"CCIPAT_", 20, opaque}, {"CCIPRJ_", 20, opaque},
	{"nfp_", 20, opaque}, {"dckr_oat_", 16, opaque}, {"dor_v1_", 20, opaque}, {"sk.", 30, opaque}, {"re_", 20, opaque}, {"waka_", 20, opaque},
	{"EZAK", 40, opaque}, {"EZTK", 40, opaque},
	{"APA91b", 40, opaque}, {"FLWSECK-", 24, opaque}, {"AKCp", 50, opaque}, {"y0_", 30, opaque},
	{"shippo_", 24, opaque}, {"AQVN", 30, opaque}, {"dp.ct.", 20, opaque}, {"dp.sa.", 20, opaque}, {"napi_", 30, opaque}, {"rnd_", 24, opaque},
	{"CFPAT-", 20, opaque}, {"tfp_", 20, opaque}, {"rubygems_", 20, opaque}, {"sgp_", 20, opaque},
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
		if strings.HasPrefix(s, shape.prefix) {
			if n := shape.match(s); n > 0 {
				return n
			}
		}
	}
	return 0
}

func (sh shape) match(s string) int {
	n := len(sh.prefix)
	switch sh.made {
	case hexes, capitals:
		for n < len(s) && isName(s[n]) {
			c := s[n]
			if !isDigit(c) && (sh.made == hexes && (c < 'a' || c > 'f') || sh.made == capitals && (c < 'A' || c > 'Z')) {
				return 0
			}
			n++
		}
		if n != sh.least {
			return 0
		}
		return n
	}
	n = endOfKey(upTo(s, n), n)
	rest := s[len(sh.prefix):n]
	if n < sh.least || !hasOpaque(rest) && (sh.made == opaque || !strings.ContainsAny(rest, "0123456789")) {
		return 0
	}
	return endOfKey(s, n)
}

// endOfKey is where a key ends that may be written as in a URL.
func endOfKey(s string, n int) int {
	for n = endOfToken(s, n); n+2 < len(s) && s[n] == '%' && isHex(s[n+1]) && isHex(s[n+2]); {
		n = endOfToken(s, n+3)
	}
	return n
}

// hasOpaque reports whether a part of s, between its - _ and dots, is no word:
// it has letters and digits, changes its case again and again, or is long.
func hasOpaque(s string) bool {
	for len(s) > 0 {
		n := 0
		for n < len(s) && (isLetter(s[n]) || isDigit(s[n])) {
			n++
		}
		if n >= 6 {
			part := s[:n]
			letters, digits, turns := tally(part)
			if letters > 0 && digits > 0 && n >= 8 || turns >= 3 || n >= 16 && digits < n {
				return true
			}
		}
		s = s[min(n+1, len(s)):]
	}
	return false
}

// tally counts letters, digits, and how often a capital follows a small letter.
func tally(s string) (letters, digits, turns int) {
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
			if i > 0 && c < 'a' && s[i-1] >= 'a' && s[i-1] <= 'z' {
				turns++
			}
		}
	}
	return letters, digits, turns
}

// random reports whether a word has a run of at least 16 letters and digits
// with both in it: no word of prose, no date, no UUID, no name of a model.
func random(word string) bool {
	run, letters, digits := 0, 0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
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

// looksSecret reports whether a value that was given to a weak name is a secret.
func looksSecret(v string) bool {
	if v == "" {
		return false
	}
	if keyShape(v) > 0 || random(v) {
		return true
	}
	letters, digits, turns := tally(v)
	if len(v) >= 12 && strings.HasSuffix(v, "=") && letters > 0 && !strings.Contains(v, " ") {
		return true
	}
	return len(v) >= 8 && letters > 0 && (digits > 0 && turns > 0 || turns >= 3) && endOfToken(v, 0) == len(v)
}

// mixed reports whether v has letters and digits and is no short code.
func mixed(v string) bool {
	letters, digits, _ := tally(v)
	return len(v) >= 6 && letters > 0 && digits > 0
}

// botToken returns the length of a token of a chat's bot: an account's number, a
// colon and the secret, or three parts between dots. word is the first part.
func botToken(s string, word int) int {
	if word == len(s) {
		return 0
	}
	end := word + 1
	for end < len(s) && isName(s[end]) {
		end++
	}
	switch s[word] {
	case ':':
		number := strings.TrimPrefix(s[:word], "bot")
		if len(number) >= 8 && len(number) <= 12 && digits(number) && end-word > 30 && hasOpaque(s[word+1:end]) {
			return end
		}
	case '.':
		if word < 23 || word > 30 || end-word != 7 || end == len(s) || s[end] != '.' {
			return 0
		}
		last := end + 1
		for last < len(s) && isName(s[last]) {
			last++
		}
		if last-end > 27 && hasOpaque(s[:word]) {
			return last
		}
	}
	return 0
}

// crypts are the marks of hashed passwords.
var crypts = []string{"$2a$", "$2b$", "$2y$", "$apr1$", "$1$", "$5$", "$6$", "$y$", "$argon2", "$scrypt$", "$pbkdf2"}

// cryptHash returns the length of the hashed password that s starts with.
func cryptHash(s string) int {
	for _, mark := range crypts {
		if !strings.HasPrefix(s, mark) {
			continue
		}
		n := len(mark)
		for n < len(s) && (isName(s[n]) || strings.IndexByte("$./+=,", s[n]) >= 0) {
			n++
		}
		if n >= 24 {
			return n
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isName(b byte) bool { return isLetter(b) || isDigit(b) || b == '_' || b == '-' }

func lowerLetters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

func digits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// endOfToken is where a word ends that may be base64 or a JSON Web Token.
func endOfToken(s string, i int) int {
	for i < len(s) && (isName(s[i]) || strings.IndexByte(".+/=~", s[i]) >= 0) {
		i++
	}
	return i
}
