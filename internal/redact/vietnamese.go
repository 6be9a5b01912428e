package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letter is one of Vietnamese, in lower case: shape tells ă and â from a, tone
// is one of five.
type letter struct {
	base        rune
	shape, tone byte
}

// vowels by their tones: none, grave, hook, tilde, acute, dot. The shape is
// that of the row.
var vowels = []struct {
	base  rune
	shape byte
	tones string
}{
	{'a', 0, "aàảãáạ"}, {'a', breve, "ăằẳẵắặ"}, {'a', circumflex, "âầẩẫấậ"}, {'e', 0, "eèẻẽéẹ"}, {'e', circumflex, "êềểễếệ"}, {'i', 0, "iìỉĩíị"},
	{'o', 0, "oòỏõóọ"}, {'o', circumflex, "ôồổỗốộ"}, {'o', horn, "ơờởỡớợ"}, {'u', 0, "uùủũúụ"}, {'u', horn, "ưừửữứự"}, {'y', 0, "yỳỷỹýỵ"},
}

const (
	breve = iota + 1
	circumflex
	horn
	stroke // of đ
)

var letters = func() map[rune]letter {
	all := map[rune]letter{'đ': {'d', stroke, 0}}
	for _, row := range vowels {
		for tone, r := range []rune(row.tones) {
			all[r] = letter{row.base, row.shape, byte(tone)}
		}
	}
	return all
}()

// readLetter reads a letter, also one whose marks are runes of their own.
func readLetter(s string) (l letter, size int) {
	r, size := utf8.DecodeRuneInString(s)
	l, known := letter{}, false
	if r = unicode.ToLower(r); r > 0x7f {
		l, known = letters[r]
	}
	if !known {
		l.base = r
	}
	for size < len(s) && s[size] >= 0xcc {
		mark, n := utf8.DecodeRuneInString(s[size:])
		switch mark {
		case 0x306:
			l.shape = breve
		case 0x302:
			l.shape = circumflex
		case 0x31b:
			l.shape = horn
		case 0x300:
			l.tone = 1
		case 0x309:
			l.tone = 2
		case 0x303:
			l.tone = 3
		case 0x301:
			l.tone = 4
		case 0x323:
			l.tone = 5
		default:
			return l, size
		}
		size += n
	}
	return l, size
}

// phrase is a name of a secret in Vietnamese.
type phrase struct {
	letters []letter
	class   nameClass
}

var phrases = func() (all []phrase) {
	for class, names := range map[nameClass]string{ //nolint:gosec // names of secrets, not secrets
		password: "mật khẩu",
		pin:      "mã pin,mã otp,mã xác thực,mã xác nhận,mã xác minh,mã bảo mật,mã đăng nhập,mã cvv",
		strong:   "khóa api,khoá api,khóa bí mật,khoá bí mật,khóa riêng,khoá riêng,khóa truy cập,khoá truy cập,khóa mã hóa,khoá mã hoá,mã truy cập,mã bí mật,chuỗi bí mật",
	} {
		for name := range strings.SplitSeq(names, ",") {
			all = append(all, phrase{lettersOf(name), class})
		}
	}
	return all
}()

func lettersOf(s string) (all []letter) {
	for len(s) > 0 {
		l, n := readLetter(s)
		all, s = append(all, l), s[n:]
	}
	return all
}

// vietnamese returns the length and the class of the name that s starts with,
// written with its marks or without any, as words or as the name of a field.
func vietnamese(s string) (n int, class nameClass) {
	if strings.IndexByte("mMkKcC", s[0]) < 0 || len(s) < 2 || s[1] < 0x80 && strings.IndexByte("aAhH", s[1]) < 0 {
		return 0, ordinary // nearly every word
	}
	for _, p := range phrases {
		if n := p.match(s); n > 0 {
			for n < len(s) && isName(s[n]) { // mat_khau_moi
				n++
			}
			return n, p.class
		}
	}
	return 0, ordinary
}

func (p *phrase) match(s string) int {
	n := 0
	for _, want := range p.letters {
		if n == len(s) {
			return 0
		}
		if want.base == ' ' {
			if behind := skipSpace(s, n); behind > n {
				n = behind
			} else if s[n] == '_' || s[n] == '-' {
				n++
			}
			continue
		}
		got, size := readLetter(s[n:])
		if got.base != want.base || got != want && (got.shape != 0 || got.tone != 0) {
			return 0
		}
		n += size
	}
	if next, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsLetter(next) || unicode.IsDigit(next) || unicode.Is(unicode.Mn, next) {
		return 0
	}
	return n
}
