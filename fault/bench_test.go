package fault_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/failloud/failloud/fault"
)

type invoice struct {
	ID     string  `json:"id"`
	Amount float64 `json:"amount"`
	Status string  `json:"status"`
}

func BenchmarkClassify(b *testing.B) {
	expired := &fault.Response{
		Status: 401, Header: http.Header{"Content-Type": {"application/json"}},
		Body: []byte(`{"error":{"code":"token_expired","message":"The access token expired"}}`),
	}
	for _, bm := range []struct {
		name   string
		signal fault.Signal
	}{
		{"typed success", fault.Signal{Effect: fault.Read, HasValue: true, Value: []invoice{{ID: "a"}}}},
		{"typed success with rules", fault.Signal{Effect: fault.Read, HasValue: true, Value: []invoice{{ID: "a"}}, Rules: compiled(b, fault.Rules{MinRows: 1})}},
		{"json success", fault.Signal{Effect: fault.Read, HTTP: &fault.Response{Status: 200, Body: []byte(`{"items":[{"id":1,"name":"a"}],"total":1}`)}}},
		{"short answer", fault.Signal{Effect: fault.Read, HasText: true, Text: `{"da_gui":false,"ly_do":"Khách chưa có email"}`}},
		{"short record", fault.Signal{Effect: fault.Read, HasText: true, Text: `{"ma":"VN","ten":"Việt Nam","mo_ta":"Đông Nam Á"}`}},
		{"401 with body", fault.Signal{Effect: fault.Read, HTTP: expired}},
		{"401 without body", fault.Signal{Effect: fault.Read, HTTP: &fault.Response{Status: 401}}},
		{"text of a page", fault.Signal{Effect: fault.Read, HasText: true, Text: "The flight was delayed because of an error in the booking system."}},
		{"text of a failure", fault.Signal{Effect: fault.Read, HasText: true, Text: "Failed to fetch https://example.com - status code 429"}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			var c fault.Classifier
			for b.Loop() {
				c.Classify(&bm.signal)
			}
		})
	}
}

// BenchmarkClassifyResult judges whole results as an audit reads them, and
// reports how many bytes of them pass in a second.
func BenchmarkClassifyResult(b *testing.B) {
	for _, bm := range []struct{ name, text string }{
		{"rows 10K", rows(10 << 10)},
		{"rows 50K", rows(50 << 10)},
		{"object 2K", `{"status":"ok","data":` + rows(2<<10) + `,"message":"2 of 2"}`},
		{"string in wrapper 10K", wrapped(rows(10 << 10))},
		{"python in wrapper 10K", wrapped(strings.ReplaceAll(rows(10<<10), `"`, `'`))},
		{"prose 700", prose(700)},
		{"prose 10K", prose(10 << 10)},
		{"page 10K", "<!doctype html><html><head><title>Harbour guide</title></head><body><p>" + prose(10<<10) + "</p></body></html>"},
		{"cut rows 10K", rows(10 << 10)[:10<<10-9]},
		{"failure", `{"error":{"code":"token_expired","message":"The access token expired"}}`},
		{"sentence of failure", "Failed to fetch https://example.com - status code 429"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			signal := fault.Signal{Effect: fault.Read, MCP: &fault.MCP{Text: bm.text}}
			b.SetBytes(int64(len(bm.text)))
			b.ReportAllocs()
			var c fault.Classifier
			for b.Loop() {
				c.Classify(&signal)
			}
		})
	}
}

// rows is a list of search results of about n bytes.
func rows(n int) string {
	var b strings.Builder
	b.WriteString(`[`)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"Harbour %d","status":"open","position":{"lat":51.%d,"lon":3.%d},"note":"Closed on error days; quay 404 is reached by ferry."}`, i, i, i, i)
	}
	return b.String() + `]`
}

func wrapped(inner string) string {
	text, _ := json.Marshal(map[string]string{"error": "", "response": inner})
	return string(text)
}

func prose(n int) string {
	return strings.Repeat("The harbour was rebuilt after the storm of 1953.\nShips that could not enter waited outside.\n", n/80+1)[:n]
}

func compiled(tb testing.TB, r fault.Rules) *fault.Rules {
	tb.Helper()
	if err := r.Compile(); err != nil {
		tb.Fatal(err)
	}
	return &r
}
