// Package grid measures the promises of the library where they are hardest to
// keep. It contains tests only.
//
// An agent that always writes a confident answer works through every cell of
// [faulttest.Grid] as a Read, an Idempotent and a Write, in process and against
// a service on the loopback interface. Each run draws by its number what else
// is the case: calls in parallel, an agent that repeats itself, a Check, a
// service that honours keys, a caller that gives up early, a task that is taken
// up again by another process or by two at once. What the service did is the
// truth that the record and the verdict are compared with. Each number is printed
// as "figure grid.WORLD.NAME VALUE", WORLD being in_process or over_http:
//
//	figure grid.in_process.let_through 0
//
// let_through, held_back_though_true, writes_doubled, attempts_over_limit,
// results_lost and broken have to be 0. The others say what the grid was: trials,
// drafts, how many of them were untrue, what was decided about them, and how many
// waited for a person although they were true by then.
//
// The environment variable FAILLOUD_GRID_RUNS is the number of runs of each
// cell and effect, by default 10:
//
//	FAILLOUD_GRID_RUNS=1000 go test -v -timeout 1h ./tests/grid
package grid
