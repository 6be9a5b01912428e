// Package runrecord remembers what an agent's run really did: every call of a
// tool, how it ended, and what the guard made of it.
//
// A [Recorder] starts a [Run] for a [Task] and puts it into the context. The
// toolkit admits each call before it starts and finishes it when it has ended;
// the guard reads the calls and judges the draft; the caller ends the run:
//
//	rec, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewZap(logger)}})
//	ctx, run, err := rec.Start(ctx, runrecord.Task{Name: "invoice-question", Key: "ticket-4711"}, tools)
//	defer run.End()
//
// # States and legs
//
// A run is running until it ends as answered, disclosed, refused, aborted or,
// where nobody asked the guard, unjudged. [Run.Wait] names a case that a person
// has to settle; a run that is ended while a case is open only ends a leg, as
// waiting, and [Run.Resume] begins the next leg under the same id. [Run.Settle]
// turns a pending or unknown call into what it was, however late that is known.
//
// # Children
//
// A run that is started in the context of another is its child. What a child
// calls, spends and proves counts to the parent; its budgets are its own and
// all of its ancestors'; what halts the parent halts the child.
//
// # Evidence
//
// A judge that holds an answer against what the tools have said asks for it by
// [Run.KeepEvidence]: what successful calls have shown, [Run.Evidence], and what
// the user said, [Run.Heard], are then in memory until the run has ended, within
// a bound. Whoever makes calls asks [Run.WantsPayload] before it writes one out.
//
// # Capture
//
// Payloads are in no event and no log unless [Config.Capture] says so. With
// [CaptureRedacted] or [CaptureFull] the events of calls have their arguments and
// results, those of a run's start the question, those of judgments the draft, and
// what the user says later is an event of its own: what is needed to judge the
// same runs again later, but for the settings of the guard. They are then wherever
// the sinks write, and personal data is as personal there as it was in the answer.
//
// # What it costs
//
// A run that no judge asks for evidence keeps no payload. A run holds at most Config.KeepCalls calls, 88 bytes each
// plus a detail for those that were no plain success; older calls are dropped,
// plain successes first, and the counts of [Run.Stats] stay exact for ever.
// Runs share nothing, so they do not wait for each other. Without a sink that
// wants it, no event is built: a success costs two short locks and no
// allocation beyond the growth of the list.
//
// # Sinks and reading back
//
// A [Sink] gets each [Event] as it happens, on the goroutine of the call; its
// errors are counted and never break a run. [Memory], [JSONLines] and [Zap] are
// ready; package runrecordtest is the suite for one of your own. A file is read
// back by [ReadJSONLines], and [Views] count any stream of events: runs without
// one successful call, failures by tool and status, refusals, retries.
package runrecord
