// Package benchmarks measures what the library costs on the success path and
// on the failure path, beside a hand-written floor and other libraries, in one
// run of one process.
//
// It is a module of its own, so that nobody who imports the library gets the
// libraries it is compared with. It is never tagged. Run it with "make bench".
//
// Times move by a factor of two or three between machines and neighbours:
// compare rows of one run, never two runs. Allocation bounds are tests of the
// packages themselves.
package benchmarks
