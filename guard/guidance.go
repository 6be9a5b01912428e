package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failloud/failloud/internal/grounding"
)

// isGuidance reports whether a figure that nothing supports is an example or a
// rule of thumb in a draft that says of each failure that the data is not there:
// "levels like $40K or $50K", "large moves (>5%)". Such figures are round, and
// pass for nothing that was looked up.
func (j *judgment) isGuidance(r *grounding.Result) bool {
	if len(j.admitted) == 0 || len(j.hidden) > 0 || r.Verdict != grounding.Unsupported || names(r.Kind) || !isRound(j.draft[r.Start:r.End]) {
		return false
	}
	before := j.draft[lineOf(j.draft, r.Start):r.Start]
	return isBound(before) || isExample(before)
}

// isRound reports whether one digit of a written number counts, or it is a
// multiple of five below a hundred.
func isRound(figure string) bool {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, figure)
	return len(strings.Trim(digits, "0")) == 1 || len(digits) == 2 && digits[1] == '5'
}

// isBound reports whether the figure behind a text is a bound in brackets: "(>5%".
func isBound(before string) bool {
	before = strings.TrimRight(before, " ")
	bare := strings.TrimRight(before, "<>=≤≥~")
	return bare != before && strings.HasSuffix(strings.TrimRight(bare, " "), "(")
}

// isExample reports whether a list that the figure behind a text goes on begins
// with words for an example: "such as $40K, $50K or ".
func isExample(before string) bool {
	before = strings.TrimRightFunc(strings.ToLower(before), isOfList)
	for _, conjunction := range []string{"or", "and", "hoặc", "hay", "và"} {
		if rest, ok := strings.CutSuffix(before, conjunction); ok && rest != strings.TrimRightFunc(rest, isOfList) {
			before = strings.TrimRightFunc(rest, isOfList)
			break
		}
	}
	for _, words := range []string{"like", "such as", "e.g", "for example", "for instance", "ví dụ", "ví dụ như", "chẳng hạn", "chẳng hạn như"} {
		if rest, ok := strings.CutSuffix(before, words); ok {
			if last := strings.TrimRight(rest, " "); strings.HasSuffix(last, "you") || strings.HasSuffix(last, "’d") || strings.HasSuffix(last, "'d") || strings.HasSuffix(last, "would") {
				return false // "would you like $50"
			}
			last, _ := utf8.DecodeLastRuneInString(rest)
			return !unicode.IsLetter(last)
		}
	}
	return false
}

// isOfList holds for what lists of amounts are made of.
func isOfList(r rune) bool {
	return r >= '0' && r <= '9' || unicode.Is(unicode.Sc, r) || strings.ContainsRune(" ,.:%*~km", r)
}
