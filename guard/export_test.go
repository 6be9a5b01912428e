package guard

// Broken is a guard that panics by itself where it has something to say, as by a
// mistake in its own code.
func Broken(options ...Option) *Guard {
	g := New(options...)
	g.language = "none"
	return g
}
