package main

import (
	"os"
	"runtime/debug"
)

// tuneMemory lets an audit collect its garbage less often: nearly all of it is of
// one run and short-lived, so a heap of several times what is alive costs little
// and saves a sixth of the time. The limit keeps a file of huge lines from
// growing that to more than it is worth. The settings of the environment hold.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(60 << 20)
	}
}
