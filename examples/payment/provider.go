package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Payment is what the agent may ask for.
type Payment struct {
	Invoice string `json:"invoice"`
	Cents   int    `json:"cents"`
}

// Receipt is how the provider confirms a payment.
type Receipt struct {
	Number  string `json:"number"`
	Invoice string `json:"invoice"`
	Cents   int    `json:"cents"`
}

// fate is what becomes of one request to pay.
type fate int

const (
	answered    fate = iota
	replyLost        // booked, and the connection ends before the reply
	requestLost      // the connection ends before anything is booked; the caller sees the same
	noReply          // booked, and never answered
)

// provider is the payment service of the stories: a real HTTP service on a
// loopback port. It books whatever it is asked to book, pays no attention to
// Idempotency-Key, and knows afterwards what was paid how often.
type provider struct {
	URL    string
	server *http.Server
	booked chan struct{} // gets one value a booking

	mu       sync.Mutex
	fates    []fate // of the next requests; then everything is answered
	receipts []Receipt
	requests int // to pay
}

// startProvider listens on a free loopback port. The first requests to pay meet
// these fates.
func startProvider(fates ...fate) (*provider, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &provider{URL: "http://" + listener.Addr().String(), fates: fates, booked: make(chan struct{}, 16)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /payments", p.pay)
	mux.HandleFunc("GET /payments/{invoice}", p.find)
	p.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = p.server.Serve(listener) }() // ends with Close
	return p, nil
}

// Close stops the service.
func (p *provider) Close() { _ = p.server.Close() }

func (p *provider) pay(w http.ResponseWriter, r *http.Request) {
	var payment Payment
	if err := json.NewDecoder(r.Body).Decode(&payment); err != nil {
		http.Error(w, `{"error":"unreadable"}`, http.StatusBadRequest)
		return
	}
	fate := p.next()
	if fate == requestLost {
		panic(http.ErrAbortHandler) // how a handler cuts its connection
	}
	receipt := p.book(payment)
	switch fate {
	case replyLost:
		panic(http.ErrAbortHandler)
	case noReply:
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // until the caller has gone
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(receipt)
}

func (p *provider) next() fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests++
	if len(p.fates) == 0 {
		return answered
	}
	next := p.fates[0]
	p.fates = p.fates[1:]
	return next
}

func (p *provider) book(payment Payment) Receipt {
	p.mu.Lock()
	defer p.mu.Unlock()
	receipt := Receipt{Number: fmt.Sprintf("R-%d", len(p.receipts)+1), Invoice: payment.Invoice, Cents: payment.Cents}
	p.receipts = append(p.receipts, receipt)
	select {
	case p.booked <- struct{}{}:
	default: // nobody waits for it
	}
	return receipt
}

func (p *provider) find(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for _, receipt := range p.paid(r.PathValue("invoice")) {
		_ = json.NewEncoder(w).Encode(receipt)
		return
	}
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, `{"error":"no_such_payment"}`)
}

// paid returns every payment that was booked for an invoice.
func (p *provider) paid(invoice string) []Receipt {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []Receipt
	for _, receipt := range p.receipts {
		if receipt.Invoice == invoice {
			found = append(found, receipt)
		}
	}
	return found
}

// asked is how many requests to pay have arrived.
func (p *provider) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}
