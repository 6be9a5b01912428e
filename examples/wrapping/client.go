package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/toolkit"
)

type stockQuery struct {
	Article string `json:"article"`
}

type stock struct {
	Article string `json:"article"`
	Pieces  int    `json:"pieces"`
}

// shop is a client as it might come from an SDK: it takes an *http.Client.
type shop struct {
	base string
	http *http.Client
}

// Stock does not look at the status, as clients sometimes forget to: the
// transport reports it, and a 503 is a failure all the same.
func (s *shop) Stock(ctx context.Context, q stockQuery) (stock, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/stock?id="+url.QueryEscape(q.Article), nil)
	if err != nil {
		return stock{}, err
	}
	response, err := s.http.Do(request)
	if err != nil {
		return stock{}, err
	}
	defer response.Body.Close()
	var found stock
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return stock{}, err
	}
	return found, nil
}

// wrapClient: hand the client a Transport, and wrap the method. Inside a wrapped
// call the transport makes one attempt and reports what it saw; the kit retries.
func wrapClient(kit *toolkit.Kit, base string) (done func()) {
	transport := toolkit.NewTransport(toolkit.TransportConfig{Base: &http.Transport{}})
	api := &shop{base: base, http: &http.Client{Transport: transport}}
	toolkit.Wrap(kit, toolkit.Tool[stockQuery, stock]{
		Name: "get_stock", Effect: fault.Read, Timeout: 10 * time.Second, Call: api.Stock,
	})
	return transport.CloseIdleConnections
}

// startStock is the service behind the client, on a loopback port. Its first
// answer is a 503.
func startStock() (*faulttest.Server, error) {
	service, err := faulttest.Start(faulttest.Config{})
	if err != nil {
		return nil, err
	}
	service.Serve("/stock", func(r *http.Request, _ []byte) any {
		return stock{Article: r.URL.Query().Get("id"), Pieces: 12}
	})
	service.Script("/stock", faulttest.Once(faulttest.Status(http.StatusServiceUnavailable)))
	return service, nil
}
