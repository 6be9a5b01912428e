package fault

// errorsEnvelope judges a non-blank errors member. GraphQL answers with errors
// beside data: where part of the data is there, half was done.
func errorsEnvelope(o object, errors any) (*finding, bool) {
	if countsErrors(errors) {
		return nil, false // a report on the errors of others
	}
	f := &finding{shape: "errors", bare: saysItFailed}
	switch list := errors.(type) {
	case []any, map[string]any:
		f.absorb(list, 0)
		f.absorbByField(list)
	case bool:
		return nil, false // a batch flag, see [readBatch]
	case string:
		f.absorbObject(o, 0)
	default:
		return nil, false // a count
	}
	if data, ok := o["data"].(map[string]any); ok && anyFilled(data) {
		if isGraphQL(errors) && f.limitOrKey() == noCause {
			return &finding{shape: "errors beside data", bare: halfDone}, true
		}
	}
	if len(o) > 8 && !o.hasAny("errormessages") && !isGraphQL(errors) && f.first(exact) == noCause {
		return nil, false // a report with a section on errors
	}
	if f.namedStatus() == 0 {
		f.absorbObject(pick(o, "message", "msg", "code", "status", "statuscode", "type", "title", "detail", "error", "name"), 0)
	}
	return f, true
}

// limitOrKey is the cause where the whole request was refused, not one field.
func (f *finding) limitOrKey() cause {
	for _, g := range []grade{exact, likeState} {
		switch k := f.first(g); k {
		case throttled, shortWindow, outOfBudget, outOfMoney, badCredential:
			return k
		}
	}
	return noCause
}

// isGraphQL reports whether errors has the form the GraphQL specification
// gives it: objects with a message.
func isGraphQL(errors any) bool {
	list, _ := errors.([]any)
	for _, item := range list {
		o, ok := asObject(item)
		if !ok || !o.hasAny("message") {
			return false
		}
	}
	return len(list) > 0
}

// countsErrors reports whether each item of a list says how often it occurred.
func countsErrors(errors any) bool {
	list, _ := errors.([]any)
	for _, item := range list {
		o, _ := asObject(item)
		v, ok := o.any("count", "occurrences", "times", "events", "hits", "frequency")
		if _, isNumber := number(v); !ok || !isNumber {
			return false
		}
	}
	return len(list) > 0
}

// anyFilled reports whether a data object holds anything: GraphQL sets the
// fields that failed to null.
func anyFilled(data map[string]any) bool {
	for _, v := range data {
		if v != nil {
			return true
		}
	}
	return false
}

// userErrors finds the list in which mutations report refusals, beside data
// and without errors: data.productCreate.userErrors.
func userErrors(o object) (*finding, bool) {
	data, ok := o["data"].(map[string]any)
	if !ok {
		return nil, false
	}
	for _, v := range data {
		m, ok := asObject(v)
		if !ok {
			continue
		}
		for _, name := range []string{"usererrors", "mutationerrors", "fielderrors", "customererrors", "customerusererrors", "errors"} {
			list, ok := m[name].([]any)
			if !ok || blank(list) {
				continue
			}
			f := &finding{shape: name, bare: badArguments, refused: true}
			f.absorb(list, 0)
			return f, true
		}
	}
	return nil, false
}

// pick returns the named members only.
func pick(o object, names ...string) object {
	some := make(object, len(names))
	for _, n := range names {
		if v, ok := o[n]; ok {
			some[n] = v
		}
	}
	return some
}
