package guard

import (
	"strings"
	"unicode"
)

// language is the one that was set, else that of the draft.
func (j *judgment) language() Language {
	if j.guard.language != "" {
		return j.guard.language
	}
	if vietnamese(j.draft) {
		return Vietnamese
	}
	return English
}

// vietnameseSyllables are common ones that are no words of other languages
// that are written with Latin letters; without marks they are what gives the
// language away.
var vietnameseSyllables = set("khong cua duoc nhung nguoi khach hang chua cac nhu voi trong theo dang cung lieu chung xin thanh toan cuu hien ngay thang dong cong tong tien gui giao truy thi nay roi nhieu quy")

// englishWords are the commonest ones, none of them a Vietnamese syllable.
var englishWords = set("the and is are was were of to for with your you i it his her that this owes have has not all on at by from")

// vietnamese tells the language of a text: a good part of its words carry
// marks, some of them marks that hardly any other language uses, or its
// syllables give it away. A Vietnamese name in an English sentence does not.
func vietnamese(s string) bool {
	words, marked, own, syllables, english := 0, 0, 0, 0, 0
	for _, field := range strings.FieldsFunc(cutText(s, 4000), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }) {
		w := newWord(field)
		words++
		if w.text != w.plain {
			marked++
		}
		if strings.ContainsFunc(w.text, vietnameseLetter) {
			own++
		}
		if vietnameseSyllables[w.plain] {
			syllables++
		}
		if englishWords[w.text] {
			english++
		}
	}
	if english*5 >= words && english > 0 {
		return false
	}
	return own > 0 && marked*2 >= words || own > 1 && marked*3 >= words || syllables > 1 && syllables*4 >= words
}

// vietnameseLetter holds for letters that no other widespread language has:
// "đ" is Croatian, "ă" and "â" are Romanian, too.
func vietnameseLetter(r rune) bool {
	return r == 'ơ' || r == 'ư' || r >= 0x1EA0 && r <= 0x1EF9
}
