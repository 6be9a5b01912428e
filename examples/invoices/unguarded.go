package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// unguarded hands the agent the body of whatever the service answered, as most
// agent loops do, and lets the draft leave. Nothing ever says that it failed.
func unguarded(ctx context.Context, service *invoiceService) (draft, status string) {
	draft = answer(ctx, func(ctx context.Context, customer string) string {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, service.URL+"/invoices?customer="+url.QueryEscape(customer), nil)
		if err != nil {
			return err.Error()
		}
		request.Header.Set("Authorization", "Bearer demo")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err.Error()
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return err.Error()
		}
		return string(body)
	})
	return draft, "success"
}
