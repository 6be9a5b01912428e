//go:build !race

package runrecord_test

const raceDetector = false
