package runrecord

import (
	"encoding/json"
	"fmt"
	"math/bits"

	"github.com/failloud/failloud/fault"
)

// wire is an event as JSON: Qualifiers travel as names, so that a reader of
// the file needs no table of bits. The alias sheds the methods of Event.
type wire struct {
	*plainEvent
	Qualifiers []string `json:"qualifiers,omitempty"`
}

type plainEvent Event

// MarshalJSON writes the event as one object; qualifiers are a list of names.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(wire{(*plainEvent)(&e), qualifierNames(e.Qualifiers)})
}

// UnmarshalJSON reads what [Event.MarshalJSON] writes. Unknown fields and
// unknown qualifiers are passed over: they are those of a later version.
func (e *Event) UnmarshalJSON(data []byte) error {
	w := wire{plainEvent: new(plainEvent)}
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("runrecord: event: %w", err)
	}
	*e = Event(*w.plainEvent)
	for _, name := range w.Qualifiers {
		e.Qualifiers |= qualifierBits[name]
	}
	return nil
}

// qualifierBits is made from the names that fault gives the bits.
var qualifierBits = func() map[string]fault.Qualifier {
	m := make(map[string]fault.Qualifier)
	for bit := fault.Qualifier(1); bit != 0; bit <<= 1 {
		if name := bit.String(); name != "" {
			m[name] = bit
		}
	}
	return m
}()

func qualifierNames(q fault.Qualifier) []string {
	if q == 0 {
		return nil
	}
	names := make([]string, 0, bits.OnesCount16(uint16(q)))
	for bit := fault.Qualifier(1); bit != 0; bit <<= 1 {
		if name := (q & bit).String(); name != "" {
			names = append(names, name)
		}
	}
	return names
}
