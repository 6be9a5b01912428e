package fault_test

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/failloud/failloud/fault"
)

func ExampleLine() {
	fmt.Println(fault.Line(fault.LineInput{
		Tool: "get_invoices", Effect: fault.Read, Attempts: 1,
		Outcome: fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: fault.ReasonAuth, Action: fault.FailFast, Status: 401}},
	}))
	// Output:
	// TOOL_FAILED: get_invoices returned 401 (auth) after 1 attempt. Do not guess. Tell the user this lookup failed.
}

func ExampleNext() {
	cut := &fault.Fault{Reason: fault.ReasonTimeout, Action: fault.Retry, Ran: fault.RanUnknown}
	fmt.Println("read:           ", fault.Next(fault.Read, cut, false, false))
	fmt.Println("write:          ", fault.Next(fault.Write, cut, false, false))
	fmt.Println("write with key: ", fault.Next(fault.Write, cut, true, false))
	fmt.Println("write + Check:  ", fault.Next(fault.Write, cut, false, true))
	// Output:
	// read:            again
	// write:           ask
	// write with key:  again
	// write + Check:   check
}

func ExampleRetryAfter() {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	wait, ok := fault.RetryAfter(http.Header{"Retry-After": {"Sun, 01 Mar 2026 12:00:30 GMT"}}, nil, now)
	fmt.Println(wait, ok)
	wait, ok = fault.RetryAfter(nil, []byte(`{"error":"Rate limit reached. Please try again in 634ms."}`), now)
	fmt.Println(wait, ok)
	// Output:
	// 30s true
	// 634ms true
}

func ExamplePermanent() {
	errClosed := errors.New("the account is closed")
	err := fault.Permanent(errClosed) // returned by a tool: refused for good, nothing was done
	fmt.Println(err, errors.Is(err, errClosed))
	// Output:
	// the account is closed true
}
