package fault

import (
	"strings"
	"unicode/utf8"
)

// Many systems, and people in a hurry, write Vietnamese and other languages in
// Latin letters without their marks: "Số dư không đủ" is also "so du khong du",
// and as a name "so_du_khong_du".

// markedLetters are the letters that stand for each plain one.
var markedLetters = map[byte]string{
	'a': "àáảãạăằắẳẵặâầấẩẫậäåā", 'd': "đð", 'e': "èéẻẽẹêềếểễệëēę", 'i': "ìíỉĩịîïī", 'o': "òóỏõọôồốổỗộơờớởỡợöøō",
	'u': "ùúủũụưừứửữựûüū", 'y': "ỳýỷỹỵÿ", 'c': "çćč", 'n': "ñńň", 's': "śš", 'z': "źżž", 'l': "ł", 'r': "ř", 't': "ť", 'g': "ğ",
}

var plainLetters = buildPlainLetters()

func buildPlainLetters() map[rune]byte {
	index := make(map[rune]byte, 160)
	for plain, letters := range markedLetters {
		for _, r := range letters {
			index[r] = plain
		}
	}
	return index
}

// unmark writes the letters of a folded text without their marks, also where
// the marks stand by themselves. ASCII stays as it is, and so do scripts in
// which a mark is no ornament.
func unmark(s string) string {
	from := strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
	if from < 0 {
		return s
	}
	out := make([]byte, from, len(s))
	copy(out, s)
	for _, r := range s[from:] {
		if plain, ok := plainLetters[r]; ok {
			out = append(out, plain)
		} else if r < 0x300 || r > 0x36F { // combining marks
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// isVietnamese reports whether a text has a letter that only Vietnamese has.
func isVietnamese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x1EA0 && r <= 0x1EF9 || r == 'ơ' || r == 'Ơ' || r == 'ư' || r == 'Ư' || r == 'đ' || r == 'Đ'
	})
}
