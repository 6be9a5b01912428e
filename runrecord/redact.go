package runrecord

import "github.com/failloud/failloud/internal/redact"

// RedactSecrets replaces what looks like a credential by [REDACTED]: tokens of
// bearer and basic authentication, keys of known shapes, the values of
// secret-sounding headers, fields and parameters, passwords in URLs, private
// keys. It errs towards hiding too much, takes time linear in the text, and
// reads a text of any size. Safe for concurrent use.
func RedactSecrets(s string) string { return redact.Secrets(s) }
