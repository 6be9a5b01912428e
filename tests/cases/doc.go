// Package cases measures the library on files of labelled cases. It contains
// tests only.
//
// The files are read from the folder that the environment variable
// FAILLOUD_CASES names, by default ../shared/cases beside the repository; where
// there is none the tests are skipped with a message. Point it at a folder with
// your own cases to see how the defaults do on what your tools really answer:
//
//	FAILLOUD_CASES=/path/to/cases go test -v ./tests/cases
//
// Each figure is printed as "figure NAME VALUE", a VALUE being a count and its
// share: "figure tool_outcomes.action 105/111=94.6%". A quarter of the rows,
// chosen by a checksum of their ids, is held out: it is counted apart and its
// misses are listed only with -heldout, so that nobody tunes rules to it by
// accident.
package cases
