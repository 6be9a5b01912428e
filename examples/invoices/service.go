package main

import (
	"encoding/json"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// invoiceService is the internal API of the story: a real HTTP service on a
// loopback port. Its bearer token dies after a number of requests, and from
// then on every request is answered 401, as when a credential expires in the
// middle of a run.
type invoiceService struct {
	URL    string
	server *http.Server
	left   atomic.Int64 // requests the token is still good for
	asked  atomic.Int64 // requests seen, good or not
}

// Invoice is what the service knows.
type Invoice struct {
	ID     string  `json:"id"`
	Amount float64 `json:"amount"`
	Due    string  `json:"due"`
}

var ledger = map[string][]Invoice{
	"Acme":     {{ID: "INV-1001", Amount: 1200.00, Due: "2026-12-01"}, {ID: "INV-1007", Amount: 380.50, Due: "2026-12-15"}},
	"Birch":    {}, // owes nothing: an empty answer is an answer
	"Cedar":    {{ID: "INV-1002", Amount: 5400.00, Due: "2026-12-03"}},
	"Dogwood":  {{ID: "INV-1003", Amount: 99.90, Due: "2026-12-20"}},
	"Elderkin": {{ID: "INV-1004", Amount: 41.00, Due: "2026-12-24"}},
}

// startService listens on a free loopback port. The token is good for the
// given number of requests.
func startService(good int64) (*invoiceService, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &invoiceService{URL: "http://" + listener.Addr().String()}
	s.left.Store(good)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /invoices", s.invoices)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

// Close stops the service.
func (s *invoiceService) Close() { _ = s.server.Close() }

func (s *invoiceService) invoices(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer demo" || s.left.Add(-1) < 0 {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="The token expired"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":"invalid_token","message":"The access token expired"}`))
		return
	}
	_ = json.NewEncoder(w).Encode(ledger[r.URL.Query().Get("customer")])
}
