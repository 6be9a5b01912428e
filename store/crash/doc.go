// Package crash proves the promise of the ledger by breaking the processes that rely
// on it: never started twice without proof, never called failed when it may have
// happened. It holds tests only.
//
// Three kinds of process take part, all of them the test binary in another role. The
// service keeps an account of what was really done, under which key; it is never
// killed. The agent runs a toolkit.Kit over the store that is tried, and is killed
// with SIGKILL at a named point of a call: by itself, from inside its store or its
// tool, or by the service, between the effect and the reply. The parent starts the
// next agent, which recovers, makes the same call again, asks a person where it is
// told that one must decide, and reports what it was told at every step. A judge
// holds the reports against the account.
//
//	make crash                    # the whole grid, with a summary as the last line
//	CRASH_KILLS=10000 make crash  # as many kills as you like
//
// Beside it stand the troubles that a kill does not cover: a worker that is stopped for
// longer than its lease, a reply to a commit that is lost, a clock that is wrong, 64
// processes on one key, a power cut that takes what was not synced, and a check that
// the histories of many concurrent clients are linearizable.
//
// A harness that cannot fail proves nothing: each judge is shown a store or a tool
// that breaks the promise, and must notice.
package crash
