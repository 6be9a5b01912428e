package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// Of several requests at a time one is refused: the others were sent.
func TestOneOfSeveralRequestsAtATime(t *testing.T) {
	t.Parallel()
	all := func(c wired, send func(i int) error) error {
		errs := make([]error, 8)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = send(i) })
		}
		wg.Wait()
		return errors.Join(errs...)
	}
	status := func(i, failed int) string {
		if i == 3 {
			return fmt.Sprintf("/%d/pay/%d", failed, i)
		}
		return fmt.Sprintf("/200/pay/%d", i)
	}
	for _, failed := range []int{404, 401, 429, 500} {
		b := newTill(t)
		o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
			return all(c, func(i int) error { return c.send("POST", status(i, failed)) })
		})
		require.EqualValues(t, 7, b.pays.Load(), failed)
		require.Equal(t, fault.KindUnknown, o.Kind, failed)

		// The same, by a function that does not look at the status. All are under
		// way before any is answered.
		b = newTill(t)
		o = b.attempt(t, fault.Write, toolkit.TransportConfig{Base: together(8)}, func(c wired) error {
			return all(c, func(i int) error { _, err := c.ignore("POST", status(i, failed)); return err })
		})
		require.EqualValues(t, 7, b.pays.Load(), failed)
		require.Equal(t, fault.KindUnknown, o.Kind, failed)

		b = newTill(t)
		o = b.attempt(t, fault.Read, toolkit.TransportConfig{Base: together(8)}, func(c wired) error {
			return all(c, func(i int) error { _, err := c.ignore("GET", status(i, failed)); return err })
		})
		if failed == 404 {
			require.True(t, o.OK(), "a look-up that found nothing")
		} else {
			require.Equal(t, fault.KindFailed, o.Kind, "a page of the result is missing")
		}
	}
	// A function that returns while a payment is under way.
	b := newTill(t)
	sent, answer := make(chan struct{}), make(chan struct{})
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.Contains(r.URL.Path, "pay") {
			close(sent)
			<-answer
			r = r.WithContext(context.WithoutCancel(r.Context())) // it is on its way, whoever has left
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	var wg sync.WaitGroup
	o := b.attempt(t, fault.Write, toolkit.TransportConfig{Base: base}, func(c wired) error {
		wg.Go(func() { _, _ = c.ignore("POST", "/200/pay") })
		<-sent
		return c.send("POST", "/429/notify")
	})
	close(answer)
	wg.Wait()
	require.Equal(t, fault.KindUnknown, o.Kind)
	require.EqualValues(t, 1, b.pays.Load())
}

// together is a base that hands out the answers n at a time.
func together(n int) http.RoundTripper {
	var mu sync.Mutex
	waiting, all := 0, make(chan struct{})
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(r)
		mu.Lock()
		mine := all
		if waiting++; waiting == n {
			close(all)
			waiting, all = 0, make(chan struct{})
		}
		mu.Unlock()
		<-mine
		return resp, err
	})
}
