package toolkit

// admitted is a place in a run that was reserved for a call.
type admitted struct{}

// Response is the end of a call by name.
type Response struct{}
