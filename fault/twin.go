package fault

// LineData is the structured twin of [Line] and [Caution], for hosts that hand
// structured results to a model or a user interface. It holds enumerations,
// numbers and the same reduced names as the line, so it cannot leak either.
type LineData struct {
	Tool        string      `json:"tool"`             // reduced to the letters of names
	Outcome     Kind        `json:"outcome"`          // how the call ended
	Reason      Reason      `json:"reason,omitempty"` // as shown, see [Fault.Shown]
	Action      Action      `json:"action,omitempty"`
	MayHaveRun  string      `json:"may_have_run,omitempty"`  // "no", "yes", "unknown"; "" for a read or a success
	Attempts    int         `json:"attempts,omitempty"`      // executions of the function
	Status      int         `json:"status,omitempty"`        // HTTP status
	RetryAfter  float64     `json:"retry_after_s,omitempty"` // seconds; 0 when the upstream did not say
	Correctable bool        `json:"correctable,omitempty"`   // a changed call may work
	Fields      []LineField `json:"fields,omitempty"`        // which arguments broke which rule
	Case        string      `json:"case,omitempty"`          // id of the case a person has to settle
	Nearest     []string    `json:"nearest,omitempty"`       // at most five
	Qualifiers  string      `json:"qualifiers,omitempty"`    // of a success, joined by a comma
	Age         float64     `json:"age_s,omitempty"`         // of a stale result, in seconds
	FallbackOf  string      `json:"fallback_of,omitempty"`   // the tool this result stands in for
}

// LineField is a [FieldError] with its names reduced as in the line.
type LineField struct {
	Field string `json:"field"`          // JSON path; "" for the whole
	Rule  string `json:"rule"`           // keyword of the schema
	Want  string `json:"want,omitempty"` // what the schema asks for
}

// maxFields bounds the list of fields in the twin; the line shows what fits.
const maxFields = 16

// Twin returns the structured form of what [Line] says.
func Twin(in LineInput) LineData {
	o := in.Outcome
	d := LineData{
		Tool:       reduced(in.Tool),
		Outcome:    o.Kind,
		Attempts:   in.Attempts,
		Case:       reduced(o.Case),
		Qualifiers: o.Qualifiers.String(),
		Age:        o.Age.Seconds(),
		FallbackOf: reduced(o.FallbackOf),
	}
	for _, n := range in.Nearest[:min(len(in.Nearest), maxNearest)] {
		d.Nearest = append(d.Nearest, reduced(n))
	}
	f := o.Fault
	if f == nil {
		return d
	}
	d.Reason, d.Action, d.Status = f.Shown(o.Kind), f.Action, f.Status
	d.RetryAfter, d.Correctable = f.Wait.Seconds(), f.Correctable
	if in.Effect != Read && o.Kind != KindOK {
		d.MayHaveRun = mayHaveRun(f.Ran)
	}
	for _, e := range f.Fields[:min(len(f.Fields), maxFields)] {
		d.Fields = append(d.Fields, LineField{reduced(e.Field), reduced(e.Rule), reduced(e.Want)})
	}
	return d
}

func reduced(s string) string { return string(appendName(nil, s, maxName)) }
