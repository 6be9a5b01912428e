package main

import (
	"fmt"
	"runtime/debug"
)

type versionCmd struct{}

// Run prints the version that the module proxy or the work tree gave this build.
func (versionCmd) Run() error {
	version, commit := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " commit " + s.Value
			}
		}
		version += " " + info.GoVersion
	}
	_, err := fmt.Printf("failloud %s%s\n", version, commit)
	return err
}
