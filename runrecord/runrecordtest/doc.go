// Package runrecordtest is the conformance suite for a [runrecord.Sink] that
// keeps what it is given: a file, a table, a queue.
//
//	func TestSink(t *testing.T) {
//		runrecordtest.Run(t, func(t *testing.T) runrecordtest.Harness {
//			s := openMySink(t)
//			return runrecordtest.Harness{Sink: s, Read: s.All, Close: s.Close}
//		})
//	}
//
// It asks that nothing is lost, doubled, reordered within a run or changed,
// with one writer and with many, and that an event of a schema the sink does
// not know is not passed off as one it knows. Order between runs is not asked for.
package runrecordtest
