package runs

import (
	"fmt"
	"sync"
	"time"

	"github.com/failloud/failloud/store/internal/engine"
)

// Config of a [Store]. The zero value is ready to use.
type Config struct {
	// Interval is how long an event waits for others at the most before it is
	// written. Default 100 ms.
	Interval time.Duration
	// Batch is how many waiting events are written at once without waiting longer.
	// Default 256, at most 65,536.
	Batch int
	// Buffer bounds how many events wait in memory; 32 MiB of them is another bound.
	// Default 8192.
	Buffer int
	// Patience is how long [Store.Write] waits for room in a full buffer before it
	// refuses the event. While the database cannot be written at all, it is waited
	// once. Default 250 ms.
	Patience time.Duration
	// Closing is how long [Store.Close] tries to write what is left. Default 10 s.
	Closing time.Duration
	// ErrorHandler is told when the database begins to refuse batches, on a
	// goroutine of the store. They are tried again. Default: nobody.
	ErrorHandler func(error)
}

const (
	bufferBytes = 32 << 20
	maxBatch    = 1 << 16
)

func (cfg *Config) withDefaults() error {
	for _, d := range []struct {
		name     string
		value    *time.Duration
		standard time.Duration
	}{{"Interval", &cfg.Interval, 100 * time.Millisecond}, {"Patience", &cfg.Patience, 250 * time.Millisecond}, {"Closing", &cfg.Closing, 10 * time.Second}} {
		if *d.value < 0 {
			return fmt.Errorf("runs: Config.%s is negative: %v", d.name, *d.value)
		}
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
	for _, n := range []struct {
		name     string
		value    *int
		standard int
	}{{"Batch", &cfg.Batch, 256}, {"Buffer", &cfg.Buffer, 8192}} {
		if *n.value < 0 {
			return fmt.Errorf("runs: Config.%s is negative: %d", n.name, *n.value)
		}
		if *n.value == 0 {
			*n.value = n.standard
		}
	}
	if cfg.Batch > maxBatch {
		return fmt.Errorf("runs: Config.Batch is above %d: %d", maxBatch, cfg.Batch)
	}
	cfg.Buffer = max(cfg.Buffer, cfg.Batch)
	return nil
}

// Store keeps runs. It is a [runrecord.Sink]; whoever writes to it closes it before
// the database. Safe for concurrent use; several processes may write to one
// database, and each run is written by one of them at a time.
type Store struct {
	db  engine.Engine
	cfg Config

	mu       sync.Mutex
	waiting  []*entry
	bytes    int
	taken    uint64        // events taken since the start
	written  uint64        // of these, what is durable
	progress chan struct{} // closed and replaced after each attempt to write
	wake     chan struct{} // the writer is to write now; holds one
	failing  error         // of the last attempt, nil where it was made good
	stuck    bool          // somebody has lost patience, and nothing was written since
	hurry    bool          // somebody waits for the next batch
	started  bool          // the writer runs
	closed   bool
	closing  chan struct{} // closed by Close
	ended    chan struct{} // closed when the writer has ended
	lost     uint64

	tail block // facts that this process adds to; the writer's alone
}

// New returns the record in a database that has the tables of [Schema].
func New(db engine.Engine, cfg Config) (*Store, error) {
	if err := cfg.withDefaults(); err != nil {
		return nil, err
	}
	return &Store{
		db: db, cfg: cfg,
		progress: make(chan struct{}), wake: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{}),
	}, nil
}
