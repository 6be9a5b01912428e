package toolkit

import "sync/atomic"

// The prices of the retry budget, after the AWS SDKs' retry quota: an outage of
// everything costs a process a hundred retries, after which calls are made once
// until some of them succeed again.
const (
	defaultRetryTokens = 500
	retryPrice         = 5
	successRefund      = 1
)

// RetryBudget keeps retries from multiplying the load on a service that is
// down. A retry takes five tokens and gives them back when it succeeds; a call
// that succeeds at once gives one back. Where too few are left, a call ends with
// the fault it has. It is safe for concurrent use.
type RetryBudget struct {
	left     atomic.Int64
	capacity int64
}

// shared is the budget of every kit and transport of the process that names none.
var shared = NewRetryBudget(0)

// SharedRetries is the budget of every [Kit] and [Transport] of the process that
// names none of its own: an outage costs the process a hundred retries, however
// many kits it has.
func SharedRetries() *RetryBudget { return shared }

// NewRetryBudget returns a full budget of that many tokens; 0 or less means 500.
func NewRetryBudget(tokens int) *RetryBudget {
	if tokens <= 0 {
		tokens = defaultRetryTokens
	}
	b := &RetryBudget{capacity: int64(tokens)}
	b.left.Store(b.capacity)
	return b
}

// Left returns how many tokens are left.
func (b *RetryBudget) Left() int { return int(b.left.Load()) }

// take buys one retry.
func (b *RetryBudget) take() bool {
	for {
		left := b.left.Load()
		if left < retryPrice {
			return false
		}
		if b.left.CompareAndSwap(left, left-retryPrice) {
			return true
		}
	}
}

// succeeded gives back what a success after so many attempts is worth. A full
// budget is only read, so that healthy calls share no written memory.
func (b *RetryBudget) succeeded(attempts int) {
	refund := int64(successRefund)
	if attempts > 1 {
		refund = retryPrice
	}
	for {
		left := b.left.Load()
		if left >= b.capacity {
			return
		}
		if b.left.CompareAndSwap(left, min(left+refund, b.capacity)) {
			return
		}
	}
}
