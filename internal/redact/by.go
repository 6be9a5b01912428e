package redact

// By applies the redaction of a user to s. Of a redaction that panics nobody
// knows what it would have hidden, so the text is then hidden as a whole;
// panicked is what it panicked with.
func By(f func(string) string, s string) (clean string, panicked any) {
	defer func() {
		if p := recover(); p != nil {
			clean, panicked = Mark, p
		}
	}()
	return f(s), nil
}
