package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/failloud/failloud/toolkit"
)

// client is the provider's API as the agent's owner has it.
type client struct {
	base string
	http *http.Client
}

// pay asks for a payment. When it returns an error, nobody knows whether money
// has moved.
func (c *client) pay(ctx context.Context, p Payment) (Receipt, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return Receipt{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/payments", bytes.NewReader(body))
	if err != nil {
		return Receipt{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return Receipt{}, err
	}
	defer response.Body.Close()
	if err := toolkit.StatusError(response); err != nil {
		return Receipt{}, err
	}
	var receipt Receipt
	if err := json.NewDecoder(response.Body).Decode(&receipt); err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

// check finds out whether a payment in doubt was made: the Check of the tool.
func (c *client) check(ctx context.Context, p Payment) (toolkit.Checked[Receipt], error) {
	var none toolkit.Checked[Receipt]
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/payments/"+p.Invoice, nil)
	if err != nil {
		return none, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return none, err // cannot tell
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return toolkit.Checked[Receipt]{Happened: toolkit.NotDone}, nil
	}
	if err := toolkit.StatusError(response); err != nil {
		return none, err
	}
	var receipt Receipt
	if err := json.NewDecoder(response.Body).Decode(&receipt); err != nil {
		return none, err
	}
	return toolkit.Checked[Receipt]{Happened: toolkit.Done, Result: receipt}, nil
}
