package toolkit

// Latched is how many runs an upstream remembers to be dead for.
func Latched(u *Upstream) int { return int(u.latches.some.Load()) }

// Parts is how many parts an upstream remembers.
func Parts(u *Upstream) int { return len(u.parts) }
