package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// What follows has the shape of most chat SDKs: messages with a role, and tool
// calls with an id, a name and JSON arguments. Nothing in it knows of failloud
// but the one line that makes the calls.

type message struct {
	Role      string
	Content   string
	ToolCalls []toolCall // of an assistant's message
	CallID    string     // of a tool's message: the call that it answers
}

type toolCall struct {
	ID        string
	Name      string
	Arguments json.RawMessage
}

// String is the message for a reader.
func (m message) String() string {
	text := m.Content
	if m.CallID != "" {
		text = m.CallID + ": " + text
	}
	for i, call := range m.ToolCalls {
		if i > 0 {
			text += "\n"
		}
		text += fmt.Sprintf("%s: %s %s", call.ID, call.Name, call.Arguments)
	}
	return text
}

// model is the SDK's client: the messages so far in, the next one out.
type model func(ctx context.Context, messages []message) message

// maxSteps bounds the turns of one question.
const maxSteps = 8

// loop is the SDK's: it asks the model and makes the calls it wants until it
// answers or has had enough turns, and returns the conversation.
func loop(ctx context.Context, kit *toolkit.Kit, ask model, question string) []message {
	conversation := []message{{Role: "user", Content: question}}
	for range maxSteps {
		next := ask(ctx, conversation)
		conversation = append(conversation, next)
		if len(next.ToolCalls) == 0 {
			break
		}
		requests := make([]toolkit.Request, len(next.ToolCalls))
		for i, call := range next.ToolCalls {
			requests[i] = toolkit.Request{ID: call.ID, Name: call.Name, Args: call.Arguments}
		}
		// Exactly one response a call, in order, whatever fails, panics or has an
		// unknown name: an SDK that misses one refuses the next request.
		for _, response := range kit.InvokeAll(ctx, requests) {
			conversation = append(conversation, message{Role: "tool", CallID: response.CallID(), Content: response.String()})
		}
	}
	return conversation
}

// answer puts a run around the loop. The last message is the draft, also where
// the loop has stopped at its limit in the middle of the work.
func answer(ctx context.Context, kit *toolkit.Kit, ask model, question string) ([]message, guard.Verdict, error) {
	answers := guard.New()
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "shop-question", Judge: answers})
	if err != nil {
		return nil, guard.Verdict{}, err
	}
	defer run.End()
	conversation := loop(ctx, kit, ask, question)
	last := conversation[len(conversation)-1]
	if last.Role != "assistant" || len(last.ToolCalls) > 0 {
		run.Abort(fault.ReasonBudget, "step limit")
		last.Content = ""
	}
	return conversation, answers.Final(ctx, last.Content), nil
}

// scripted is a model that invents the name of a tool, is told so, puts it right
// and answers.
func scripted() model {
	turns := []message{
		{Role: "assistant", ToolCalls: []toolCall{
			{ID: "call_1", Name: "get_stock", Arguments: json.RawMessage(`{"article":"lamp"}`)},
			{ID: "call_2", Name: "get_rates", Arguments: json.RawMessage(`{"currency":"VND"}`)},
		}},
		{Role: "assistant", ToolCalls: []toolCall{
			{ID: "call_3", Name: "get_rate", Arguments: json.RawMessage(`{"currency":"VND"}`)},
		}},
		{Role: "assistant", Content: "There are 12 lamps, and a dollar is 26300 VND."},
	}
	return func(context.Context, []message) message {
		next := turns[0]
		if len(turns) > 1 {
			turns = turns[1:]
		}
		return next
	}
}
