package idempotency

import (
	"context"
	"encoding/json"

	"github.com/failloud/failloud/fault"
)

// CONTRACT SKELETON: what toolkit builds on. Bodies, rows, rules and stores belong to this package's owner.

// Ledger is the durable memory of what was intended and what happened, per key.
type Ledger struct{}

// Config: the zero value is an in-memory store.
type Config struct{ Store Store }

func New(cfg Config) (*Ledger, error) { return &Ledger{}, nil }

// Store loads, applies a command by the pure rules, and saves atomically.
type Store interface{}

// Key says which piece of work this is. Made by the runtime, never by the model.
type Key struct {
	Tenant, Tool, Intent string
	Occurrence           int
}

// Intent is what is about to be done once.
type Intent struct {
	Key      Key
	Effect   fault.Effect
	Args     json.RawMessage // canonical
	Volatile []string        // fields left out of the fingerprint
	RunID    string
	Call     uint32
	TaskName string
	HasCheck bool
}

// Answer says what a claim may do.
type Answer uint8

const (
	Execute  Answer = iota // won: this claim runs the call
	Replay                 // done before: Result is the stored one
	Busy                   // another claim is running it
	InDoubt                // unknown or escalated: starts nothing, see CaseID
	Rejected               // a person said no
	GivenUp                // failed for good
)

// Claim is one claim of one attempt.
type Claim struct {
	Answer    Answer
	Result    json.RawMessage
	CaseID    string
	RemoteKey string // to hand to the service
	Epoch     int64
}

func (l *Ledger) Claim(ctx context.Context, in Intent) (*Claim, error) { return &Claim{}, nil }
