package postgres

import (
	"sync"
	"time"
)

// trust is by how much the time a command was applied at may differ from the
// server's when it is written.
const trust = 250 * time.Millisecond

// clock is what this process knows of the server's clock: what it showed, and the
// time that has passed here since then, by the monotonic clock. The wall clock of
// this machine has no part in it.
//
// It is a guess, and never trusted: each statement that writes says which time it
// was made for, and the server writes nothing where its own clock is elsewhere (a
// machine that slept, a process that was stopped, a server that was replaced). Each
// answer tells the server's time, so that the guess is corrected by the very answer
// that refuses it. Safe for concurrent use.
type clock struct {
	mu     sync.Mutex
	server time.Time // what the server's clock shows
	at     time.Time // when, by this process's clock
}

// now is the time of the server, in its own unit, a microsecond.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.show(time.Now()).Truncate(time.Microsecond)
}

func (c *clock) show(at time.Time) time.Time { return c.server.Add(at.Sub(c.at)) }

// saw takes notice of an answer: the server's clock showed a time between the moment
// it was asked and the moment its answer was here. The guess stays as it is where
// that can be true, and is moved as little as possible where not.
func (c *clock) saw(server, asked, answered time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	guess := server.UTC()
	if !c.server.IsZero() {
		latest := guess.Add(answered.Sub(asked))
		if shown := c.show(answered); shown.After(guess) {
			guess = shown
		}
		if guess.After(latest) {
			guess = latest
		}
	}
	c.server, c.at = guess, answered
}

// applied is the time to apply a command at. Guesses of several processes differ by
// the time that an answer takes, and a row must not be changed before its last
// change; where the row is from further ahead, the server's clock was set back, and
// the rules are told so.
func applied(now, updated time.Time) time.Time {
	if ahead := updated.Sub(now); ahead > 0 && ahead <= trust {
		return updated
	}
	return now
}
