package toolkit_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// FuzzGivenSchema: a schema may come from an MCP server. It is usable or named by
// Start; either way any arguments get an answer, and only a usable one lets the
// function be entered.
func FuzzGivenSchema(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","required":["id"]}`, `{"$ref":"#"}`, `{"$ref":"file:///etc/passwd"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`,
		`{"pattern":"("}`, `{"properties":{"a":{"pattern":"(a+)+$"}}}`, `{"type":"objekt"}`, `{"minimum":1e400}`, `true`, `false`, `[]`, `{`, `null`,
	} {
		f.Add([]byte(seed), []byte(`{"id":1,"a":"aaaa"}`))
	}
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		kit := toolkit.New(toolkit.Config{})
		entered := false
		toolkit.Wrap(kit, toolkit.Tool[json.RawMessage, string]{
			Name: "given", Effect: fault.Read, Schema: schema,
			Call: func(context.Context, json.RawMessage) (string, error) { entered = true; return "done", nil },
		})
		_, run, err := kit.Start(t.Context(), runrecord.Task{})
		run.End()
		response := kit.Invoke(t.Context(), "given", args)
		switch {
		case err != nil && (entered || response.Outcome.Kind != fault.KindNotRun):
			t.Fatalf("%s was refused (%v) and called: %v", schema, err, response.Outcome)
		case entered != response.Outcome.OK():
			t.Fatalf("%s with %s: entered %t, %v", schema, args, entered, response.Outcome)
		case len(response.String()) > 300:
			t.Fatalf("%s with %s: %s", schema, args, response)
		}
	})
}
