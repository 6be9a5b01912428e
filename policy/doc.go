// Package policy reads failloud.yaml.
package policy

import _ "go.yaml.in/yaml/v4" // the parser
