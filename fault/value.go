package fault

import "strings"

// judgeData decides about a result that is data: a failure where its shape says
// so, pending where it says that the work goes on, else a success.
func judgeData(s *Signal, where string) Outcome {
	if d := s.glance(); d.outline {
		if o := judgeRoot(s, d.root, where); o.Kind == KindOK {
			return o
		}
	}
	return judgeRoot(s, s.document().root, where)
}

func judgeRoot(s *Signal, root any, where string) Outcome {
	if text, ok := root.(string); ok {
		if f, ok := readText(text, s.Effect, 0); ok {
			return f.outcome(s, where)
		}
		return okOutcome(strings.TrimSpace(text) == "" || saysEmpty(text))
	}
	members := root
	if o, ok := asObject(root); ok {
		members = map[string]any(o) // spelt alike once for all who look
	}
	if f, ok := readBatch(members, s.Effect); ok {
		return f.outcome(s, where)
	}
	if f, ok := readEnvelope(root, s.Effect); ok {
		return f.outcome(s, where)
	}
	if stillRunning(members, s.Effect) || s.HTTP.namesOperation(s.Effect) {
		return Outcome{Kind: KindPending}
	}
	return okOutcome(isEmptyData(root))
}

func okOutcome(empty bool) Outcome {
	if empty {
		return Outcome{Kind: KindOK, Qualifiers: Empty}
	}
	return Outcome{Kind: KindOK}
}

// detectValue judges what the function returned.
func detectValue(s *Signal) (Outcome, bool) {
	if !s.HasValue || s.Err != nil {
		return Outcome{}, false
	}
	if !Inspectable(typeOf(s.Value)) {
		return okOutcome(isEmptyValue(s.Value)), true
	}
	return judgeResult(s, "value"), true
}

// detectText judges a result that is text.
func detectText(s *Signal) (Outcome, bool) {
	if !s.HasText && s.Text == "" || s.Err != nil {
		return Outcome{}, false
	}
	return judgeResult(s, "text"), true
}

// judgeResult judges a result that may be data or text.
func judgeResult(s *Signal, where string) Outcome {
	d := s.glance()
	switch {
	case d.valid:
		return judgeData(s, where)
	case !d.hasText:
		return okOutcome(isEmptyValue(s.Value))
	case d.text == "":
		return okOutcome(true)
	case looksLikeHTML(d.text):
		if f, ok := readPage(d.text); ok {
			return f.outcome(s, where)
		}
		return okOutcome(false)
	case looksLikeXML(d.text):
		if f, ok := readXML(d.text); ok {
			return f.outcome(s, where)
		}
		return okOutcome(false)
	}
	if f, ok := readText(d.text, s.Effect, 0); ok {
		return f.outcome(s, where)
	}
	return okOutcome(saysEmpty(d.text))
}
