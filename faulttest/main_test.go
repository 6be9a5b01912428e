package faulttest_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Every test of this package hangs, cuts and abandons: nothing may be left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
