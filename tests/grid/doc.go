// Package grid measures the promises of the library where they are hardest to
// keep. It contains tests only.
//
// An agent that always writes a confident answer works through every cell of
// [faulttest.Grid] as a Read, an Idempotent and a Write, in process and against
// a service on the loopback interface. Each run draws by its number what else
// is the case: calls in parallel, an agent that repeats itself, a Check, a
// service that honours keys, a caller that gives up early, a task that is taken
// up again by another process or by two at once. What the service did is the
// truth that the record and the verdict are compared with:
//
//	figure grid.let_through 0
//
// The environment variable FAILLOUD_GRID_RUNS is the number of runs of each
// cell and effect, by default 10:
//
//	FAILLOUD_GRID_RUNS=1000 go test -v -timeout 1h ./tests/grid
package grid
