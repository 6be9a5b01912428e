package fault

// Classifier turns signals into outcomes by asking detectors in order: its own
// first, then the built-in ones of [Defaults]. The first that knows decides.
// The zero value, and a nil pointer, have the built-in ones only. A Classifier
// is safe for concurrent use while its fields are not changed.
type Classifier struct {
	// Detectors are asked before the built-in ones and before the tool's rules.
	Detectors []Detector
}

// builtin is a detector with a name.
type builtin struct {
	name   string
	detect func(s *Signal) (Outcome, bool)
}

func (b builtin) Detect(s *Signal) (Outcome, bool) { return b.detect(s) }

// String returns the name of the detector.
func (b builtin) String() string { return b.name }

// defaults are the built-in detectors, most specific evidence first.
var defaults = [...]builtin{
	{"rules", detectRules},
	{"cancel", detectCancel},
	{"timeout", detectTimeout},
	{"http", detectHTTP},
	{"grpc", detectGRPC},
	{"sql", detectSQL},
	{"exit", detectExit},
	{"sdk", detectSDK},
	{"net", detectNetwork},
	{"file", detectFile},
	{"mcp", detectMCP},
	{"error", detectErrorText},
	{"value", detectValue},
	{"text", detectText},
}

// Defaults returns the built-in detectors in their order, each with a String
// method that names it, to be composed with own ones.
func Defaults() []Detector {
	list := make([]Detector, len(defaults))
	for i, d := range defaults {
		list[i] = d
	}
	return list
}

// Classify decides how one attempt ended. It never panics on any input and
// never returns [KindNone]. It does not apply [Next]: the action is the one of
// the default table, see the package documentation, and a write in doubt is
// still a plain failure until [Conclude].
//
// What a tool says by an error of this package decides first ([NotRun],
// [Permanent], [Denied], a *[Fault]), then the detectors.
func (c *Classifier) Classify(s *Signal) Outcome {
	own := c != nil && len(c.Detectors) > 0
	if !own && s.plain() {
		return okOutcome(isEmptyValue(s.Value))
	}
	return c.judge(*s) // detectors share what is decoded; the caller's signal stays as it is
}

// judge asks everybody who may know. An error whose methods panic, and a
// detector that does, knows nothing.
func (c *Classifier) judge(s Signal) (o Outcome) {
	defer func() {
		if recover() != nil {
			o = unexplained.fail("detector.panic")
		}
	}()
	if err, ok := s.Value.(error); ok && err != nil && s.Err == nil {
		s.Err = err // returned in the wrong place
	}
	if s.HTTP == nil {
		s.HTTP = carriedResponse(s.Err)
	}
	o = c.detect(&s)
	if o.Kind == KindOK && s.Rules.declared() {
		o = s.Rules.qualify(&s, o)
	}
	if o.Fault != nil && o.Fault.Err == nil && s.Err != nil {
		o.Fault.Err = unmarked(s.Err)
	}
	return o
}

// plain reports whether a signal is a success that needs no look: a value of a
// type that cannot say that it failed, and nothing beside it.
func (s *Signal) plain() bool {
	return s.HasValue && s.Err == nil && s.HTTP == nil && s.MCP == nil && s.Exit == nil && !s.TimedOut && !s.HasText &&
		!s.Rules.declared() && !Inspectable(typeOf(s.Value))
}

func (c *Classifier) detect(s *Signal) Outcome {
	said, isMarked := Outcome{}, false
	if s.Err != nil {
		if said, isMarked = marked(s.Err); isMarked && said.Fault.Reason != ReasonUnknown {
			return said
		}
	}
	o := c.first(s)
	if isMarked {
		return refine(said, o)
	}
	return o
}

// first asks the detectors in order.
func (c *Classifier) first(s *Signal) Outcome {
	if c != nil {
		for _, d := range c.Detectors {
			if d == nil {
				continue
			}
			if o, ok := d.Detect(s); ok && o.Kind != KindNone {
				return o
			}
		}
	}
	for i := range defaults {
		if o, ok := defaults[i].detect(s); ok {
			return o
		}
	}
	if s.Err == nil && (s.HTTP == nil || s.HTTP.Status == 0) {
		return Outcome{Kind: KindOK, Qualifiers: Empty}
	}
	o := unexplained.fail("none")
	if s.Sent == SentNo {
		o.Fault.Ran = RanNo
	}
	return o
}

// Conclude turns the outcome of the last attempt into the outcome of the call,
// once [Next] allows no further attempt: a write of which nobody can tell
// whether it happened ends as [KindUnknown] with [Escalate], half a batch that
// must not be repeated as a failure with [Escalate]. Every other outcome stays.
//
// keyValid and hasCheck are what can still settle the doubt: a caller who has
// used up its attempts and its Check passes false for both. A call that was
// cancelled by its caller is not escalated; where it may have run, its kind is
// unknown and its action stays [NoAction].
func Conclude(effect Effect, o Outcome, keyValid, hasCheck bool) Outcome {
	f := o.Fault
	if f == nil || o.Kind != KindFailed || !effect.Writes() {
		return o
	}
	if f.Reason == ReasonCancelled {
		if f.Ran != RanNo {
			o.Kind = KindUnknown
		}
		return o
	}
	if Next(effect, f, keyValid, hasCheck) != Ask {
		return o
	}
	concluded := *f
	concluded.Action, concluded.Correctable = Escalate, false
	o.Fault = &concluded
	if f.Reason != ReasonPartial {
		o.Kind = KindUnknown
	}
	return o
}
