package fault_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

func TestWorkThatGoesOnIsPending(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		signal fault.Signal
		want   string
	}{
		"a query that is not complete":        {answer(fault.Read, 200, `{"jobComplete":false,"jobReference":{"jobId":"j"}}`), "pending "},
		"a query that is":                     {answer(fault.Read, 200, `{"jobComplete":true,"jobReference":{"jobId":"j"},"rows":[1]}`), "ok "},
		"nothing but progress":                {answer(fault.Read, 200, `{"status":"processing","message":"Report is being generated"}`), "pending "},
		"progress beside a result":            {answer(fault.Read, 200, `{"status":"processing","rows":[1],"message":"m"}`), "ok "},
		"a resource that is being made":       {answer(fault.Write, 201, `{"id":"/x","properties":{"provisioningState":"Creating"}}`), "pending "},
		"a resource that was made":            {answer(fault.Write, 201, `{"id":"/x","properties":{"provisioningState":"Succeeded"}}`), "ok "},
		"a look at one that is being changed": {answer(fault.Read, 200, `{"id":"/x","properties":{"provisioningState":"Updating"}}`), "ok "},
		"an operation named by a header":      {headed(answer(fault.Write, 201, `{"id":"x"}`), "Operation-Location", "https://a.example/op/1"), "pending "},
		"that header on a read":               {headed(answer(fault.Read, 200, `{"id":"x"}`), "Operation-Location", "https://a.example/op/1"), "ok "},
		"a long-running operation":            {answer(fault.Write, 200, `{"name":"operations/1","metadata":{},"done":false}`), "pending "},
		"a task of a to-do list":              {answer(fault.Write, 200, `{"id":"1","title":"x","completed":false}`), "ok "},
		"accepted, come back later":           {headed(answer(fault.Read, 202, ``), "Retry-After", "5"), "pending "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, short(classify(tc.signal)))
		})
	}
}

func TestALongBodyIsNotACutOne(t *testing.T) {
	t.Parallel()
	row := `{"id":1,"name":"a"},`
	list := "[" + strings.Repeat(row, 1<<20/len(row)+10) + row[:len(row)-1] + "]"
	feed := "<feed>" + strings.Repeat("<entry>a</entry>", 1<<20/16+10) + "</feed>"
	for contentType, body := range map[string]string{"application/json": list, "application/xml": feed} {
		o := classify(headed(answer(fault.Read, 200, body), "Content-Type", contentType))
		require.Equal(t, "ok ", short(o), contentType)
	}
}

func TestEventsAreJudgedByTheLast(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ body, want string }{
		"a failure, then the end mark": {"data: {\"a\":1}\n\ndata: {\"error\":{\"code\":\"rate_limit_exceeded\"}}\n\ndata: [DONE]\n\n", "rate_limit retry no"},
		"named an error":               {"event: error\ndata: {\"type\":\"overloaded_error\"}\n\n", "overloaded retry no"},
		"a line of a log, then data":   {"data: {\"error\":\"x not found\"}\n\ndata: {\"rows\":[1]}\n\n", "ok "},
		"words about errors":           {"data: {\"text\":\"an error occurred\"}\n\n", "ok "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, short(classify(headed(answer(fault.Read, 200, tc.body), "Content-Type", "text/event-stream"))))
		})
	}
}
