// Package engine is what a database offers to the tables that are kept in it,
// whichever database it is: reading, one durable transaction, its placeholders, its
// clock. [Engine.Write] is the only way to write, because a database may have one
// writer for everything.
package engine
