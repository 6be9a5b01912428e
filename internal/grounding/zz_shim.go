package grounding

import "github.com/failloud/failloud/internal/atom"

func keyUnitOf(key string) atom.Unit {
	last, n := "", 0
	for w := range words(key) {
		last = w
		n++
	}
	switch last {
	case "min", "in", "pt", "at", "second", "minute", "hour", "day", "month", "year", "week", "won", "real", "try", "all", "top", "cup", "mad", "bob":
		return 0
	}
	if len(last) == 0 || len(last) > 12 || len(last) < 2 && n < 2 {
		return 0
	}
	var u atom.Unit
	for _, form := range []string{"1 " + last, "1 " + upperWord(last)} {
		atom.Scan(form, atom.Evidence, func(a *atom.Atom) bool {
			u = a.Unit
			return false
		})
		if u != 0 {
			break
		}
	}
	return u
}

func upperWord(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] >= 'a' && b[i] <= 'z' {
			b[i] -= 32
		}
	}
	return string(b)
}
