// Package durable measures what it costs that nothing is done twice: calls of a write
// through the whole of package toolkit, over each store, against what the disk can do
// in the same folder in the same minute, and against another library for durable
// work.
//
//	go test -run '^$' -bench . -benchtime 3s ./durable
//
// One call is two durable transactions, the claim and its end. tx/floor is how many of
// them come out of one fdatasync; compare that between machines, and nothing else.
// It holds benchmarks only.
package durable
