// Package args reads the command line of an example.
package args

import (
	"flag"
	"fmt"
	"os"
)

// Parse reads the flags that the example has declared with package flag. With -h
// it prints the usage under the name that the example is run by, and ends the
// program with status 0; after anything that is no flag of it, with status 2.
func Parse(example string) {
	flags := flag.CommandLine
	flags.Init(example, flag.ExitOnError)
	flags.Usage = func() {
		out := flags.Output()
		declared := false
		flags.VisitAll(func(*flag.Flag) { declared = true })
		if !declared {
			fmt.Fprintf(out, "usage: go run ./examples/%s\n", example)
			return
		}
		fmt.Fprintf(out, "usage: go run ./examples/%s [flags]\n", example)
		flags.PrintDefaults()
	}
	_ = flags.Parse(os.Args[1:]) // ends the program itself
	if flags.NArg() > 0 {
		fmt.Fprintf(flags.Output(), "unexpected argument: %s\n", flags.Arg(0))
		flags.Usage()
		os.Exit(2)
	}
}
