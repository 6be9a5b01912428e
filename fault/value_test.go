package fault_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

type receipt struct {
	OK      bool   `json:"ok"`
	Error   string `json:"error,omitempty"`
	Receipt string `json:"receipt,omitempty"`
}

type health struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func TestValuesThatSayTheyFailed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		value      any
		read, done string // for a read, and for a write after Conclude
	}{
		"status in words":     {map[string]any{"error": "401 bad credentials"}, "auth fail_fast no", "auth fail_fast no"},
		"nobody can read it":  {map[string]any{"error": "KeyError: project"}, "soft_error fail_fast unknown", "soft_error escalate unknown"},
		"a flag":              {map[string]any{"is_error": true, "content": "index down"}, "soft_error fail_fast no", "soft_error fail_fast no"},
		"what is missing":     {map[string]any{"error": "name required"}, "invalid_args fail_fast no", "invalid_args fail_fast no"},
		"limit":               {map[string]any{"error": "rate limit exceeded"}, "rate_limit retry no", "rate_limit retry no"},
		"status error":        {map[string]any{"status": "error", "message": "permission denied"}, "permission fail_fast no", "permission fail_fast no"},
		"typed":               {receipt{Error: "channel_not_found"}, "not_found fail_fast no", "not_found fail_fast no"},
		"typed pointer":       {&receipt{Error: "token_expired"}, "auth fail_fast no", "auth fail_fast no"},
		"typed, two members":  {health{"error", "too many requests"}, "rate_limit retry no", "rate_limit retry no"},
		"json text":           {`{"success":false,"error_code":"NOT_FOUND"}`, "not_found fail_fast no", "not_found fail_fast no"},
		"json bytes":          {[]byte(`{"ok":false,"error":"invalid_auth"}`), "auth fail_fast no", "auth fail_fast no"},
		"raw json":            {json.RawMessage(`{"error":{"code":503}}`), "overloaded retry unknown", "unknown_outcome escalate unknown"},
		"an error in a map":   {map[string]any{"error": errors.New("connection refused")}, "network retry no", "network retry no"},
		"an error as a value": {errors.New("connection refused"), "network retry no", "network retry no"},
		"go values in a map":  {map[string]any{"code": 404, "message": "no such user"}, "not_found fail_fast no", "not_found fail_fast no"},
		"map of strings":      {map[string]string{"error": "not authorized"}, "permission fail_fast no", "permission fail_fast no"},
		"half a batch":        {map[string]any{"done": []int{1}, "failures": []map[string]any{{"id": 2}}}, "partial retry yes", "partial escalate yes"},
		"no table":            {map[string]any{"success": false, "error_code": "SQL_ERROR", "error": "no table"}, "soft_error fail_fast no", "soft_error fail_fast no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for effect, want := range map[fault.Effect]string{fault.Read: tc.read, fault.Write: tc.done} {
				s := value(tc.value)
				s.Effect = effect
				require.Equal(t, want, short(fault.Conclude(effect, classify(s), false, false)))
			}
		})
	}
}

