package toolkit

import (
	"bytes"
	"encoding/json"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// Judges returns the two judges of arguments under a schema: the quick one,
// which may leave the question open by saying no, and the validator.
func Judges(schema string) (quick, thorough func(raw []byte) bool, err error) {
	var c core
	err = c.takeSchema(json.RawMessage(schema), nil)
	quick = func(raw []byte) bool { return c.schema.quick.accepts(raw) }
	thorough = func(raw []byte) bool {
		document, err := validator.UnmarshalJSON(bytes.NewReader(raw))
		return err == nil && len(c.schema.check(document)) == 0
	}
	return quick, thorough, err
}

// Latched is how many runs an upstream remembers to be dead for.
func Latched(u *Upstream) int { return int(u.latches.some.Load()) }

// Parts is how many parts an upstream remembers.
func Parts(u *Upstream) int { return len(u.parts) }
