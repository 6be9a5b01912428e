package tools

import (
	"crypto/rand"
	"strconv"
	"sync"
)

// intents names pieces of work that have no business key of their own. The
// same command, or the same content for the same file, is new work each time it
// is asked for: a model that runs the tests, repairs something and runs the
// tests again must not be given the stored result of the first run. So each
// call gets a new key, with one exception: while an earlier call for the same
// thing is running, or ended in doubt, its key is given out again, and the
// ledger then starts nothing.
type intents struct {
	mu   sync.Mutex
	made uint64
	open map[string]string // by what is asked for; bounded by what is running or in doubt
	name string            // of this set, so that another process never meets these keys
}

func newIntents() *intents {
	return &intents{open: map[string]string{}, name: rand.Text()[:12]}
}

// key returns the key of the piece of work that what belongs to.
func (i *intents) key(what string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	key, ok := i.open[what]
	if !ok {
		i.made++
		key = i.name + "-" + strconv.FormatUint(i.made, 10)
		i.open[what] = key
	}
	return key
}

// ended says that the work came to a known end: asking again is new work.
func (i *intents) ended(what string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.open, what)
}
