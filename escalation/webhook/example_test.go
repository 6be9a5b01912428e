package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/escalation/webhook"
)

// A receiver that believes only what was signed.
func Example() {
	secret := []byte("at least sixteen bytes")
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil || webhook.Verify(r.Header, body, secret, 0) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var said struct{ Case escalation.Case }
		if json.Unmarshal(body, &said) == nil {
			fmt.Println("case", said.Case.ID, "about", said.Case.Tool)
		}
	}))
	defer receiver.Close()

	hook, err := webhook.New(webhook.Config{URL: receiver.URL, Secrets: [][]byte{secret}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := hook.Notify(context.Background(), escalation.Case{ID: "4f1c-1", Tool: "pay_invoice"}); err != nil {
		fmt.Println(err)
	}
	// Output: case 4f1c-1 about pay_invoice
}
