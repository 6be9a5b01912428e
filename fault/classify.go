package fault

// Classifier turns signals into outcomes by asking its detectors in order.
// The zero value has the built-in ones. CONTRACT SKELETON.
type Classifier struct{ Detectors []Detector }

// Classify never panics. It does not apply [Next]: Action is the default of the table.
// A write whose fault has Ran unknown and no proof becomes KindUnknown only in [Conclude].
func (c *Classifier) Classify(s *Signal) Outcome { return Outcome{} }

// Conclude turns the outcome of the last attempt into the outcome of the call:
// where Next says Ask, the kind is unknown (failed for half-done batches) and the
// action Escalate.
func Conclude(effect Effect, o Outcome, keyValid, hasCheck bool) Outcome { return o }
