package atom

import "strings"

// addParts adds the smaller parts of a span of time: 2 hours 30 minutes, 1h30m.
func (f *figure) addParts(text string) {
	for range 3 {
		at := f.end
		if s := spaceAt(text, at); s > 0 {
			at += s
			if strings.HasPrefix(text[at:], "and ") {
				at += len("and ")
			}
		}
		if !digitAt(text, at) || f.num.n != 1 || f.num.as[0].frac {
			return
		}
		end := digitsEnd(text, at)
		w, wordEnd := wordAfter(text, end+spaceAt(text, end))
		if w.unit == metre { // 1h30m
			w.unit = minute
		}
		if w.unit.Dimension() != Time || w.unit.Factor() >= f.unit.Factor() || w.tight && spaceAt(text, end) > 0 || end-at > 3 {
			return
		}
		times := f.unit.Factor() / w.unit.Factor()
		var part decimal
		part.read(text, []run{{at, end}}, 0)
		whole := float64(f.num.as[0].mant)*times + float64(part.mant)
		if f.num.as[0].exp != 0 || whole != float64(uint64(whole)) || whole > 1e15 {
			return
		}
		f.num.as[0].mant = uint64(whole)
		f.unit, f.end, f.num.plain = w.unit, wordEnd, false
	}
}

// addMagnitudes adds the smaller parts of a number that is written in steps:
// 1 tỷ 200 triệu, 2 triệu rưỡi.
func (f *figure) addMagnitudes(text string) {
	at := f.end + spaceAt(text, f.end)
	d := &f.num.as[0]
	if at == f.end || f.num.n != 1 || d.exp != 0 || d.mant > 1e6 {
		return
	}
	switch end := digitsEnd(text, at); {
	case end > at && end-at <= 3:
		w, wordEnd := wordAfter(text, end+spaceAt(text, end))
		exp := int(w.exp)
		if !w.magnitude || w.tight || exp < 3 || exp >= f.exp {
			return
		}
		var part decimal
		part.read(text, []run{{at, end}}, 0)
		for range f.exp - exp {
			d.mant *= 10
		}
		d.mant += part.mant
		f.exp, f.end = exp, wordEnd
	case strings.HasPrefix(text[at:], "rưỡi"):
		d.mant = d.mant*10 + 5
		f.exp, f.end = f.exp-1, at+len("rưỡi")
	default:
		return
	}
	f.num.plain = false
	if w, end := wordAfter(text, f.end+spaceAt(text, f.end)); !w.magnitude && !w.tight && w.unit != 0 {
		f.unit, f.end = w.unit, end
	}
}
