package atom

import "strings"

const (
	ibanMin, ibanMax = 15, 34
	ibanGroup        = 4
)

// ibanLengths is the registry of ISO 13616: country and number of characters.
const ibanLengths = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27" +
	"GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20" +
	"MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29" +
	"VA22VG24XK20YE30"

// scanIBAN reads the number of a bank account that begins at text[at]: in one
// piece, or in groups with a space or a hyphen between them. One whose check digits
// are wrong is one too, if it is in capitals and has the length and the groups of
// its country: an answer may have made it up.
func scanIBAN(text string, at int, a *Atom) (end int) {
	if !isLetter(byteAt(text, at)) || !isLetter(byteAt(text, at+1)) || !digitAt(text, at+2) || !digitAt(text, at+3) {
		return 0
	}
	want, known := ibanLength(text[at : at+2])
	n, rest, group := 0, 0, 0
	even, capitals := true, true // groups of four
	for end = at; n < want; {
		c := byteAt(text, end)
		if !isAlnum(c) {
			gap := spaceAt(text, end) + dash(text, end) // never both
			if gap == 0 || group == 0 {
				break
			}
			even = even && group == ibanGroup
			group = 0
			end += gap
			continue
		}
		if isLetter(c) && !isUpper(c) {
			capitals = false
		}
		if n >= 4 {
			rest = mod97(rest, c)
		}
		n++
		group++
		end++
	}
	if n < ibanMin || known && n != want || group == 0 || !endsWord(text, end) {
		return 0
	}
	for i := at; i < at+4; i++ { // the country and the check digits go to the end
		rest = mod97(rest, text[i])
	}
	if rest != 1 && (!known || !capitals || !even) {
		return 0
	}
	*a = Atom{Kind: IBAN, Start: at, End: end, Seconds: -1, Hash: hashCode(text[at:end])}
	return end
}

// ibanLength is the length of the numbers of a country. One that is not in the
// registry has the longest.
func ibanLength(country string) (n int, known bool) {
	for i := 0; i < len(ibanLengths); i += 4 {
		if strings.EqualFold(ibanLengths[i:i+2], country) {
			return int(ibanLengths[i+2]-'0')*10 + int(ibanLengths[i+3]-'0'), true
		}
	}
	return ibanMax, false
}

// mod97 adds a character to the remainder of ISO 7064: a letter is two digits.
func mod97(rest int, c byte) int {
	if digit(c) {
		return (rest*10 + int(c-'0')) % 97
	}
	return (rest*100 + int(lower(c)-'a') + 10) % 97
}
