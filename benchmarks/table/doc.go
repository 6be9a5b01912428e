// Command table writes the figures of the benchmarks into the README, between
// two markers. It reads the output of "go test -bench -count N" from its standard
// input and takes the median of each row, and passes on what it reads:
//
//	go test -run '^$' -bench . -count 5 . | go run ./table ../README.md
//
// "make bench" does so. Run it on a machine that is not busy.
package main
