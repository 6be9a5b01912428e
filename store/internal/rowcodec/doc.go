// Package rowcodec is how a row of the ledger lies in a database: a few columns
// that a database searches by, a body that holds everything, and the payloads,
// which are sealed where there is a key. Every database keeps the same columns, so
// that one test covers them all.
//
//	columns, err := rowcodec.Encode(&row, sealer)
//	row, err := rowcodec.Decode(columns, sealer)
//
// The body is JSON, the form that a row has anyway, and it is never sealed: it
// holds no payload. What a column says twice is compared when a row is read, so
// that a row that was edited by hand, or half written, is found out.
package rowcodec
