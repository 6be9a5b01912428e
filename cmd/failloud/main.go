// Command failloud looks at what happened to an agent's tools.
//
//	failloud classify [FILE|-]   what would be done about this error?
//	failloud audit [FILE…|-]     which answers of past runs stood on a dead tool?
//	failloud explain RUN FILE…   what happened in one of them, step by step?
//	failloud cases COMMAND       which calls wait for a person, and what is decided?
//	failloud runs COMMAND        what is on record in a database?
//	failloud version             which build is this?
//
// Exit codes: 0 when everything asked for was done; 1 when the command could
// not work at all (wrong flags, a file that cannot be read, output that cannot
// be written); 2 when at least one part of the input was unreadable and
// everything else was done, or when there was no input; 3 when an audit found
// what --fail-on asks about, whether or not some input was unreadable too; 130
// when an audit was interrupted, whatever it had found by then.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

type commands struct {
	Classify classifyCmd `cmd:"" help:"Say what would be done about an error: pasted, from a response, or many as JSON lines."`
	Audit    auditCmd    `cmd:"" help:"Judge past runs: which answers stood on a dead tool?"`
	Explain  explainCmd  `cmd:"" help:"Show one past run step by step, and why its answer was judged as it was."`
	Cases    casesCmd    `cmd:"" help:"List, show and decide the cases that a person has to settle."`
	Runs     runsCmd     `cmd:"" help:"List, show, count, export and erase the runs in a database."`
	Version  versionCmd  `cmd:"" help:"Print the version of this build."`
}

// How a command can end that did what it could.
var (
	errUnreadable  = errors.New("a part of the input was unreadable") // or missing, which has been reported
	errFound       = errors.New("answers that should not have left as they were")
	errInterrupted = errors.New("interrupted")
)

// exitCode is the code that an error of a command is told by.
func exitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUnreadable):
		return 2
	case errors.Is(err, errFound):
		return 3
	case errors.Is(err, errInterrupted):
		return 130 // as shells have it for SIGINT
	}
	return 1
}

// tell writes an error, of which each line may quote what was typed or read.
func tell(err error) {
	said := "failloud: "
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = strings.ReplaceAll(line, "\t", "  ") // drivers indent
		fmt.Fprintf(os.Stderr, "%s%s\n", said, printable([]byte(line)))
		said = ""
	}
}

func main() {
	var cli commands
	parser := kong.Must(&cli,
		kong.Name("failloud"),
		kong.Description("Notices that an agent's tool has gone silent, and says so."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	ctx, err := parser.Parse(os.Args[1:])
	if err != nil {
		tell(err)
		fmt.Fprintln(os.Stderr, `Run "failloud --help" for the commands and their flags.`)
		os.Exit(1)
	}
	err = ctx.Run()
	code := exitCode(err)
	if code != 0 && code != 2 { // what was unreadable has been told
		tell(err)
	}
	os.Exit(code)
}
