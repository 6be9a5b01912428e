package crash_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

// signals are what the service may be asked to send to a process, beside its end.
var signals = map[string]func(pid int){}
