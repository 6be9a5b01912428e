package fault

// A complaint about one field of the request is about its arguments, whatever
// its words: Jira and Rails send {"errors":{"priority":"cannot be set"}},
// JSON:API and FastAPI a list of errors that each name their place.

// absorbByField reads errors that are sorted by field. Where no word of them is
// known, the arguments are wrong, and nothing was done.
func (f *finding) absorbByField(errors any) {
	switch errors := errors.(type) {
	case map[string]any:
		if !byField(errors) {
			return
		}
		for _, v := range errors {
			switch v := v.(type) {
			case string:
				f.text(v)
			case []any:
				f.absorbFields(v, 1)
			}
		}
	case []any:
		if !namePlaces(errors) {
			return
		}
	}
	f.add(badArguments, known, "")
	f.bare, f.refused = badArguments, true
}

// byField reports whether an object maps names of fields to complaints, and is
// not itself an error object.
func byField(errors map[string]any) bool {
	for name, v := range errors {
		switch v := v.(type) {
		case string:
			switch squash(name) {
			case "message", "msg", "error", "code", "type", "status", "statuscode", "detail", "details", "reason", "errorcode", "errortype", "errormessage":
				return false
			}
		case []any:
			for _, item := range v {
				if _, ok := item.(string); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return len(errors) > 0
}

// namePlaces reports whether each error names the place in the request that it
// is about.
func namePlaces(errors []any) bool {
	for _, item := range errors {
		o, ok := asObject(item)
		if !ok || !o.hasAny("message", "msg", "detail", "title", "error", "description") {
			return false
		}
		source, _ := asObject(o["source"])
		if !o.hasAny("loc", "field", "fieldname", "param", "parameter", "pointer", "property", "propertyname", "propertypath", "attribute", "instancepath", "argument") &&
			!source.hasAny("pointer", "parameter") {
			return false
		}
	}
	return len(errors) > 0
}
