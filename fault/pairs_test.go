package fault_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

// long is text of which no more than its ends is judged.
var long = strings.Repeat("12: return total / count\n", 80)

// told is the result of an MCP call.
func told(effect fault.Effect, text string) fault.Signal {
	return fault.Signal{Effect: effect, MCP: &fault.MCP{Text: text}}
}

// TestNearlyIdenticalSignals pins pairs that differ in one detail and need
// different treatment.
func TestNearlyIdenticalSignals(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		signal fault.Signal
		want   string // reason, action, ran after Conclude
	}{
		"github 403: secondary limit": {answer(fault.Write, 403, `{"message":"You have exceeded a secondary rate limit"}`), "rate_limit retry no"},
		"github 403: permission":      {answer(fault.Write, 403, `{"message":"Must have admin rights to Repository."}`), "permission fail_fast no"},

		"openai 429: money": {answer(fault.Read, 429, `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota, please check your plan and billing details."}}`), "billing fail_fast no"},
		"openai 429: rate":  {answer(fault.Read, 429, `{"error":{"code":"rate_limit_exceeded","message":"Rate limit reached on requests per min."}}`), "rate_limit retry no"},

		"hubspot 429: second": {answer(fault.Read, 429, `{"errorType":"RATE_LIMIT","policyName":"SECONDLY","message":"You have reached your secondly limit."}`), "rate_limit retry no"},
		"hubspot 429: day":    {answer(fault.Read, 429, `{"errorType":"RATE_LIMIT","policyName":"DAILY","message":"You have reached your daily limit."}`), "quota fail_fast no"},

		"google 403: user rate":   {answer(fault.Read, 403, `{"error":{"code":403,"errors":[{"reason":"userRateLimitExceeded"}]}}`), "rate_limit retry no"},
		"google 403: day":         {answer(fault.Read, 403, `{"error":{"code":403,"errors":[{"reason":"dailyLimitExceeded"}]}}`), "quota fail_fast no"},
		"google 403: permissions": {answer(fault.Read, 403, `{"error":{"code":403,"errors":[{"reason":"insufficientPermissions"}]}}`), "permission fail_fast no"},
		"google 400: quota":       {answer(fault.Write, 400, `{"code":400,"errors":[{"message":"Quota exceeded.","reason":"badRequest"}],"message":"Quota exceeded."}`), "quota fail_fast no"},
		"google 400: request":     {answer(fault.Write, 400, `{"code":400,"errors":[{"message":"Invalid value.","reason":"badRequest"}],"message":"Invalid value."}`), "invalid_args fail_fast no"},

		"grpc exhausted: calls":   {failure(fault.Read, "rpc error: code = ResourceExhausted desc = too many requests"), "rate_limit retry no"},
		"grpc exhausted: message": {failure(fault.Read, "rpc error: code = ResourceExhausted desc = grpc: received message larger than max (5 vs. 4)"), "payload_too_large fail_fast no"},

		"kubernetes 409: stale":  {answer(fault.Idempotent, 409, `{"kind":"Status","reason":"Conflict","message":"the object has been modified; please apply your changes to the latest version and try again"}`), "conflict fail_fast no"},
		"kubernetes 409: exists": {answer(fault.Idempotent, 409, `{"kind":"Status","reason":"AlreadyExists","message":"namespaces \"dev\" already exists"}`), "conflict fail_fast no"},
		"notion 409: passes":     {answer(fault.Idempotent, 409, `{"code":"conflict_error","message":"Conflict occurred while saving. Please try again."}`), "conflict retry no"},

		"post refused": {failure(fault.Write, `Post "https://a.example/x": dial tcp 10.0.0.9:443: connect: connection refused`), "network retry no"},
		"post reset":   {failure(fault.Write, `Post "https://a.example/x": read tcp 10.0.0.1:1->10.0.0.9:443: read: connection reset by peer`), "unknown_outcome escalate unknown"},

		"grpc unavailable: read":  {failure(fault.Read, "rpc error: code = Unavailable desc = transport is closing"), "network retry unknown"},
		"grpc unavailable: write": {failure(fault.Write, "rpc error: code = Unavailable desc = transport is closing"), "unknown_outcome escalate unknown"},

		"exit 1":           {fault.Signal{Effect: fault.Read, Exit: &fault.Exit{Code: 1}}, "command_failed fail_fast yes"},
		"exit 1, declared": {fault.Signal{Effect: fault.Read, Exit: &fault.Exit{Code: 1}, Rules: &fault.Rules{NoMatchExit: []int{1}}}, "ok empty"},

		"stripe 500 without key": {answer(fault.Write, 500, `{"error":{"type":"api_error"}}`), "unknown_outcome escalate unknown"},
		"stripe 500 with key":    {keyed(answer(fault.Write, 500, `{"error":{"type":"api_error"}}`)), "server_error retry unknown"},

		"mcp text with 401 in an id": {fault.Signal{Effect: fault.Read, MCP: &fault.MCP{Text: "ticket-401: the login page is slow"}}, "ok "},
		"mcp text that says 401":     {fault.Signal{Effect: fault.Read, MCP: &fault.MCP{Text: "Request failed with status code 401"}}, "auth fail_fast no"},

		"edit refused":               {told(fault.Read, "Your edit has introduced new syntax error(s).\n\n"+long+"\nYour changes have NOT been applied."), "invalid_args fail_fast no"},
		"edit made":                  {told(fault.Read, "Your edit has removed two lines.\n\n"+long+"\nYour changes have been applied."), "ok "},
		"text on edits":              {told(fault.Read, "How editors work\n\n"+long+"\nThe change has not been applied."), "ok "},
		"page that did not load":     {told(fault.Read, "Address: file:///w/a.pdf\nTitle: Error 404\n"+long), "not_found fail_fast no"},
		"page on such pages":         {told(fault.Read, "Address: https://a.example/\nTitle: What an Error 404 is\n"+long), "ok "},
		"printed dict: refused":      {told(fault.Read, `{"error": "", "response": "{'message': 'unrecognized genre: 20'}"}`), "invalid_args fail_fast no"},
		"printed dict: answer":       {told(fault.Read, `{"error": "", "response": "{'message': 'two genres, both recognized'}"}`), "ok "},
		"error member in Vietnamese": {told(fault.Read, `{"loi": "Không tìm thấy bảng lương", "ma": 404}`), "not_found fail_fast no"},
		"law in French":              {told(fault.Read, `{"loi": "Loi n° 78-17 du 6 janvier 1978", "titre": "Informatique et libertés"}`), "ok "},
		"validation of a name":       {told(fault.Read, "The name must not be empty."), "invalid_args fail_fast no"},
		"policy about names":         {told(fault.Read, "Names of guests must not be shared with the press."), "ok "},
		"device that is away":        {told(fault.Read, "device offline: last seen 2026-08-02"), "overloaded retry unknown"},
		"own work not done":          {told(fault.Read, `{"sent":false,"reason":"mailbox does not exist"}`), "not_found fail_fast no"},
		"own work, no reason, write": {told(fault.Write, `{"sent":false}`), "soft_error fail_fast no"},
		"asked whether it was sent":  {told(fault.Read, `{"sent":false}`), "ok "},
		"refused mail":               {told(fault.Read, `{"status":"rejected","detail":"daily sending limit reached"}`), "quota fail_fast no"},
		"refused order, looked up":   {told(fault.Read, `{"order":"5512","status":"rejected","detail":"daily limit reached"}`), "ok "},
		"ticket for work":            {told(fault.Read, `{"accepted":true,"job":"rb-773"}`), "pending "},
		"job that is waited for":     {told(fault.Read, `{"name":"nightly","queued":true,"job":"rb-773"}`), "ok "},
		"Vietnamese without marks":   {told(fault.Read, `{"ma_loi":"QUA_THOI_GIAN","thong_bao":"May chu khong phan hoi"}`), "timeout retry unknown"},
		"lines of a log":             {told(fault.Read, "ERROR db: connection refused\nWARN cache: timeout 200ms"), "ok "},
		"lines of a complaint":       {told(fault.Read, "ERROR: connection refused\nERROR: giving up"), "network retry no"},
		"errors of this call":        {told(fault.Read, `{"errors":[{"message":"404 Not Found"}],"total":1}`), "not_found fail_fast no"},
		"errors of others, counted":  {told(fault.Read, `{"errors":[{"message":"404 Not Found","count":12},{"message":"TimeoutError","count":3}],"total":15}`), "ok "},
		"assertion of the tool":      {told(fault.Read, "AssertionError: expected 12 got 13"), "invalid_args fail_fast no"},
		"report of a test":           {told(fault.Read, "E   AssertionError: expected 12 got 13\n1 failed, 230 passed"), "ok "},

		"sql XX000: serialization": {failure(fault.Idempotent, "ERROR: serialization failure: this transaction conflicts with a committed transaction, try restarting transaction. (SQLSTATE XX000)"), "conflict retry no"},
		"sql XX000: broken":        {failure(fault.Read, "ERROR: internal error: cache lookup failed for type 0 (SQLSTATE XX000)"), "server_error retry unknown"},

		"jira: a stranger's empty list": {headed(answer(fault.Read, 200, `{"issues":[],"total":0}`), "X-Seraph-Loginreason", "AUTHENTICATED_FAILED"), "auth fail_fast no"},
		"jira: an empty list":           {answer(fault.Read, 200, `{"issues":[],"total":0}`), "ok empty"},

		"text: a page that begins so": {fault.Signal{Effect: fault.Read, MCP: &fault.MCP{Text: "Error: a history of mistakes - book review"}}, "ok "},
		"text: a refusal":             {fault.Signal{Effect: fault.Write, MCP: &fault.MCP{Text: "Error: not enough seats on flight HAT229"}}, "conflict fail_fast no"},

		"a record about a failed payment": {answer(fault.Read, 200, `{"error":null,"data":{"status":"failed","failure_reason":"card_expired"}}`), "ok "},
		"a failed payment":                {answer(fault.Write, 402, `{"error":{"code":"expired_card"}}`), "payment_required fail_fast no"},

		"503 on a write":                  {answer(fault.Write, 503, "busy"), "unknown_outcome escalate unknown"},
		"503 on a write with a wait":      {headed(answer(fault.Write, 503, "busy"), "Retry-After", "5"), "overloaded retry no"},
		"503 on a write that was a quota": {answer(fault.Write, 503, "<Error><Code>SlowDown</Code></Error>"), "rate_limit retry no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c fault.Classifier
			o := fault.Conclude(tc.signal.Effect, c.Classify(&tc.signal), tc.signal.Keyed, false)
			require.Equal(t, tc.want, short(o))
		})
	}
}

// short writes an outcome as "reason action ran", or "ok qualifiers".
func short(o fault.Outcome) string {
	if o.Fault == nil {
		return o.Kind.String() + " " + o.Qualifiers.String()
	}
	return o.Fault.Shown(o.Kind).String() + " " + o.Fault.Action.String() + " " + o.Fault.Ran.String()
}

func answer(effect fault.Effect, status int, body string) fault.Signal {
	return fault.Signal{Effect: effect, HTTP: &fault.Response{Status: status, Header: http.Header{}, Body: []byte(body)}}
}

func failure(effect fault.Effect, text string) fault.Signal {
	return fault.Signal{Effect: effect, Err: errors.New(text)}
}

func keyed(s fault.Signal) fault.Signal {
	s.Keyed = true
	return s
}

func headed(s fault.Signal, name, value string) fault.Signal {
	s.HTTP.Header.Set(name, value)
	return s
}
