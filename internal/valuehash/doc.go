// Package valuehash hashes Go values by what their JSON would say, without
// writing that JSON: two values that marshal to the same document have the same
// hash. Numbers in fields of any are told apart by their value, not their type.
//
// The hash is for comparing within one process (loop detection, finding a call
// of the same arguments again); it is not stable across processes and not for
// keys that are stored.
//
// [For] looks at a type once and returns a [Func] for its values. For plain
// structs, strings, numbers, slices and pointers hashing does not allocate.
package valuehash
