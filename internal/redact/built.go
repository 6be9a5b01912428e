package redact

import "strings"

// builtKey returns the length of a key that no prefix gives away but how it is
// built: Azure's abc8Q~…, Airtable's pat….…, Terraform's ….atlasv1.…, Mailchimp's
// …-us12, access_token$production$… of Braintree, and UUIDs behind the words of
// Plaid and HubSpot. word is its first part.
func builtKey(s string, word int) int {
	rest := s[word:]
	switch {
	case strings.HasPrefix(rest, "~") && word == 5 && s[4] == 'Q' && isDigit(s[3]):
		if n := endOfToken(s, 0); n >= 34 && hasOpaque(s[word+1:n]) {
			return n
		}
	case strings.HasPrefix(rest, ".atlasv1.") && word == 14:
		if n := endOfToken(s, 0); n >= 60 {
			return n
		}
	case strings.HasPrefix(rest, ".") && word == 17 && strings.HasPrefix(s, "pat"):
		if n := endOfHex(s, word+1); n == word+1+64 {
			return n
		}
	case strings.HasPrefix(rest, "$production$") && s[:word] == "access_token":
		n := word
		for n < len(s) && (isName(s[n]) || s[n] == '$') {
			n++
		}
		return n
	case word > 35 && word < 39 && strings.HasPrefix(s[32:], "-us") && digits(s[35:word]) && endOfHex(s, 0) == 32:
		return word
	case word > 40 && (s[0] == 'a' || s[0] == 'p') && owners[s[:word-36]] && isUUID(s[word-36:word]):
		return word
	}
	return 0
}

var owners = words(`access-production- access-development- access-sandbox- pat-na1- pat-eu1- pat-na2-`)

func isUUID(s string) bool {
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func endOfHex(s string, i int) int {
	for i < len(s) && isHex(s[i]) {
		i++
	}
	return i
}
