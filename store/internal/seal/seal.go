// Package seal encrypts what a database must not show to whoever reads its
// files: arguments, results and captured texts.
package seal

// Sealer encrypts with AES-256-GCM. A nil Sealer keeps everything as it is.
type Sealer struct{}
