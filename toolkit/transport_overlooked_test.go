package toolkit_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// An answer that failed is not forgotten because a later one is fine.
func TestAnOverlookedFailureIsNotForgotten(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		effect fault.Effect
		steps  string
		kind   fault.Kind
		reason fault.Reason
	}{
		"500, then fine":               {fault.Write, "POST /500/pay, POST /200/log", fault.KindUnknown, fault.ReasonServerError},
		"401, then fine":               {fault.Write, "POST /401/pay, POST /200/log", fault.KindUnknown, fault.ReasonAuth},
		"404 alone":                    {fault.Write, "POST /404/pay", fault.KindFailed, fault.ReasonNotFound},
		"401, then read":               {fault.Write, "POST /401/pay, GET /200/log", fault.KindFailed, fault.ReasonAuth},
		"422, then another of a kind":  {fault.Idempotent, "PUT /422/a, PUT /200/b", fault.KindFailed, fault.ReasonInvalidArgs},
		"says no, then fine":           {fault.Write, `POST /200/pay?body={"ok":false,"error":"invalid_auth"}, POST /200/log?body={}`, fault.KindUnknown, fault.ReasonAuth},
		"500, then lost, ignored":      {fault.Write, "POST /500/pay, POST /lost/log", fault.KindUnknown, fault.ReasonServerError},
		"look-up, or else create":      {fault.Write, "GET /404/customers/1, POST /201/customers", fault.KindOK, 0},
		"update, or else create":       {fault.Write, "PUT /404/200/c/1, POST /404/200/c", fault.KindFailed, fault.ReasonNotFound},
		"delete what is not there":     {fault.Write, "DELETE /404/old, POST /200/new", fault.KindOK, 0},
		"one source, then another":     {fault.Read, "GET /503/a, GET /200/b", fault.KindOK, 0},
		"search by post, then another": {fault.Read, "POST /503/a, POST /200/b", fault.KindOK, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newTill(t).attempt(t, tt.effect, toolkit.TransportConfig{}, func(c wired) error {
				for step := range strings.SplitSeq(tt.steps, ", ") {
					method, path, _ := strings.Cut(step, " ")
					_, _ = c.ignore(method, path)
				}
				return nil
			})
			require.Equal(t, tt.kind, o.Kind, "%+v", o.Fault)
			require.Equal(t, tt.reason, o.Reason())
		})
	}
}

// What the function made good itself has not failed.
func TestAFailureThatWasMadeGoodIsNone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		first, then  string // method and body
		firstPath    string
		status       int
		good, handle bool
	}{
		"the same again":       {first: "POST a", then: "POST a", status: 401, good: true},
		"another body":         {first: "POST a", then: "POST b", status: 401},
		"a put of a new body":  {first: "PUT a", then: "PUT b", status: 412, good: true},
		"create, or update":    {first: "POST a", then: "PUT a", firstPath: "/things", status: 409, good: true},
		"update, or create":    {first: "PUT a", then: "POST a", firstPath: "/things/1/part", status: 404, good: true},
		"another thing":        {first: "POST a", then: "PUT a", firstPath: "/thing", status: 409},
		"refused is not state": {first: "POST a", then: "PUT a", firstPath: "/things", status: 401},
		"handled":              {first: "POST a", then: "POST b", status: 401, good: true, handle: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1) == 1 {
					w.WriteHeader(tt.status)
				}
			}))
			t.Cleanup(s.Close)
			b := &till{url: s.URL}
			o := b.attempt(t, fault.Write, toolkit.TransportConfig{}, func(c wired) error {
				for i, step := range []string{tt.first, tt.then} {
					method, body, _ := strings.Cut(step, " ")
					path := "/things/1"
					if i == 0 && tt.firstPath != "" {
						path = tt.firstPath
					}
					req, err := http.NewRequestWithContext(c.ctx, method, s.URL+path, strings.NewReader(body))
					if err != nil {
						return err
					}
					resp, err := c.Do(req)
					if err != nil {
						return err
					}
					_ = resp.Body.Close()
					if tt.handle && i == 0 {
						toolkit.Handled(c.ctx)
					}
				}
				return nil
			})
			require.Equal(t, tt.good, o.OK(), "%+v", o)
		})
	}
}
