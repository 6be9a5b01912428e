package atom

// readWords reads up to two magnitudes and a unit behind the digits.
func (f *figure) readWords(text string, money bool) {
	for range 3 {
		gap := spaceAt(text, f.end)
		if marks := emphasisEnd(text, f.end); marks > f.end && spaceAt(text, marks) > 0 {
			gap = marks - f.end + spaceAt(text, marks)
		}
		if gap == 0 && f.end+1 < len(text) && text[f.end] == '-' && isLetter(text[f.end+1]) {
			gap = 1
		}
		at := f.end + gap
		w, end := wordAfter(text, at)
		form := text[at:end]
		switch {
		case end == at && !money || wordAt(text, end) && !goesOn(text, &w, end):
			return
		case gap == 1 && text[f.end] == '-' && len(form) < 3:
			return
		case end == at:
			if end = wordEnd(text, at); end == at {
				return
			}
			form = text[at:end]
		}
		if exp, ok := moneyMagnitude(form); ok && money && f.exp == 0 {
			w = word{magnitude: true, exp: exp}
		} else if w == (word{}) {
			return
		} else if form == "B" && gap == 0 {
			w = word{magnitude: true, exp: 9}
			f.bytes = true
		}
		if form == "G" && digit(text[f.end-1]) && (f.end == 1 || !digit(text[f.end-2]) && text[f.end-2] != '.') {
			return // a 5G network
		}
		if w.tight && gap > 0 && !(w.magnitude && (money || currencyAfter(text, end))) {
			return
		}
		f.end = end
		if !w.magnitude {
			f.unit = w.unit
			return
		}
		f.exp += int(w.exp)
		f.approx = true
	}
}

// goesOn reports whether a unit may touch the digit behind it: 1h30m, 1m30s.
func goesOn(text string, w *word, end int) bool {
	if w.unit == metre && byteAt(text, digitsEnd(text, end)) == 's' {
		w.unit = minute
	}
	return w.unit.Dimension() == Time && digitAt(text, end)
}

// currencyAfter reports whether a currency stands at text[at], perhaps behind a
// space.
func currencyAfter(text string, at int) bool {
	w, _ := wordAfter(text, at+spaceAt(text, at))
	return w.unit.Dimension() == Currency
}
