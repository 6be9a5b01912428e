package guard

import (
	"slices"
	"strings"
	"unicode"
)

// language is the one that was set, else that of the draft. A draft that is too
// short to tell is read by whoever asked, so it is in the language of the question.
func (j *judgment) language() Language {
	if j.guard.language != "" {
		return j.guard.language
	}
	own, sure := languageOf(j.draft)
	if sure || j.run == nil {
		return own
	}
	for _, said := range slices.Backward(j.run.Heard()) {
		if theirs, sure := languageOf(said); sure {
			return theirs
		}
	}
	return own
}

// vietnameseSyllables are common ones that are no words of other languages
// that are written with Latin letters; without marks they are what gives the
// language away.
var vietnameseSyllables = set("khong cua duoc nhung nguoi khach hang chua cac nhu voi trong theo dang cung lieu chung xin thanh toan cuu hien ngay thang dong cong tong tien gui giao truy thi nay roi nhieu quy cho toi giup nhe muon minh vay dau bao gio huy")

// vietnameseParticles are the commonest words without marks that other languages
// have as well: they count beside the syllables.
var vietnameseParticles = set("em da anh chi la va co se ban gi ai o a ra vao den tu mot hai ba do ma neu khi nha ket qua don hoa loi")

// englishWords are the commonest ones, none of them a Vietnamese syllable.
var englishWords = set("the and is are was were of to for with your you i it his her that this owes have has not all on at by from")

// languageOf tells the language of a text. It is Vietnamese where a good part of
// its words carry marks, some of them marks that hardly any other language uses,
// or where its syllables give it away. A Vietnamese name in an English sentence
// does not. It is not sure of a few words that are of neither.
func languageOf(s string) (l Language, sure bool) {
	words, own, syllables := 0, 0, 0
	marked, bare, particles, english := 0, 0, 0, 0 // one of them a word
	for _, field := range strings.FieldsFunc(cutText(s, 4000), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }) {
		w := newWord(field)
		words++
		if strings.ContainsFunc(w.text, vietnameseLetter) {
			own++
		}
		switch {
		case w.text != w.plain:
			marked++
		case vietnameseSyllables[w.text]:
			bare++
		case vietnameseParticles[w.text]:
			particles++
		case englishWords[w.text]:
			english++
		}
		if vietnameseSyllables[w.plain] {
			syllables++
		}
	}
	if english*5 >= words && english > 0 {
		return English, true
	}
	switch {
	case own > 0 && (marked+bare+particles)*2 >= words, own > 1 && marked*3 >= words,
		syllables > 1 && syllables*4 >= words, syllables > 0 && (syllables+particles)*2 > words && words > 2:
		return Vietnamese, true
	}
	return English, words > maxUnsure
}

// maxUnsure is how many words may be of any language.
const maxUnsure = 6

// vietnameseLetter holds for letters that no other widespread language has:
// "đ" is Croatian, "ă" and "â" are Romanian, too.
func vietnameseLetter(r rune) bool {
	return r == 'ơ' || r == 'ư' || r >= 0x1EA0 && r <= 0x1EF9
}
