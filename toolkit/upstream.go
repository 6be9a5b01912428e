package toolkit

// Upstream is what dies together.
type Upstream struct{}
