package runrecord_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(writeForeverEnv); path != "" {
		writeForever(path)
		return
	}
	goleak.VerifyTestMain(m)
}
