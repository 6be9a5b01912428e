package fault_test

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/failloud/failloud/fault"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// standard decodes a stream of JSON values with encoding/json: its first value,
// where all of it is JSON.
func standard(text string) (any, bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var root any
	if dec.Decode(&root) != nil {
		return nil, false
	}
	for {
		var more any
		if err := dec.Decode(&more); err != nil {
			return root, errors.Is(err, io.EOF)
		}
	}
}

// FuzzJSON compares the reader of JSON with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.5e+3,true,false,null,"x"]}`, `{"a":"é\n\ud83d\ude00\ud83d\"\\\/"}`, "\"\xff\xe2\x82\"", `{"a":1,"a":2}`, ` [ ] `, `{ }`, `{"a":1}{"b":2}`, `[1,2`,
		`01`, `-`, `1.`, `1e`, `[1,]`, `{"a"}`, `{,}`, "\"\n\"", `"\u12"`, `tru`, `nul`, `[1]x`, `{"a" : [ { } , [ ] ] }`, `"\uD800\u0041"`, ``,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		asStandard(t, text)
	})
}

func asStandard(t *testing.T, text string) {
	t.Helper()
	want, valid := standard(text)
	got, ok := fault.DecodeJSON(text)
	if ok != valid || ok && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q:\n got %#v %v\nwant %#v %v", text, got, ok, want, valid)
	}
}

func TestNestingOfJSONIsBounded(t *testing.T) {
	for _, depth := range []int{9999, 10000, 10001, 200000} {
		asStandard(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
		asStandard(t, strings.Repeat(`{"a":`, depth)+"1"+strings.Repeat("}", depth))
	}
}

// wholly classifies after a detector of its own had all of the result decoded.
func wholly(s fault.Signal) fault.Outcome {
	c := fault.Classifier{Detectors: []fault.Detector{fault.DetectorFunc(func(s *fault.Signal) (fault.Outcome, bool) {
		s.JSON()
		return fault.Outcome{}, false
	})}}
	return c.Classify(&s)
}

// sameVerdict fails where a verdict depends on how much of a long result was
// decoded.
func sameVerdict(t require.TestingT, text string) {
	if len(text) > 1 && (text[0] == '{' || text[0] == '[') {
		text = text[:1] + strings.Repeat(" ", 1024) + text[1:] // long enough for not all of it to be decoded
	}
	for _, effect := range []fault.Effect{fault.Read, fault.Write, fault.Undeclared} {
		for name, s := range map[string]fault.Signal{
			"mcp":  {Effect: effect, MCP: &fault.MCP{Text: text}},
			"http": {Effect: effect, HTTP: &fault.Response{Status: 200, Body: []byte(text)}},
		} {
			got, want := classify(s), wholly(s)
			require.Equal(t, want.Kind, got.Kind, "%s, %s: %s", name, effect, text)
			require.Equal(t, want.Qualifiers, got.Qualifiers, "%s, %s: %s", name, effect, text)
			require.Equal(t, want.Reason(), got.Reason(), "%s, %s: %s", name, effect, text)
		}
	}
}

// answers draws objects and lists whose members have the names and values that
// envelopes have, nested as they are.
func answers() *rapid.Generator[any] {
	name := rapid.SampledFrom([]string{
		"error", "errors", "ok", "success", "status", "code", "message", "detail", "data", "results", "items", "responses", "content", "text", "response", "result", "body",
		"meta", "task", "task_id", "job_id", "properties", "provisioningState", "failed", "unprocessedItems", "userErrors", "done", "id", "name", "total", "a/b", "x_response",
		"ValidationException", "responseMetadata", "errorCode", "isError", "index", "created", "state", "Errors", "operations", "payload", "type", "erreur", "count", "output", "errorMessages",
		"sent", "reason", "thanh_cong", "lý_do", "ma_loi", "trace", "rows_loaded", "rows_failed", "first_error", "accepted", "job", "saved", "paid", "loi",
	})
	scalar := rapid.OneOf(
		rapid.SampledFrom([]any{nil, true, false, "", "ok", "error", "failed", "true", "false", "not found", "running", "Creating", "text", "0", `{"error":"denied"}`, "No results found."}),
		rapid.Map(rapid.SampledFrom([]int{0, 1, 200, 404, 429, 500}), func(n int) any { return n }),
	)
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		if depth == 0 {
			return scalar
		}
		inner := rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) })
		return rapid.OneOf(scalar,
			rapid.Map(rapid.MapOfN(name, inner, 0, 5), func(m map[string]any) any { return m }),
			rapid.Map(rapid.SliceOfN(inner, 0, 3), func(l []any) any { return l }),
			rapid.Map(inner, func(item any) any { // more items than are looked at one by one
				return append(make([]any, 0, 20), item, item, item, item, item, item, item, item, item, item, item, item, item, item, item, item, item, item, "end")
			}),
		)
	}
	return value(4)
}

func TestWhatIsNotDecodedCannotChangeTheVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(answers().Draw(t, "answer"))
		require.NoError(t, err)
		sameVerdict(t, string(text))
	})
}

func TestWhatIsDecodedLateIsSeen(t *testing.T) {
	verdicts := `[` + strings.Repeat(`{"success":true},`, 40) + `{"success":false}]`
	for _, text := range []string{
		verdicts, `{"results":` + verdicts + `}`, `{"responses":` + verdicts + `}`, `{"items":` + verdicts + `,"errors":true}`,
		`{"data":{"create":{"id":1,"userErrors":[{"message":"is taken"}]}}}`, `{"response":{"result":{"body":{"error":"denied"}}}}`,
		`{"rows":[[1],[2]],"errors":[{"message":"a"},{"message":"rate limit"}]}`, `{"https://a.example/x":{"error":"not found"}}`,
		`{"error":"No results","search_metadata":{"status":"Success"},"rows":[1]}`, `{"properties":{"provisioningState":"Creating"}}`,
		`{"task":{"taskId":"t","status":"working"}}`, `{"failed":[null]}`, `{"unprocessedItems":{"t":[1]}}`, `{"detail":[{"loc":["body","x"],"msg":"field required"}]}`,
		`{"erreur":{"message":"not found"}}`, `{"errors":[{"message":"timeout","count":3}],"total":3}`,
	} {
		sameVerdict(t, text)
	}
}
