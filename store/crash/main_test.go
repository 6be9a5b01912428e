package crash_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if summary != "" {
			fmt.Println(summary)
		}
		os.Exit(code)
	}))
}

// summary is the last line of the output, "" where nobody was killed.
var summary string

// signals are what the service may be asked to send to a process, beside its end.
var signals = map[string]func(pid int){}
