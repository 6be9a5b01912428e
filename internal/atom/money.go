package atom

import (
	"sort"
	"strings"
)

// currencyCodes are the codes of ISO 4217 in use, in order, without those for
// metals, funds and tests.
const currencyCodes = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG"

// symbols are ways of writing a currency that leave open which one it is: the
// codes that each can stand for. A symbol of one code is that currency.
var symbols = []struct {
	name  string
	codes string
	forms string // before or after the figure
	after string // words, behind the figure only
}{
	{"$", "USD CAD AUD NZD SGD HKD TWD MXN ARS CLP COP UYU BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD", "$", "dollar|dollars|đô la|đô|đô-la|bucks"},
	{"£", "GBP EGP FKP GIP LBP SDG SHP SSP SYP", "£", ""},
	{"¥", "JPY CNY", "¥|￥", ""},
	{"kr", "SEK NOK DKK ISK", "kr|kr.", "kronor|kroner|krona|krone"},
	{"Rs", "INR PKR LKR NPR MUR SCR", "Rs|Rs.", "rupee|rupees|rupi"},
	{"peso", "MXN ARS CLP COP CUP DOP PHP UYU", "", "peso|pesos"},
	{"franc", "CHF XAF XOF XPF BIF CDF DJF GNF KMF RWF", "Fr.|fr.", "franc|francs|Franken"},
	{"EUR", "EUR", "€", "euro|euros|Euros"},
	{"USD", "USD", "US$|U.S.$", "US dollar|US dollars|đô la Mỹ|USD$"},
	{"GBP", "GBP", "GB£", "sterling|bảng Anh"},
	{"JPY", "JPY", "JP¥", "yen|yên"},
	{"CNY", "CNY", "CN¥|元", "yuan|RMB|rmb|nhân dân tệ|renminbi"},
	{"INR", "INR", "₹", "rúp"},
	{"VND", "VND", "₫|đ", "đồng|dong|VNĐ|vnđ|đồng Việt Nam"},
	{"KRW", "KRW", "₩", ""},
	{"THB", "THB", "฿", "baht|bạt"},
	{"RUB", "RUB", "₽", "rouble|roubles|ruble|rubles"},
	{"TRY", "TRY", "₺", "lira"},
	{"UAH", "UAH", "₴", "hryvnia"},
	{"ILS", "ILS", "₪", "shekel|shekels"},
	{"PHP", "PHP", "₱", ""},
	{"NGN", "NGN", "₦", "naira"},
	{"PLN", "PLN", "zł", "zloty|złoty|zlotys"},
	{"CZK", "CZK", "Kč", "koruna"},
	{"BRL", "BRL", "R$", "reais"},
	{"CAD", "CAD", "CA$|C$|Can$", ""},
	{"AUD", "AUD", "AU$|A$", ""},
	{"NZD", "NZD", "NZ$", ""},
	{"SGD", "SGD", "SG$|S$", ""},
	{"HKD", "HKD", "HK$", ""},
	{"TWD", "TWD", "NT$", ""},
	{"MXN", "MXN", "MX$|Mex$", ""},
	{"ZAR", "ZAR", "", "rand"},
	{"CHF", "CHF", "SFr.|sFr.", "Swiss francs"},
}

// commonWords are codes that stand before a figure as words of a heading, too:
// "TOP 10", "ALL 12", "TRY 3". They count only behind one.
const commonWords = "ALL TOP TRY MAD PEN CUP SOS COP GEL MOP RON ANG"

// lowerCodes are the codes that also count in lower case; the others are words
// or the names of other things too often.
const lowerCodes = "usd eur gbp jpy cny inr chf cad aud nzd sgd hkd vnd krw thb brl mxn nok dkk pln czk huf idr myr twd"

// Units of money: the codes, then the symbols, then cents, which are the
// hundredth of whatever currency the text is about, and the whole of it.
const (
	firstCode   Unit = 1 << 8
	firstSymbol Unit = 1 << 9
	cents       Unit = 1 << 10
	anyMoney    Unit = 1<<10 + 1
)

// moneyName is the code or symbol of a unit of money.
func moneyName(u Unit) string {
	switch i := int(u - firstCode); {
	case u == cents:
		return "¢"
	case u == anyMoney:
		return "¤"
	case u >= firstSymbol && int(u-firstSymbol) < len(symbols):
		return symbols[u-firstSymbol].name
	case u < firstSymbol && 4*i+3 <= len(currencyCodes):
		return currencyCodes[4*i : 4*i+3]
	}
	return ""
}

// moneyCode is the unit of a code of three capitals, 0 where it is none.
func moneyCode(code string) Unit {
	if len(code) != 3 {
		return 0
	}
	i, found := sort.Find((len(currencyCodes)+1)/4, func(i int) int {
		return strings.Compare(code, currencyCodes[4*i:4*i+3])
	})
	if !found {
		return 0
	}
	return firstCode + Unit(i)
}

// sameMoney reports whether two units of money can be one currency.
func sameMoney(u, v Unit) bool {
	if u == v || u >= cents || v >= cents {
		return true
	}
	us, vs := canBe(u), canBe(v)
	for ; len(us) >= 3; us = us[min(4, len(us)):] {
		if strings.Contains(vs, us[:3]) {
			return true
		}
	}
	return false
}

// canBe lists the codes that a unit of money can stand for.
func canBe(u Unit) string {
	if u >= firstSymbol && int(u-firstSymbol) < len(symbols) {
		return symbols[u-firstSymbol].codes
	}
	return moneyName(u)
}

// symbolUnit is the unit of a symbol: its currency, where it has one.
func symbolUnit(i int) Unit {
	if u := moneyCode(symbols[i].codes); u != 0 {
		return u
	}
	return firstSymbol + Unit(i)
}
