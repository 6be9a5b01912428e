// Package seal encrypts what a database must not show to whoever reads its files:
// arguments, results and captured texts, each value by itself.
//
//	s, err := seal.New(key)
//	kept := s.Seal(args, "calls/args/"+id)
//	args, err = s.Open(kept, "calls/args/"+id)
//
// A value is bound to its place: what was sealed for one row does not open in
// another. Keys are changed by putting the new one first and keeping the old ones
// behind it until nothing sealed by them is left. Values that were written before
// there was a key stay readable, which also means that whoever can write to the
// database can put a plain value in the place of a sealed one: sealing hides, it
// does not prove who wrote.
package seal
