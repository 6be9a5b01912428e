package runrecord

import "github.com/failloud/failloud/internal/redact"

// RedactSecrets replaces what looks like a credential by [REDACTED]: tokens of
// bearer and basic authentication, keys of known shapes, the values of
// secret-sounding headers, fields and parameters, passwords in URLs, private
// keys. What is given to a name that only secrets have is hidden unless it is a
// complaint ("password: required"); what is given to a word that other things
// are called by as well ("key", "token") is hidden where it is assigned or looks
// like a secret, so that the message keeps saying what went wrong. It cannot
// know a secret that neither has a name nor a shape. It takes time linear in
// the text, and reads a text of any size. Safe for concurrent use.
func RedactSecrets(s string) string { return redact.Secrets(s) }
