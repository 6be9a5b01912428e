package casefile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/casefile"
)

func TestParseHTTPReadsWhatPeoplePaste(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		status int
		header map[string]string
		body   string
		short  bool
	}{
		"as curl prints it": {
			text:   "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nWWW-Authenticate: Bearer\r\n\r\n{\"error\":\"expired\"}",
			status: 401, header: map[string]string{"Content-Type": "application/json", "Www-Authenticate": "Bearer"}, body: `{"error":"expired"}`,
		},
		"HTTP/2 has no reason phrase":          {text: "HTTP/2 503 \nretry-after: 120\n\nbusy\n", status: 503, header: map[string]string{"Retry-After": "120"}, body: "busy\n"},
		"HTTP/3, blank lines in front":         {text: "\n\r\n  HTTP/3 204\n\n", status: 204},
		"status line alone":                    {text: "HTTP/1.0 502 Bad Gateway", status: 502},
		"no empty line before the body":        {text: "HTTP/1.1 500 Oops\nServer: x\n{\"error\": \"boom\"}", status: 500, header: map[string]string{"Server": "x"}, body: `{"error": "boom"}`},
		"folded header":                        {text: "HTTP/1.1 429 Slow\nX-Note: one\n two\n\n", status: 429, header: map[string]string{"X-Note": "one two"}},
		"100 Continue comes first":             {text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\nServer: x\r\n\r\nno", status: 413, body: "no"},
		"the proxy answers first":              {text: "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 401\r\nserver: x\r\n\r\nno", status: 401, body: "no"},
		"redirect of announced length":         {text: "HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nmoveHTTP/1.1 200 OK\r\nServer: x\r\n\r\n[]", status: 200, body: "[]"},
		"redirects of unknown length":          {text: "HTTP/2 301\nlocation: /a\n\n<html></html>HTTP/2 302\nlocation: /b\n\nHTTP/2 404\nserver: x\n\ngone", status: 404, body: "gone"},
		"log-in asked for, then given":         {text: "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Digest\n\nno\nHTTP/1.1 200 OK\nServer: x\n\nyes", status: 200, body: "yes"},
		"a quoted status line is a body":       {text: "HTTP/1.1 401 Unauthorized\nServer: x\n\n{\"error\":\"HTTP/1.1 401 Unauthorized\"}", status: 401, body: `{"error":"HTTP/1.1 401 Unauthorized"}`},
		"a page about HTTP is a body":          {text: "HTTP/1.1 200 OK\nServer: x\n\nexample:\nHTTP/1.1 404 Not Found\nServer: y\n", status: 200, body: "example:\nHTTP/1.1 404 Not Found\nServer: y\n"},
		"the paste added a line end":           {text: "HTTP/1.1 200 OK\nContent-Length: 2\n\n[]\n", status: 200, body: "[]"},
		"the body is cut":                      {text: "HTTP/1.1 200 OK\nContent-Length: 400\n\n{\"items\":[{\"id\":1},{", status: 200, body: `{"items":[{"id":1},{`, short: true},
		"only the CRs were lost":               {text: "HTTP/1.1 200 OK\nContent-Length: 8\n\na\nb\nc\n", status: 200, body: "a\nb\nc\n"},
		"a HEAD request has no body":           {text: "HTTP/1.1 200 OK\nContent-Length: 400\n\n", status: 200},
		"unpacked, so the length says nothing": {text: "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 400\n\n[]", status: 200, body: "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, short, err := casefile.ParseHTTP([]byte(tc.text))
			require.NoError(t, err)
			require.Equal(t, tc.status, r.Status)
			require.Equal(t, tc.body, string(r.Body))
			require.Equal(t, tc.short, short)
			for name, value := range tc.header {
				require.Equal(t, []string{value}, r.Header[name])
			}
		})
	}
}

func TestParseHTTPRefusesWhatIsNoResponse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n\n", "curl: (7) Failed to connect", "HTTP/1.1", "HTTP/1.1 OK", "HTTP/1.1 40", "HTTP/1.1 4010 x", "HTTP/x 200", "HTTP/1.1 099"} {
		_, _, err := casefile.ParseHTTP([]byte(text))
		require.ErrorIs(t, err, casefile.ErrNoResponse, "%q", text)
	}
}

func FuzzParseHTTP(f *testing.F) {
	f.Add("HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n\r\n{}")
	f.Add("HTTP/2 301\nlocation: /a\n\n<html></html>HTTP/2 404\nserver: x\n\ngone")
	f.Add("HTTP/1.1 200 OK\nContent-Length: 400\n folded\n\n[]")
	f.Fuzz(func(t *testing.T, text string) {
		r, _, err := casefile.ParseHTTP([]byte(text))
		if err != nil {
			return
		}
		if r.Status < 100 || r.Status > 999 {
			t.Fatalf("status %d", r.Status)
		}
		if !strings.Contains(text, string(r.Body)) {
			t.Fatal("the body is not a part of the text")
		}
	})
}
