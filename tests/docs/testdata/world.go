// Package world is what the pages take for granted: the code, the variables and
// the services that their reader has.
package world

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"os"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/sqlite"
	"github.com/failloud/failloud/toolkit"
	"github.com/failloud/failloud/toolkit/tools"
)

type (
	InvoiceQuery struct {
		Customer string `json:"customer"`
	}
	Invoice struct {
		ID string `json:"id"`
	}
	Payment struct {
		InvoiceID string `json:"invoice_id"`
	}
	Receipt struct {
		Number string `json:"number"`
	}
	Refund struct {
		OrderID string `json:"order_id"`
		Cents   int    `json:"cents"`
	}
	Note struct {
		ID string `json:"id"`
	}
	Sent struct{}
	Job  struct {
		ID string `json:"id"`
	}
	Query        struct{ Text string }
	SearchResult struct{ Rows []string }
)

// apiClient is the client of a billing service. Its credential is good, unless
// the program is run with the argument "expired".
type apiClient struct{}

func (apiClient) Invoices(context.Context, InvoiceQuery) ([]Invoice, error) {
	if slices.Contains(os.Args, "expired") {
		return nil, &toolkit.HTTPError{Status: http.StatusUnauthorized}
	}
	return []Invoice{{ID: "INV-1"}}, nil
}

func (apiClient) Pay(_ context.Context, p Payment) (Receipt, error) {
	return Receipt{Number: "R-" + p.InvoiceID}, nil
}

func (apiClient) Refund(context.Context, Refund) (Receipt, error) { return Receipt{}, nil }
func (apiClient) Send(context.Context, Note) (Sent, error)        { return Sent{}, nil }

func (apiClient) FindPayment(context.Context, string) (Receipt, bool, error) {
	return Receipt{}, false, nil
}

func (apiClient) CheckPayment(context.Context, Payment) (toolkit.Checked[Receipt], error) {
	return toolkit.Checked[Receipt]{Happened: toolkit.NotDone}, nil
}

func (apiClient) Search(context.Context, Query) (SearchResult, error) { return SearchResult{}, nil }

// Message is what the model of the pages is given and gives.
type Message struct {
	Role, Text, CallID string
	Calls              []toolkit.Request
}

type modelClient struct{}

func (modelClient) Next(context.Context, []Message, []toolkit.Described) Message { return Message{} }
func (modelClient) Stream(context.Context, []Message) iter.Seq[string]           { return nil }

// completion is a reply as SDKs that speak the format of OpenAI have it.
type completion struct {
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	}
}

// Client is an API client whose methods are tools.
type Client struct{ http *http.Client }

func (c *Client) invoicesURL(InvoiceQuery) string { return "" }

// Agent is the reader's agent.
type Agent struct{}

func NewAgent(string) *Agent                         { return &Agent{} }
func (*Agent) Answer(context.Context, string) string { return "" }
func research(context.Context, Query) string         { return "" }

type tokenSource struct{}

func (tokenSource) Renew(context.Context) error { return nil }

var (
	api      apiClient
	tokens   tokenSource
	mail     = toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "mail"})
	logger   = zap.NewNop()
	ctx      = context.Background()
	kit      = toolkit.New(toolkit.Config{})
	model    modelClient
	messages []Message
	facts    = guard.New()
	views    *runrecord.Views

	functions, history []any
	database           idempotency.Store
	invoices           *toolkit.Wrapped[InvoiceQuery, []Invoice]
	answers            = guard.New()
	run                *runrecord.Run
	pay                *toolkit.Wrapped[Payment, Receipt]
	ledger             *idempotency.Ledger
	lite               *sqlite.DB
	secret, fresh, old []byte
	form               struct{ Case, Fingerprint, ID, User string } // as a page sends it
	reply              completion
	dir                *tools.Dir
	query              InvoiceQuery
	payment            = Payment{InvoiceID: "INV-1"}
	draft, question    string
	ticketID           string
	signal             fault.Signal
	none               any
	err                error
	req                *http.Request
	age                time.Duration
	rows               []string
	rate               float64
	job                Job
	search             toolkit.Tool[Query, SearchResult]
	res                toolkit.Result[Receipt]
)

func later(time.Duration)                     {}
func decided(context.Context, []string) error { return nil }
func page(string, ...any)                     {}
func seenBefore(string) bool                  { return false }
func send(string)                             {}

// askTheModel is an agent that claims success whatever its tools gave it, which
// it prints.
func askTheModel(_ context.Context, seen ...string) string {
	for _, text := range seen {
		fmt.Println("model saw:", text)
	}
	return "Invoice INV-1 is paid."
}
