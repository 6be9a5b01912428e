package policy

import _ "embed" // the schema

//go:embed failloud.schema.json
var schema string

// Schema is the JSON Schema (draft 2020-12) of a policy file, for editors and
// for checks of repositories that have no Go. It knows keys, kinds and written
// forms; that names fit together only [Parse] knows.
func Schema() string { return schema }
