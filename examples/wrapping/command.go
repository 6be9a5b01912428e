package main

import (
	"github.com/failloud/failloud/toolkit"
	"github.com/failloud/failloud/toolkit/tools"
)

// wrapCommand offers commands that only read, so that they may be repeated.
// Leave ReadOnly out and any program can be started; the tool is then a write.
//
// An exit code other than 0 is an answer: it is not repeated, and the model sees
// the output, so that it can put the command right.
func wrapCommand(kit *toolkit.Kit) {
	toolkit.Wrap(kit, tools.RunCommand(tools.CommandConfig{
		Name: "go_tool", ReadOnly: []string{"go version", "go env"},
	}))
}
