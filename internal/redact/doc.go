// Package redact makes text from outside fit to be kept and shown: [Secrets]
// hides what looks like a credential, [Cut] shortens without halving a secret,
// [Escape] leaves one bounded line without control characters.
//
// The order matters and is the same everywhere: cut, hide, escape. Hiding
// before the cut would read a body of any size; escaping before hiding would
// tear the quotes off the values that hiding looks for.
package redact
