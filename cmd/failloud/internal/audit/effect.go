package audit

import (
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/toolname"
)

// executes reports whether a tool of this name runs commands or programs.
func executes(name string) bool { return toolname.RunsPrograms(toolname.Words(name)) }

// glances reports whether a tool of this name only tells about things.
func glances(name string) bool { return toolname.Glances(toolname.Words(name)) }

// inferEffect reads the effect of a tool that nobody declared off its name:
// [fault.Read] where the name only speaks of looking, else undeclared.
func inferEffect(name string) fault.Effect {
	if toolname.Reads(toolname.Words(name)) {
		return fault.Read
	}
	return fault.Undeclared
}
