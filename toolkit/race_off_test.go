//go:build !race

package toolkit_test

const raceEnabled = false
