package fault

// listEnvelope judges a list: error objects in a row, as Salesforce sends
// them, or the content list of an MCP result.
func listEnvelope(items []any, effect Effect, depth int) (*finding, bool) {
	if len(items) == 0 || len(items) > 16 {
		return nil, false
	}
	for _, item := range items {
		if !namesError(item) {
			return contentEnvelope(items, effect, depth)
		}
	}
	f := &finding{shape: "list", bare: badArguments}
	f.absorb(items, 0)
	return f, true
}

// namesError reports whether an item of a list is an error with its code.
func namesError(item any) bool {
	o, ok := asObject(item)
	return ok && o.hasAny("errorcode", "errormessage") && o.hasAny("message", "errormessage")
}

// contentEnvelope judges [{"type":"text","text":…}] by its text.
func contentEnvelope(items []any, effect Effect, depth int) (*finding, bool) {
	if len(items) != 1 {
		return nil, false
	}
	o, ok := asObject(items[0])
	text, isText := o["text"].(string)
	if !ok || !isText || len(o) > 3 {
		return nil, false
	}
	return readText(text, effect, depth+1)
}

// wrappedEnvelope looks into the one payload of a small wrapper: a string that
// holds an answer of its own, or an inner response object.
func wrappedEnvelope(o object, effect Effect, depth int) (*finding, bool) {
	if len(o) > 5 {
		return nil, false
	}
	for _, m := range []string{"response", "result", "body", "output", "content", "data", "text", "payload", "meta", "responsestatus", "head"} {
		switch v := o[m].(type) {
		case string:
			if f, failed, isData := nestedEnvelope(v, effect, depth+1); failed {
				return f, true
			} else if isData {
				continue
			}
			if o.hasAny("error", "iserror", "errors") || len(o) == 1 && m != "text" && m != "content" && m != "body" {
				// The wrapper has a place for errors, so the string is all of the answer.
				if f, ok := readText(v, effect, depth+1); ok {
					return f, true
				}
			}
		case map[string]any:
			switch m {
			case "response", "result", "body", "payload", "meta", "responsestatus", "head":
				if f, ok := envelope(v, effect, depth+1); ok {
					return f, true
				}
			}
		case []any:
			if m == "content" {
				if f, ok := contentEnvelope(v, effect, depth+1); ok {
					return f, true
				}
			}
		}
	}
	return nil, false
}
