// Package rawjson reads JSON of any size as it is found in files of logs, and
// looks into it without building a tree.
//
// A [Reader] cuts a stream into values: one a line, many in a line, one over
// many lines, or the elements of an array that is larger than memory. What is
// torn, too long, nested too deeply or no JSON is passed over with its line
// number, and reading goes on behind it:
//
//	r := rawjson.NewReader(file, rawjson.Config{})
//	for {
//		item, err := r.Next()
//		if bad, ok := errors.AsType[*rawjson.ValueError](err); ok {
//			log.Print(bad)
//			continue
//		}
//		if err != nil {
//			break // io.EOF, or the error of the input
//		}
//		...
//	}
//
// A [Value] is the bytes of one value. Its structure has been checked, so that
// looking into it needs no errors: a field of another type than expected reads
// as missing. It is a view of the reader's buffer until the next call of Next;
// only [Value.Text] and conversions to string copy.
//
// The package accepts a little more than the standard: control characters and
// unknown escapes in texts, NaN and Infinity as Python writes them, a comma
// between values that need none.
package rawjson
