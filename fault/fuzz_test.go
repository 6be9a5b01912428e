package fault_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/failloud/failloud/fault"
)

// coherent fails the test for an outcome that contradicts itself.
func coherent(t *testing.T, s fault.Signal) {
	t.Helper()
	o := classify(s)
	switch {
	case o.Kind == fault.KindNone:
		t.Fatal("no outcome")
	case (o.Kind == fault.KindOK || o.Kind == fault.KindPending) != (o.Fault == nil):
		t.Fatalf("%v with fault %v", o.Kind, o.Fault)
	case o.Fault != nil && o.Fault.Rule == "detector.panic":
		t.Fatal("a built-in detector panicked")
	}
}

func FuzzClassifyHTTP(f *testing.F) {
	for _, body := range []string{
		`{"ok":false,"error":"ratelimited"}`, `{"errors":[{"message":"x","extensions":{"code":"THROTTLED"}}],"data":{"a":null}}`, `[{"errorCode":"A","message":"b"}]`,
		`<Error><Code>SlowDown</Code></Error>`, `<!doctype html><title>Log in</title>`, `{"error":"","response":"{'status': 400, \"a\": (1, None)}"}`, `{"items":[`, ``,
		`<D:multistatus xmlns:D="DAV:"><D:status>HTTP/1.1 404 Not Found</D:status>`, `{"responses":[{"status":200},{"status":"429"}]}`,
		"event: error\ndata: {\"error\":1}\n\n", "id,name\n1,\"a", "<a><b>1</b", "错误：文件不存在", `{"errors":{"a":["b"]}}`, `[{"success":true},{"success":false}]`,
	} {
		f.Add(200, "text/event-stream", body, uint8(1))
		f.Add(200, "text/csv", body, uint8(0))
		f.Add(200, "application/xml", body, uint8(2))
		f.Add(200, "application/json", body, uint8(1))
		f.Add(403, "", body, uint8(3))
		f.Add(207, "text/html", body, uint8(2))
	}
	f.Fuzz(func(t *testing.T, status int, contentType, body string, effect uint8) {
		coherent(t, fault.Signal{
			Effect: fault.Effect(effect % 4),
			HTTP:   &fault.Response{Status: status, Header: http.Header{"Content-Type": {contentType}, "Location": {contentType}}, Body: []byte(body)},
		})
	})
}

func FuzzClassifyText(f *testing.F) {
	for _, text := range []string{
		"MCP error -32602: Unknown tool: x", "Error: not enough seats", "Failed to fetch https://a.example - status code 429", "Traceback (most recent call last):\nKeyError: 'a'",
		`[{"text":"Error executing X: AuthenticationException(401, 'Unauthorized')"}]`, "Document /x does not exist", "\"{\\\"error\\\":1}\"", "curl: (28) timed out",
	} {
		f.Add(text, true, 1)
		f.Add(text, false, 0)
	}
	f.Fuzz(func(t *testing.T, text string, isError bool, code int) {
		coherent(t, fault.Signal{MCP: &fault.MCP{IsError: isError, Text: text}})
		coherent(t, fault.Signal{Effect: fault.Read, HasText: true, Text: text})
		coherent(t, fault.Signal{HasValue: true, Value: text})
		coherent(t, fault.Signal{Exit: &fault.Exit{Code: code, Output: []byte(text)}})
		coherent(t, fault.Signal{MCP: &fault.MCP{Structured: json.RawMessage(text), Text: text}})
	})
}

func FuzzClassifyError(f *testing.F) {
	for _, text := range []string{
		"rpc error: code = Unavailable desc = transport is closing", "ERROR: x (SQLSTATE 40001)", "Error 1213 (40001): Deadlock", "ORA-00060: deadlock",
		"dial tcp 10.0.0.1:1: connect: connection refused", "googleapi: Error 403: x, rateLimitExceeded", "exit status 2", "ECONNRESET", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		coherent(t, fault.Signal{Err: errors.New(text)})
		coherent(t, fault.Signal{Effect: fault.Write, Sent: fault.SentNo, Err: errors.New(text)})
	})
}

func FuzzParseCondition(f *testing.F) {
	for _, text := range []string{`a == 1`, `results[].content not empty`, `text starts with "x"`, `a.b != null`, `a contains "b"`, `a ==`, `[] == 1`} {
		f.Add(text, `{"a":{"b":[1,"x"]},"results":[{"content":""}]}`)
	}
	f.Fuzz(func(t *testing.T, text, result string) {
		c, err := fault.ParseCondition(text)
		var root any
		if json.Unmarshal([]byte(result), &root) != nil {
			return
		}
		if held := c.Holds(root, result); held && err != nil {
			t.Fatalf("the refused condition %q holds", text)
		}
	})
}
