package cases_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/internal/casefile"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// ending is how a played report came out.
type ending struct {
	outcome  string // a kind, or "ok_" and a qualifier
	action   fault.Action
	reason   fault.Reason
	decision string
	step     int
	finding  bool
	texts    []string // what the model saw, call by call
	entered  int      // how often the function of the tool was entered
	verdict  guard.Verdict
	run      *runrecord.Run
}

// stage is a kit with the tools of one report, each of which answers as the
// report says, call by call and attempt by attempt.
type stage struct {
	report report
	kit    *toolkit.Kit
	staging

	mu      sync.Mutex
	now     map[string][]attempt // per tool, what its function still has to answer
	entered map[string]int
}

// tool is the shape in which every tool of a report is bound.
type tool = toolkit.Tool[map[string]any, any]

// staging is how the kit of a scenario differs from the plain one.
type staging struct {
	config toolkit.Config
	adjust func(*tool) // called with each tool before it is wrapped
}

// play runs one report the way a user's agent would: tools bound by name, calls
// made with JSON arguments in order, the draft judged at the end. Time is the
// bubble's: waits are not slept.
func play(t *testing.T, r report) (out ending) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		out = newStage(t, r, staging{}).run(t)
	})
	return out
}

func newStage(t *testing.T, r report, how staging) *stage {
	t.Helper()
	s := &stage{
		report: r, kit: toolkit.New(how.config), staging: how,
		now: map[string][]attempt{}, entered: map[string]int{},
	}
	for _, name := range s.bound() {
		s.bind(t, name)
	}
	return s
}

// bound are the tools that exist: all that are required or called, except a name
// that is called with good arguments and is never entered, which is what an
// invented name looks like.
func (s *stage) bound() []string {
	var names []string
	add := func(name string) {
		for _, n := range names {
			if n == name {
				return
			}
		}
		names = append(names, name)
	}
	in := s.report.Input
	invented := len(in.Calls) > 0
	for _, c := range in.Calls {
		if c.name(in) != in.Tool || len(c.Attempts) > 0 || !isObject(c.args(in)) || s.declares().Schema != nil {
			invented = false
		}
	}
	if !invented {
		add(in.Tool)
	}
	for _, name := range s.report.Declares.Required {
		add(name)
	}
	for _, c := range in.Calls {
		if c.name(in) != in.Tool {
			add(c.name(in))
		}
	}
	return names
}

func (c call) name(in scenario) string {
	if c.Tool != "" {
		return c.Tool
	}
	return in.Tool
}

// args is the text the model wrote: of a JSON string, the string itself.
func (c call) args(in scenario) json.RawMessage {
	raw := c.Args
	if raw == nil {
		raw = in.Args
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return json.RawMessage(text)
	}
	return raw
}

func isObject(raw json.RawMessage) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(raw, &object) == nil
}

// extra is what a report declares beside the rules for results.
type extra struct {
	Schema   json.RawMessage `json:"schema"`
	Volatile []string        `json:"volatile"`
	Refresh  bool            `json:"refresh"`
	Poller   bool            `json:"poller"`
}

func (s *stage) declares() (e extra) {
	if len(s.report.Declares.Rules) > 0 {
		_ = json.Unmarshal(s.report.Declares.Rules, &e) // read strictly by TestReportsCanBePlayed
	}
	return e
}

func (s *stage) bind(t *testing.T, name string) {
	t.Helper()
	bound := tool{
		Name: name, Timeout: 10 * time.Second,
		Call: func(ctx context.Context, _ map[string]any) (any, error) { return s.answer(ctx, name) },
	}
	if name == s.report.Input.Tool {
		more := s.declares()
		bound.Effect, bound.Volatile, bound.Schema, bound.Poller = s.report.Declares.Effect, more.Volatile, more.Schema, more.Poller
		if len(s.report.Declares.Rules) > 0 {
			rules, err := casefile.ParseRules(s.report.Declares.Rules)
			require.NoError(t, err)
			bound.Rules = *rules
		}
		if more.Refresh {
			bound.Upstream = toolkit.NewUpstream(toolkit.UpstreamConfig{
				Name: name, Refresh: func(context.Context) error { return nil },
			})
		}
	}
	if s.adjust != nil {
		s.adjust(&bound)
	}
	toolkit.Wrap(s.kit, bound)
}

