// Package casefile reads what was seen at the end of one tool call, as people
// write it down: one JSON object, a raw HTTP response as "curl -i" prints it,
// or the text of an error. It turns each into a [fault.Signal] and says what
// the library makes of it.
//
// The command "failloud classify" and the tests over the case files share it,
// so that what is measured is what a user sees.
//
// # The JSON object
//
//	{"id": "o1", "tool": "get_invoices", "tool_kind": "http", "effect": "read",
//	 "signal": {"http_status": 401, "headers": {"www-authenticate": "Bearer"}, "content": "…"},
//	 "declares": {"rules": {"not_found_is_empty": true}}}
//
// Only signal is needed. Fields beside these five are ignored: they are notes
// of the one who wrote the line. Inside signal and rules every name must be a
// known one, because a misspelt name there would be a silent "nothing known".
package casefile
