package toolkit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/failloud/failloud/fault"
)

// CONTRACT SKELETON. Tool describes one tool; only Name and Call are needed.
type Tool[In, Out any] struct {
	Name        string
	Description string
	Effect      fault.Effect
	Timeout     time.Duration
	Upstream    *Upstream
	Call        func(ctx context.Context, in In) (Out, error)
	KeyOf       func(in In) string
	Check       func(ctx context.Context, in In) (Checked[Out], error)
	KeyTTL      time.Duration // how long the service honours the idempotency key; 0: it does not
	Await       func(ctx context.Context, in In, last Out) (Out, error)
	Rules       fault.Rules
	Schema      json.RawMessage
	Identity    []string
	Volatile    []string
	Claims      []string
	Poller      bool
	Detail      bool // add a redacted detail block after the failure line
	MaxResult   int  // bytes the model may see of a result
	Fallback    []string
	Classify    []fault.Detector
}

// Checked is what Check found out about an attempt in doubt.
type Checked[Out any] struct {
	Happened Happened
	Result   Out
}

type Happened uint8

const (
	CannotTell Happened = iota
	Done
	NotDone
)

// Upstream is what dies together.
type Upstream struct{}
