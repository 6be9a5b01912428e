package redact

import "strings"

// builtKey returns the length of a key that no prefix gives away but how it is
// built: Azure's abc8Q~…, Airtable's pat….…, Terraform's ….atlasv1.…, Mailchimp's
// …-us12, and access_token$production$… of Braintree. word is its first part.
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
	}
	return 0
}

func endOfHex(s string, i int) int {
	for i < len(s) && isHex(s[i]) {
		i++
	}
	return i
}
