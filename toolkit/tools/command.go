package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// CommandConfig says which commands run_command may start, and how. The zero
// value starts any program by its arguments, in the directory of this process,
// with few of its environment variables; a write, because nobody can tell what
// a command does. What cannot be used is named by [toolkit.Kit.Start].
type CommandConfig struct {
	// Name of the tool. Default "run_command". A second tool, for the commands
	// of ReadOnly, needs another one.
	Name string
	// Dir is where commands run; it has to exist when the tool is made. Default: the
	// directory of this process. It is not a sandbox: a command reaches what the user of this process reaches.
	Dir string
	// Shell also offers the form of one line for a shell ("sh -c", "cmd /c" on
	// Windows). Default false: arguments only. It is ignored where ReadOnly is
	// set, because a line can start anything.
	Shell bool
	// ReadOnly makes the tool a [fault.Read] that starts these commands and no
	// other: "ls", or with leading arguments "git log". What an entry's options
	// can do is the owner's to know: "find" has -delete.
	ReadOnly []string
	// NoMatch says, by the name of a command, which exit codes are an answer
	// and not a failure. Default: 1 for grep, rg, diff, cmp and their kin; an
	// entry here replaces the default of that command.
	NoMatch map[string][]int
	// Env is what commands get beside the basic variables (PATH, HOME, USER,
	// LANG, TZ, TMPDIR and their like): "NAME" passes one on, "NAME=value" sets
	// one. Everything else stays out, because secrets live in there.
	Env []string
	// Timeout of one command. Default 30 s. At its end the command is ended with
	// everything it has started. So is, after a second, a process in the
	// background that holds on to the output of a command that has ended.
	Timeout time.Duration
	// MaxOutput is how many bytes of standard output and error, in the order
	// they came, are kept: half from the beginning, half from the end. Default
	// 32 KiB.
	MaxOutput int
}

// RunCommandIn are the arguments of run_command.
type RunCommandIn struct {
	Argv    []string `json:"argv,omitempty" jsonschema:"the program and its arguments, without a shell"`
	Command string   `json:"command,omitempty" jsonschema:"one line for the shell, in the place of argv"`
	Dir     string   `json:"dir,omitempty" jsonschema:"directory below the working directory to run in"`
}

// Schemas of run_command: the derived one would offer both forms everywhere.
const (
	argvSchema = `{"type":"object","properties":{` +
		`"argv":{"type":"array","items":{"type":"string"},"minItems":1,"description":"the program and its arguments, without a shell"},` +
		`"dir":{"type":"string","description":"directory below the working directory to run in"}},` +
		`"required":["argv"],"additionalProperties":false}`
	shellSchema = `{"type":"object","properties":{` +
		`"argv":{"type":"array","items":{"type":"string"},"minItems":1,"description":"the program and its arguments, without a shell"},` +
		`"command":{"type":"string","minLength":1,"description":"one line for the shell, in the place of argv"},` +
		`"dir":{"type":"string","description":"directory below the working directory to run in"}},` +
		`"additionalProperties":false}`
)

// CommandResult is what run_command returns for a command that ended with an
// exit code that is an answer: 0, or one of the declared others.
type CommandResult struct {
	ExitCode int    `json:"exit_code"`         // 0 for a success
	Output   string `json:"output"`            // standard output and error together
	Omitted  int64  `json:"omitted,omitempty"` // bytes left out of the middle of Output
	Left     bool   `json:"left,omitempty"`    // it left processes behind, which were ended
}

// ModelText is the output, and says so where there was none.
func (r CommandResult) ModelText() string {
	out := strings.TrimSuffix(r.Output, "\n")
	var notes []string
	if out == "" {
		notes = append(notes, "no output")
	}
	if r.ExitCode != 0 {
		notes = append(notes, fmt.Sprintf("exit code %d", r.ExitCode))
	}
	if r.Left {
		notes = append(notes, "processes left in the background were ended")
	}
	if len(notes) == 0 {
		return out
	}
	return strings.TrimPrefix(out+"\n["+strings.Join(notes, "; ")+"]", "\n")
}

