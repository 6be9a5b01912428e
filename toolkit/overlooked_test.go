package toolkit_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// The silent failure this library is about: a client that decodes whatever comes
// into its result, and never looks at the status.
func TestAStatusThatTheFunctionOverlookedIsAFailure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		status  int
		body    string
		handled bool
		kind    fault.Kind
		reason  fault.Reason
	}{
		{"fine", 200, `{"id":"INV-1"}`, false, fault.KindOK, fault.ReasonNone},
		{"expired", 401, `{"error":"token expired"}`, false, fault.KindFailed, fault.ReasonAuth},
		{"broken", 500, `{"error":"internal"}`, false, fault.KindFailed, fault.ReasonServerError},
		{"fine, says the status", 200, `{"ok":false,"error":"account_inactive"}`, false, fault.KindFailed, fault.ReasonAuth},
		{"dealt with by the function", 500, `{"error":"internal"}`, true, fault.KindOK, fault.ReasonNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			}))
			t.Cleanup(service.Close)
			client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: &http.Transport{DisableKeepAlives: true}})}
			kit := single()
			get := read(kit, "get_invoice", func(ctx context.Context, _ query) (got invoice, _ error) {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, service.URL, nil)
				if err != nil {
					return got, err
				}
				resp, err := client.Do(req)
				if err != nil {
					return got, err
				}
				defer resp.Body.Close()
				if tt.handled {
					toolkit.Handled(ctx)
					return invoice{ID: "none"}, nil
				}
				return got, json.NewDecoder(resp.Body).Decode(&got)
			})
			ctx, run := start(t, kit, runrecord.Task{})
			res := get.Invoke(ctx, acme)
			require.Equal(t, tt.kind, res.Outcome.Kind)
			require.Equal(t, tt.reason, res.Outcome.Reason())
			if !tt.handled {
				require.EqualValues(t, tt.status, run.Calls()[0].Status)
			}
		})
	}
}