// answer is the body of every tool: the next attempt of the script, the last
// one again where more attempts are made than it has.
func (s *stage) answer(ctx context.Context, name string) (any, error) {
	a, ok := s.next(name)
	if !ok {
		return nil, errors.New("the scenario has no attempt for this call")
	}
	switch a.Type {
	case "http":
		return a.overHTTP(ctx)
	case "mcp":
		return &fault.MCP{IsError: a.IsError, Text: a.Text}, nil
	case "error":
		return nil, errors.New(a.Error)
	}
	var value any
	err := json.Unmarshal(a.Value, &value)
	return value, err
}

func (s *stage) next(name string) (a attempt, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entered[name]++
	left := s.now[name]
	if len(left) == 0 {
		return attempt{}, false
	}
	if len(left) > 1 {
		s.now[name] = left[1:]
	}
	return left[0], true
}

// overHTTP answers as a tool does whose client goes through the library's
// transport.
func (a attempt) overHTTP(ctx context.Context) (any, error) {
	client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: a})}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://service.test/", strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if err := toolkit.StatusError(response); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var value any
	if json.Unmarshal(body, &value) == nil {
		return value, nil
	}
	return string(body), nil
}

// RoundTrip is the service: sockets would not stand still in a bubble.
func (a attempt) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	body := []byte(a.Body)
	header := http.Header{}
	var text string
	if json.Unmarshal(a.Body, &text) == nil {
		body = []byte(text)
	} else {
		header.Set("Content-Type", "application/json")
	}
	for name, value := range a.Headers {
		header.Set(name, value)
	}
	return &http.Response{
		StatusCode: a.Status, Status: fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}, nil
}

// start begins a run of the report's task.
func (s *stage) start(t *testing.T, options ...guard.Option) (context.Context, *runrecord.Run, *guard.Guard) {
	t.Helper()
	if len(s.report.Declares.Required) > 0 {
		options = append(options, guard.Require(s.report.Declares.Required...))
	}
	judge := guard.New(options...)
	ctx, run, err := s.kit.Start(t.Context(), runrecord.Task{Name: "case", Key: s.report.ID, Judge: judge})
	require.NoError(t, err)
	t.Cleanup(run.End)
	return ctx, run, judge
}

// call makes one call of the report by name.
func (s *stage) call(ctx context.Context, c call) toolkit.Response {
	name := s.stageFor(c)
	return s.kit.Invoke(ctx, name, c.args(s.report.Input))
}

// stageFor lays out the attempts of a call and returns the name of its tool.
func (s *stage) stageFor(c call) string {
	name := c.name(s.report.Input)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now[name] = c.Attempts
	return name
}

// entries is how often the function of the report's tool was entered.
func (s *stage) entries() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entered[s.report.Input.Tool]
}

func (s *stage) run(t *testing.T) (out ending) {
	t.Helper()
	ctx, run, judge := s.start(t)
	defer run.End()
	in := s.report.Input
	out.outcome, out.run = "not_run", run
	for _, c := range in.Calls {
		response := s.call(ctx, c)
		out.texts = append(out.texts, response.String())
		if c.name(in) == in.Tool {
			out.take(response.Outcome)
		}
	}
	out.entered = s.entries()
	if in.Draft != nil {
		out.verdict = judge.Final(ctx, *in.Draft)
		out.decision, out.step = out.verdict.Decision.String(), out.verdict.Step
		if at := slices.IndexFunc(out.verdict.Findings, func(f guard.Finding) bool { return f.Step > 0 }); at >= 0 && out.verdict.Decision == guard.Answer {
			out.finding, out.step = true, out.verdict.Findings[at].Step
		}
	}
	return out
}

func (e *ending) take(o fault.Outcome) {
	e.outcome, e.action, e.reason = o.Kind.String(), fault.NoAction, fault.ReasonNone
	if o.Kind == fault.KindOK {
		if q := o.Qualifiers &^ (fault.Replayed | fault.Fallback); q != 0 {
			e.outcome += "_" + q.String()
		}
	}
	if o.Fault != nil {
		e.reason = o.Fault.Shown(o.Kind)
		if o.Kind == fault.KindFailed || o.Kind == fault.KindUnknown {
			e.action = o.Fault.Action
		}
	}
}
