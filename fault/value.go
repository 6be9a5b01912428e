package fault

import "strings"

// judgeData decides about a result that is data: a failure where its shape says
// so, pending where it says that the work goes on, else a success.
func judgeData(s *Signal, where string) Outcome {
	root := s.document().root
	if text, ok := root.(string); ok {
		if f, ok := readText(text, s.Effect, 0); ok {
			return f.outcome(s, where)
		}
		return okOutcome(strings.TrimSpace(text) == "" || saysEmpty(text))
	}
	if f, ok := readBatch(root, s.Effect); ok {
		return f.outcome(s, where)
	}
	if f, ok := readEnvelope(root, s.Effect); ok {
		return f.outcome(s, where)
	}
	if stillRunning(root, s.Effect) {
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

// stillRunning reports whether an answer is only the receipt for work that
// goes on: {"job_id":"j-1","status":"queued"}. What a read tells about a job is
// data, unless it is nothing but that receipt.
func stillRunning(root any, effect Effect) bool {
	m, ok := root.(map[string]any)
	if !ok {
		return false
	}
	o, _ := asObject(m)
	if task, ok := asObject(o["task"]); ok && task.hasAny("taskid") {
		o = task // MCP task handle
	}
	if done, ok := o["done"]; ok && isFalse(done) && o.hasAny("name", "metadata") && effect != Read {
		return true // Google long-running operation
	}
	receipt := o.hasAny("jobid", "taskid", "operationid", "requestid", "queueid", "batchid", "executionid", "statusurl", "pollurl", "location")
	if !receipt && (effect == Read || !o.hasAny("id", "message")) || effect == Read && len(o) > 3 {
		return false
	}
	for _, name := range []string{"status", "state"} {
		word, _ := o[name].(string)
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(word)) {
		case "queued", "pending", "processing", "inprogress", "accepted", "running", "scheduled", "submitted", "working", "started", "enqueued", "waiting":
			return receipt || len(o) <= 4
		}
	}
	return false
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
	d := s.document()
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
