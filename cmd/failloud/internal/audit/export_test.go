package audit

// Safely is how Judge judges.
var Safely = safely

// Flight is a flight that tests may use.
type Flight struct{ f *flight }

// NewFlight returns one with room for limit bytes.
func NewFlight(limit int) Flight { return Flight{newFlight(limit)} }

// Enter waits for room.
func (f Flight) Enter(size int) { f.f.enter(size) }

// Leave makes room.
func (f Flight) Leave(size int) { f.f.leave(size) }

// Open lets everything in.
func (f Flight) Open() { f.f.open() }
