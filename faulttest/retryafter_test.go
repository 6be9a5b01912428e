package faulttest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
)

// TestEveryFormOfAWaitIsUnderstood closes the circle: what the kit can say, the
// library reads, and never as less than was asked for.
func TestEveryFormOfAWaitIsUnderstood(t *testing.T) {
	t.Parallel()
	s := faulttest.NewServer(t, faulttest.Config{})
	const wait = 2500 * time.Millisecond
	for _, form := range faulttest.WaitForms() {
		s.Script("", faulttest.Always(faulttest.RateLimited(form, wait)))
		r := do(t, s, "GET", "/", "")
		require.Equal(t, 429, r.status)
		got, ok := fault.RetryAfter(r.header, []byte(r.body), time.Now())
		require.True(t, ok, "%s: nothing read in %v %s", form, r.header, r.body)
		require.GreaterOrEqual(t, got, wait, form)
		require.LessOrEqual(t, got, wait+2*time.Second, form) // the date and the answer's clock have whole seconds
	}
}
