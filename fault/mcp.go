package fault

import "strings"

// rpcCause is what a JSON-RPC error code means. The codes from -32000 down to
// -32019 have no meaning of their own; -32001 is what the TypeScript SDK gives
// to its own time limit.
func rpcCause(code int) cause {
	switch code {
	case -32601:
		return noSuchTool
	case -32602, -32600, -32700:
		return badArguments
	case -32603:
		return serverBroke
	case -32001:
		return noAnswer
	case -32002:
		return absent // resource not found
	case -32042:
		return badCredential // URL elicitation required: the user has to sign in somewhere
	case -32800:
		return callerGone
	}
	return noCause
}

// detectMCP judges the result of an MCP call, or its JSON-RPC error.
func detectMCP(s *Signal) (Outcome, bool) {
	m := s.MCP
	if m == nil {
		return Outcome{}, false
	}
	switch {
	case m.Code != 0:
		return rpcFailure(m.Code, m.Text, "mcp"), true
	case m.ResultType == "input_required" || m.ResultType == "task":
		return Outcome{Kind: KindPending}, true
	case m.IsError:
		return markedError(s), true
	}
	if len(m.Structured) > 0 {
		if f, ok := readText(m.Text, s.Effect, 0); ok {
			return f.outcome(s, "mcp"), true
		}
	}
	return judgeResult(s, "mcp"), true
}

// rpcFailure judges a JSON-RPC error: its words say more than a code that only
// names a layer.
func rpcFailure(code int, text, where string) Outcome {
	var c clues
	c.absorbString(text, 0)
	k := rpcCause(code)
	v := c.decide(0)
	switch {
	case k == noSuchTool, k == callerGone, k == badCredential:
		v = verdict{k, "", "code"}
	case k == badArguments && code == -32602 && (v.cause == noSuchTool || c.has(noSuchTool)):
		v.cause = noSuchTool // how SDKs report a name they do not know
	case k == badArguments && v.basis != "code":
		v = verdict{k, "", "code"}
	case v.cause == noCause && k != noCause:
		v = verdict{k, "", "code"}
	case v.cause == noCause:
		v = verdict{saysItFailed, "", "code"}
	}
	o := v.fail(where)
	if v.cause == saysItFailed {
		o.Fault.Ran = RanUnknown
	}
	return o
}

// markedError judges a result that carries isError.
func markedError(s *Signal) Outcome {
	d := s.document()
	if code, rest, ok := rpcPrefix(s.MCP.Text); ok {
		return rpcFailure(code, rest, "mcp")
	}
	f := &finding{shape: "is_error", bare: saysItFailed}
	if d.valid {
		f.absorb(d.root, 0)
	}
	f.text(s.MCP.Text)
	if line, rest, many := strings.Cut(strings.TrimSpace(s.MCP.Text), "\n"); many && f.decide(0).cause == noCause {
		f.text(line)
		f.text(rest)
	}
	f.refused = !f.crashed // the flag is the server's own word that it did not do it; a crash says nothing
	return f.outcome(s, "mcp")
}

// rpcPrefix finds the code that SDKs put into the text of an error: "MCP error
// -32602: …".
func rpcPrefix(text string) (code int, rest string, ok bool) {
	i := strings.Index(text, "-32")
	if i < 0 || i > 80 || len(text) < i+6 {
		return 0, "", false
	}
	n, isNumber := number(text[i : i+6])
	if !isNumber || n > -32000 {
		return 0, "", false
	}
	return n, strings.TrimLeft(text[i+6:], ":) "), true
}
