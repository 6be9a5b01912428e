package atom_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/unicode/norm"

	"github.com/failloud/failloud/internal/atom"
)

// FuzzStrings asks every recogniser at every byte, at which Scan asks only where a
// word begins, and compares what they claim with the text.
func FuzzStrings(f *testing.F) {
	for _, seed := range []string{
		"It closed on 30 June 2026 at 2:30 pm (UTC), ngày 30/6/2026 lúc 14 giờ 30.", "2026-06-30T14:30:00.5+07:00 3–5 June, June 3–5, 2026",
		"see https://ex.org/a_(b)?x=%C3%A9#c, www.x.vn/đ; lan.nguyễn@vídụ.vn mailto:a@b.org", "+84 (0)24 1234-5678 (800) 555-0199 0041446681800",
		"DE89 3704 0044 0532 0130 00 INV–2210 #4711 no. 123456 v1.2.3-rc.1 2001:db8::1 cus_9f2k report_2026.pdf 4111 1111 1111 1111",
		"hôm qua, 3 ngày trước, il y a 3 jours, aujourd’hui, tháng mười hai năm 2026", "30-Jun-26 30 Jun 26 14:30 EST \xff\xe2\x80 \u0301", "\x80.AA/0", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for at := range len(text) {
			for name, scan := range atom.Recognisers {
				a := atom.Atom{Noun: [2]int{7, 7}}
				end := scan(text, at, &a)
				if end == 0 {
					if a.Kind != 0 || a.Noun != [2]int{7, 7} {
						t.Fatalf("%s touched the atom at %d of %q and claims nothing", name, at, text)
					}
					continue
				}
				if a.Kind == 0 || end != a.End || a.Start < at || a.Start >= end || end > len(text) {
					t.Fatalf("%s claims %d to %d at %d of %q, and returns %d", name, a.Start, a.End, at, text, end)
				}
				if utf8.ValidString(text) && (utf8.RuneStart(text[at])) && !utf8.ValidString(text[a.Start:end]) {
					t.Fatalf("%s cuts a character: %q", name, text[a.Start:end])
				}
				for _, d := range a.Dates {
					if d != (atom.Day{}) && (d.Month < 1 || d.Month > 12 || d.Day > 31) {
						t.Fatalf("%s reads %q as %v", name, text[a.Start:end], d)
					}
				}
				if a.Kind == atom.Date && a.Dates[0] == (atom.Day{}) != a.Relative.Set {
					t.Fatalf("%s reads no day out of %q", name, text[a.Start:end])
				}
				if a.Seconds < -1 || a.Seconds > 24*3600 {
					t.Fatalf("%s reads %q as second %d", name, text[a.Start:end], a.Seconds)
				}
				if (a.Kind >= atom.Email) != (a.Hash != 0) {
					t.Fatalf("%s gives %q the hash %d", name, text[a.Start:end], a.Hash)
				}
			}
		}
	})
}

func TestRecognisersAllocateNothing(t *testing.T) {
	const text = "Ngày 30 tháng 6 năm 2026 lúc 14 giờ 30, yesterday at 2 pm, June 3–5, 2026: https://ex.org/caf%C3%A9 lan@vídụ.vn +84 24 1234 5678 " +
		"DE89 3704 0044 0532 0130 00 INV-2210 v1.2.3 2001:db8::1 no. 123456 cus_9f2k 30-Jun-26 aujourd’hui 3 ngày trước"
	var a atom.Atom
	for name, scan := range atom.Recognisers {
		claimed := 0
		allocs := testing.AllocsPerRun(20, func() {
			for at := range len(text) {
				if scan(text, at, &a) > 0 {
					claimed++
				}
			}
		})
		assert.Zero(t, allocs, name)
		assert.NotZero(t, claimed, name)
	}
}

// What begins like an atom over and over is read in a time that grows with the
// text: with its square this takes minutes.
func TestALongTextOfBeginningsIsReadInOneGo(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"a-", "a_", "a.", "1-", "1.", "1/", "1:", "1 ", "12 34 ", "a1", "a@", "a.b@", "http://", "www.", "June 3-", "3-", "+1 ", "(0", "DE12 ",
		"DE", "é", "tháng ", "0", "A1-", "[(", "https://a(", "https://(", "1h", "%41", "2026-06-30T", "ab:", "::", "f:", "#1", "no. ", "´́", "e\u0301",
	} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		began := time.Now()
		atom.Scan(text, atom.Prose, func(*atom.Atom) bool { return true })
		assert.Less(t, time.Since(began), 5*time.Second, "%q", piece)
	}
}

func TestLettersLoseTheirDiacritics(t *testing.T) {
	t.Parallel()
	for _, table := range []*unicode.RangeTable{unicode.Latin} {
		for _, r16 := range table.R16 {
			for r := rune(r16.Lo); r <= rune(r16.Hi); r += rune(r16.Stride) {
				if r < 0xC0 || r > 0x1B0 && r < 0x1E00 || r > 0x1EFF {
					continue
				}
				if first, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r))); first < utf8.RuneSelf {
					assert.Equal(t, byte(unicode.ToLower(first)), atom.Base(r), "%c", r)
				}
			}
		}
	}
}

func TestTheFilterLetsEveryNameThrough(t *testing.T) {
	t.Parallel()
	for _, name := range append(atom.Words(), "août", "février", "März", "DÉCEMBRE", "décembre", "tháng", "Hôm", "ngày", "HÔM") {
		assert.True(t, atom.MayBeginDate("on "+name+" 3", 3), name)
	}
	passed := 0
	words := strings.Fields("the of and to in is that it was for on are with as be at this have from or had by but what some we can out other were all your when up use word how said each she which do their time if will way about many then them would write like so these her long make thing see him two has look more could go come did my sound no most number who over know water than call first people may down side been now find")
	for _, w := range words {
		if atom.MayBeginDate(w+" ", 0) {
			passed++
		}
	}
	assert.LessOrEqual(t, passed, 4, "ordinary words cost one look")
}
