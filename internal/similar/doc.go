// Package similar finds the names that a misspelled one was meant to be.
//
// A name is similar to another where few of its letters differ: at most one in
// three of the longer one, and never all of a short name. A short name is
// thereby not offered for every other short one.
package similar
