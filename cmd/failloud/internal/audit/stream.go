package audit

import (
	"context"
	"io"
	"runtime"
	"sync"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// Stream judges every transcript in r and hands the rows to yield in the order
// of the input. Transcripts are judged side by side, a few at a time, so memory
// does not grow with the input. It ends early with the error of yield, of r or
// of ctx; the rows of what was read until then have been handed on.
func (a *Auditor) Stream(ctx context.Context, r io.Reader, o transcript.Options, yield func(*Row) error) (transcript.Stats, error) {
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan *job), make(chan *job, workers)
	flight := newFlight(maxFlight)
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for j := range work {
				// Not the context of the reading: what was read is judged.
				j.row, j.err = a.Judge(context.WithoutCancel(ctx), j.transcript)
				close(j.done)
			}
		})
	}
	var stats transcript.Stats
	var readErr error
	busy.Go(func() {
		defer close(order)
		defer close(work)
		stats, readErr = transcript.Read(reading, r, o, func(t *transcript.Transcript) error {
			j := &job{transcript: t, done: make(chan struct{})}
			flight.enter(t.Size)
			order <- j
			work <- j
			return nil
		})
	})
	for j := range order {
		<-j.done
		if j.err == nil {
			j.err = yield(j.row)
		}
		if j.err != nil {
			stop(j.err)
			break
		}
		flight.leave(j.transcript.Size)
		j.row, j.transcript = nil, nil
	}
	flight.open() // what was begun is not left behind
	for range order {
	}
	busy.Wait()
	if cause := context.Cause(reading); cause != nil && ctx.Err() == nil {
		return stats, cause
	}
	return stats, readErr
}

// job is one transcript that is being judged.
type job struct {
	transcript *transcript.Transcript
	row        *Row
	err        error
	done       chan struct{}
}

// safely keeps a mistake of ours about one transcript from ending the audit of
// all others: that one is handed on as not judged, and the problem is told.
func safely(t *transcript.Transcript, judge func() (*Row, error)) (row *Row, err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		what := "it could not be judged, by a mistake of failloud; please report it"
		if bug, ok := cause.(runtime.Error); ok { // which quotes nothing of the transcript
			what += ": " + bug.Error()
		}
		t.Problems = append(t.Problems, transcript.Problem{File: t.File, Line: t.Line, What: what})
		r := &replay{transcript: t}
		row, err = r.row(), nil
		row.Decision, row.Unjudged = DecisionNone, true
	}()
	return judge()
}