// Empty reports whether the command has answered with nothing by a declared exit
// code: no match, no difference. Silence with code 0 is how commands say "done".
func (r CommandResult) Empty() bool { return r.ExitCode != 0 && r.Output == "" }

// RunCommand is the tool run_command. An exit code other than 0 is an answer of
// the command: the call has failed, is not repeated, and the model is given the
// output, redacted, to repair what it asked for. A command that was killed, by
// its timeout or by somebody else, may have done its work or half of it: the
// call of a ReadOnly tool is repeated, any other is a case for a person.
//
// The same command asked for twice is run twice, except while the first of the
// task is running or in doubt. After a decision about a killed command one call
// is told what became of it; then it runs again, see [toolkit.Tool].Anew.
func RunCommand(cfg CommandConfig) toolkit.Tool[RunCommandIn, CommandResult] {
	r := newRunner(cfg)
	tool := toolkit.Tool[RunCommandIn, CommandResult]{
		Name:        "run_command",
		Description: "Run a program and return what it prints.",
		Effect:      fault.Write,
		Timeout:     r.cfg.Timeout,
		Schema:      json.RawMessage(argvSchema),
		Detail:      true,
		Prints:      true,
		MaxResult:   r.cfg.MaxOutput + markRoom,
		Anew:        true,
		Invalid:     cfg.problems(),
		Call:        r.run,
	}
	if cfg.Name != "" {
		tool.Name = cfg.Name
	}
	if r.shell {
		tool.Schema = json.RawMessage(shellSchema)
	}
	if len(cfg.ReadOnly) > 0 {
		tool.Effect = fault.Read
		tool.Description = "Run one of these commands and return what it prints: " + strings.Join(cfg.ReadOnly, ", ") + "."
	}
	return tool
}

// problems names every field that cannot be used.
func (c *CommandConfig) problems() error {
	var errs problems
	if c.Dir != "" {
		info, err := os.Stat(c.Dir)
		errs.when(err != nil, "CommandConfig.Dir cannot be used: %w", err)
		errs.when(err == nil && !info.IsDir(), "CommandConfig.Dir is not a directory: %s", c.Dir)
	}
	errs.when(c.Timeout < 0, "CommandConfig.Timeout is negative: %v", c.Timeout)
	errs.when(c.MaxOutput < 0, "CommandConfig.MaxOutput is negative: %d", c.MaxOutput)
	for i, entry := range c.ReadOnly {
		errs.when(strings.TrimSpace(entry) == "", "CommandConfig.ReadOnly[%d] names no program", i)
	}
	for i, entry := range c.Env {
		name, _, _ := strings.Cut(entry, "=")
		errs.when(strings.TrimSpace(name) == "", "CommandConfig.Env[%d] names no variable", i)
	}
	return errors.Join(errs...)
}

// ErrCommand is matched by every [CommandError].
var ErrCommand = errors.New("tools: the command failed")

// CommandError is how a command failed that was started. Its text has neither
// the arguments nor the output. It unwraps to [ErrCommand], to the
// [exec.ExitError], and to [context.DeadlineExceeded] where the time ran out.
type CommandError struct {
	Code   int    // exit code, -1 where it was killed
	Output string // standard output and error together, bounded
	Err    error  // the error of the process
}

// Error says how the command ended.
func (e *CommandError) Error() string {
	if e.Code < 0 {
		return "command was killed"
	}
	return fmt.Sprintf("command ended with exit code %d", e.Code)
}

// Unwrap returns [ErrCommand] and the cause.
func (e *CommandError) Unwrap() []error { return []error{ErrCommand, e.Err} }

// Detail is the output, which the model needs in order to change its command.
func (e *CommandError) Detail() string { return e.Output }

// ExitCode is the exit code, -1 where the command was killed.
func (e *CommandError) ExitCode() int { return e.Code }
