package fault_test

import (
	"net/http"
	"testing"

	"github.com/failloud/failloud/fault"
)

type invoice struct {
	ID     string  `json:"id"`
	Amount float64 `json:"amount"`
	Status string  `json:"status"`
}

func BenchmarkClassify(b *testing.B) {
	expired := &fault.Response{
		Status: 401, Header: http.Header{"Content-Type": {"application/json"}},
		Body: []byte(`{"error":{"code":"token_expired","message":"The access token expired"}}`),
	}
	for _, bm := range []struct {
		name   string
		signal fault.Signal
	}{
		{"typed success", fault.Signal{Effect: fault.Read, HasValue: true, Value: []invoice{{ID: "a"}}}},
		{"typed success with rules", fault.Signal{Effect: fault.Read, HasValue: true, Value: []invoice{{ID: "a"}}, Rules: compiled(b, fault.Rules{MinRows: 1})}},
		{"json success", fault.Signal{Effect: fault.Read, HTTP: &fault.Response{Status: 200, Body: []byte(`{"items":[{"id":1,"name":"a"}],"total":1}`)}}},
		{"401 with body", fault.Signal{Effect: fault.Read, HTTP: expired}},
		{"401 without body", fault.Signal{Effect: fault.Read, HTTP: &fault.Response{Status: 401}}},
		{"text of a page", fault.Signal{Effect: fault.Read, HasText: true, Text: "The flight was delayed because of an error in the booking system."}},
		{"text of a failure", fault.Signal{Effect: fault.Read, HasText: true, Text: "Failed to fetch https://example.com - status code 429"}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			var c fault.Classifier
			for b.Loop() {
				c.Classify(&bm.signal)
			}
		})
	}
}

func compiled(tb testing.TB, r fault.Rules) *fault.Rules {
	tb.Helper()
	if err := r.Compile(); err != nil {
		tb.Fatal(err)
	}
	return &r
}
