// Command failloud looks at what happened to an agent's tools.
//
//	failloud classify [FILE|-]   what would be done about this error?
//	failloud version             which build is this?
//
// Exit codes: 0 when everything asked for was done; 1 when the command could
// not work at all (wrong flags, a file that cannot be read, output that cannot
// be written); 2 when at least one part of the input was unreadable and
// everything else was done, or when there was no input.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

type commands struct {
	Classify classifyCmd `cmd:"" help:"Say what would be done about an error: pasted, from a response, or many as JSON lines."`
	Version  versionCmd  `cmd:"" help:"Print the version of this build."`
}

// errUnreadable marks the end of a command that did all it could although a
// part of its input was unreadable or missing, which has been reported.
var errUnreadable = errors.New("a part of the input was unreadable")

func main() {
	var cli commands
	parser := kong.Must(&cli,
		kong.Name("failloud"),
		kong.Description("Notices that an agent's tool has gone silent, and says so."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	ctx, err := parser.Parse(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "failloud: %v\nRun \"failloud --help\" for the commands and their flags.\n", err)
		os.Exit(1)
	}
	switch err := ctx.Run(); {
	case err == nil:
	case errors.Is(err, errUnreadable):
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "failloud: %v\n", err)
		os.Exit(1)
	}
}
