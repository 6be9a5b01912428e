// Package webhook tells a URL about cases: a chat, a pager, a service of your own.
//
//	hook, err := webhook.New(webhook.Config{URL: os.Getenv("HOOK_URL"), Secrets: [][]byte{secret}})
//	kit := toolkit.New(toolkit.Config{Ledger: ledger, Notify: escalation.Notifiers(escalation.NewLog(logger), hook)})
//
// The body is JSON with a "text" that Slack and the services that follow it show as
// it is, and the "case" for programs. Arguments are left out unless
// [Config.Arguments] asks for them.
//
// # Signature
//
// A receiver must be able to tell a case from a forgery: each request has the time
// it was signed at and an HMAC-SHA256 over time, delivery and body under each secret of
// [Config.Secrets]. [Verify] checks them; the secrets are several so that they can be
// exchanged without losing a case.
//
// # Delivery
//
// An answer of 2xx is a delivery. No answer, 408, 429 and 5xx are tried again, within
// [Config.Within] and not before a Retry-After says so; anything else, a redirect
// too, is final. What was not delivered stays unannounced, and the agent's recovery
// loop tries again. So a case may arrive twice: [HeaderDelivery] is the same both
// times.
package webhook
