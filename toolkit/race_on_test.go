//go:build race

package toolkit_test

const raceEnabled = true
