package toolkit_test

import (
	"context"
	"sync"

	"github.com/failloud/failloud/escalation"
)

// notes remembers what somebody was told, and can fail to tell it.
type notes struct {
	mu    sync.Mutex
	cases []escalation.Case
	fails error
	then  func(escalation.Case) // called for each
}

func (n *notes) Notify(_ context.Context, c escalation.Case) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fails != nil {
		return n.fails
	}
	n.cases = append(n.cases, c)
	if n.then != nil {
		n.then(c)
	}
	return nil
}