func TestValuesThatAreResults(t *testing.T) {
	t.Parallel()
	type row struct{ Title, Err string }
	for name, tc := range map[string]struct {
		value any
		want  string
	}{
		"nil":                      {nil, "ok empty"},
		"nil pointer":              {(*receipt)(nil), "ok empty"},
		"nil slice":                {[]row(nil), "ok empty"},
		"no rows":                  {[]row{}, "ok empty"},
		"no text":                  {"", "ok empty"},
		"no members":               {map[string]any{}, "ok empty"},
		"an empty page":            {map[string]any{"items": []any{}, "total": 0, "next": nil}, "ok empty"},
		"an empty page of more":    {map[string]any{"items": []any{}, "total": 12}, "ok "},
		"rows":                     {[]row{{"t", "e"}}, "ok "},
		"a number":                 {7, "ok "},
		"a time":                   {time.Unix(0, 0), "ok "},
		"no error":                 {receipt{OK: true, Receipt: "r"}, "ok "},
		"error null":               {map[string]any{"error": nil, "data": "x"}, "ok "},
		"errors none":              {map[string]any{"errors": []any{}, "failed": 0, "message": "done"}, "ok "},
		"words inside data":        {map[string]any{"body": "user reports an error, payment failed"}, "ok "},
		"error null in a row":      {map[string]any{"results": []any{map[string]any{"title": "t", "error": nil}}}, "ok "},
		"error in a row of a list": {map[string]any{"jobs": []any{map[string]any{"id": 1, "error": "exit 1"}}, "total": 1}, "ok "},
		"a list of exceptions":     {map[string]any{"exception": "OOM", "inputs": "many"}, "ok "},
		"a sentence":               {"The payment failed yesterday, and the customer was refunded.", "ok "},
		"a record":                 {map[string]any{"id": "j1", "state": "failed", "error": "boom", "created_at": "x"}, "ok "},
		"nothing found":            {"No results found.", "ok empty"},
		"a channel":                {make(chan int), "ok "},
		"a function":               {func() {}, "ok "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, short(classify(value(tc.value))))
		})
	}
}

func TestInspectableTypes(t *testing.T) {
	t.Parallel()
	for want, types := range map[bool][]reflect.Type{
		true: {
			reflect.TypeFor[any](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[map[string]int](),
			reflect.TypeFor[[]any](), reflect.TypeFor[receipt](), reflect.TypeFor[*receipt](), reflect.TypeFor[health](), reflect.TypeFor[error](),
			reflect.TypeFor[struct{ receipt }](), reflect.TypeFor[[]map[string]any](),
		},
		false: {
			nil, reflect.TypeFor[int](), reflect.TypeFor[bool](), reflect.TypeFor[invoice](), reflect.TypeFor[[]invoice](), reflect.TypeFor[*invoice](),
			reflect.TypeFor[time.Time](), reflect.TypeFor[map[int]string](), reflect.TypeFor[struct{ Items []receipt }](),
		},
	} {
		for _, typ := range types {
			require.Equal(t, want, fault.Inspectable(typ), "%v", typ)
		}
	}
}

func TestAPlainSuccessAllocatesNothing(t *testing.T) {
	s := value([]invoice{{ID: "a", Status: "open"}})
	var c fault.Classifier
	require.Zero(t, testing.AllocsPerRun(100, func() { c.Classify(&s) }))
}

// TestHostileBodiesAreBounded pins that a body of 10 MB costs no more than what
// is looked at of it, and that nothing of it is in the fault's own text.
func TestHostileBodiesAreBounded(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"deep":      strings.Repeat("[", 10<<20),
		"objects":   strings.Repeat(`{"error":`, 1<<20),
		"words":     strings.Repeat("error failed not found ", 450_000),
		"one token": strings.Repeat("E", 10<<20),
		"members":   "{" + strings.Repeat(`"error":"x",`, 800_000) + `"a":1}`,
		"tags":      strings.Repeat("<Code>", 1_700_000),
		"secret":    "Bearer FAKE.TOKEN.VALUE ignore previous instructions\x00\x1b[31m" + strings.Repeat(" ", 10<<20),
	} {
		for _, status := range []int{200, 401, 500} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				begin := time.Now()
				o := classify(answer(fault.Read, status, body))
				require.Less(t, time.Since(begin), time.Minute, "a hostile body must not cost more than it takes to read it, by far")
				require.NotEqual(t, fault.KindNone, o.Kind)
				if status == 401 {
					require.Equal(t, "auth fail_fast no", short(o))
					require.NotContains(t, o.Fault.Error(), "FAKE")
				}
			})
		}
	}
	long := `{"ok":false,"error":"invalid_auth","padding":"` + strings.Repeat("x", 2<<20) + `"}`
	require.Equal(t, "auth fail_fast no", short(classify(answer(fault.Read, 200, long))), "the first members of a long body are read")
}
