package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// CommandConfig says which commands run_command may start, and how. The zero
// value starts any program by its arguments, in the directory of this process,
// with few of its environment variables; a write, because nobody can tell what
// a command does.
type CommandConfig struct {
	// Name of the tool. Default "run_command". A second tool, for the commands
	// of ReadOnly, needs another one.
	Name string
	// Dir is where commands run. Default: the directory of this process. It is
	// not a sandbox: a command reaches what the user of this process reaches.
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
	// Timeout of one command. Default 30 s. At its end the command and all that
	// it started are ended too.
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
	ExitCode int    `json:"exit_code"`
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
// The same command asked for twice is run twice, except while the first is
// running or in doubt.
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
		MaxResult:   r.cfg.MaxOutput + 512, // the output has its own mark where it is cut
		KeyOf:       func(in RunCommandIn) string { return r.work.key(in.intent()) },
		Call:        r.run,
		Classify:    []fault.Detector{fault.DetectorFunc(byOutput)},
	}
	if cfg.Name != "" {
		tool.Name = cfg.Name
	}
	if r.shell {
		tool.Schema = json.RawMessage(shellSchema)
	}
	if len(cfg.ReadOnly) > 0 {
		tool.Effect, tool.KeyOf = fault.Read, nil
		tool.Description = "Run one of these commands and return what it prints: " + strings.Join(cfg.ReadOnly, ", ") + "."
	}
	return tool
}

// intent says what a call is about.
func (in RunCommandIn) intent() string {
	return strings.Join(in.Argv, "\x00") + "\x00\x00" + in.Command + "\x00\x00" + in.Dir
}

// runner starts the commands of one tool.
type runner struct {
	cfg   CommandConfig
	shell bool
	env   []string
	work  *intents
}

func newRunner(cfg CommandConfig) *runner {
	orDefault(&cfg.Timeout, 30*time.Second)
	orDefault(&cfg.MaxOutput, 32<<10)
	return &runner{
		cfg: cfg, shell: cfg.Shell && len(cfg.ReadOnly) == 0,
		env: environment(cfg.Env), work: newIntents(),
	}
}

func (r *runner) run(ctx context.Context, in RunCommandIn) (CommandResult, error) {
	out, err := r.execute(ctx, in)
	var exit *exec.ExitError
	switch f, ok := fault.As(err); {
	case err == nil, ok && f.Ran == fault.RanNo, errors.As(err, &exit) && exit.Exited() && !killedBy(exit.ExitCode()):
		r.work.ended(in.intent())
	}
	return out, err
}

// killedBy reports whether a shell or timeout(1) uses this exit code to say
// that the command was ended from outside.
func killedBy(code int) bool { return code == 124 || code == 137 }

func (r *runner) execute(ctx context.Context, in RunCommandIn) (CommandResult, error) {
	argv, err := r.argv(in)
	if err != nil {
		return CommandResult{}, err
	}
	dir, err := r.dir(in.Dir)
	if err != nil {
		return CommandResult{}, err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, r.env
	kept := newHeadTail(r.cfg.MaxOutput)
	cmd.Stdout, cmd.Stderr = kept, kept // one writer: one pipe, so the order stays
	end := group(cmd)
	stop, stopped := cmd.Cancel, atomic.Bool{}
	cmd.Cancel = func() error {
		err := stop()
		stopped.Store(err == nil) // false: it had come to its own end already
		return err
	}
	if err := cmd.Start(); err != nil {
		return CommandResult{}, notStarted(err)
	}
	err = cmd.Wait()
	left := errors.Is(err, exec.ErrWaitDelay)
	if err != nil {
		end()
	}
	result := CommandResult{ExitCode: cmd.ProcessState.ExitCode(), Left: left}
	result.Output, result.Omitted = kept.text()
	if !stopped.Load() && (cmd.ProcessState.Success() || answers(r.cfg.NoMatch, in.deciding(), result.ExitCode)) {
		if result.Omitted > 0 {
			return result, toolkit.Truncated()
		}
		return result, nil
	}
	if stopped.Load() {
		err = errors.Join(ctx.Err(), err)
	}
	return CommandResult{}, &CommandError{Code: result.ExitCode, Output: result.Output, Err: err}
}

// deciding is the command whose exit code the call ends with, "" for unknown.
func (in RunCommandIn) deciding() string {
	if in.Command != "" {
		return shellCommand(in.Command)
	}
	return in.Argv[0]
}

// argv decides what is started.
func (r *runner) argv(in RunCommandIn) ([]string, error) {
	switch {
	case len(in.Argv) > 0 && in.Command != "":
		return nil, invalid("command", "argv_and_command", "both argv and command were given")
	case in.Command != "" && !r.shell:
		return nil, invalid("command", "argv_only", "this tool takes argv, not a line for a shell")
	case in.Command != "":
		return shellArgv(in.Command), nil
	case len(in.Argv) == 0 || in.Argv[0] == "":
		return nil, invalid("argv", "no_command", "no program was given")
	case len(r.cfg.ReadOnly) > 0 && !r.readOnly(in.Argv):
		return nil, invalid("argv", "command_not_allowed", "the command is not one of those this tool may run")
	}
	return in.Argv, nil
}

// readOnly reports whether the arguments begin with those of an entry. The
// program is compared as a bare name, so that ./ls is not ls.
func (r *runner) readOnly(argv []string) bool {
	for _, entry := range r.cfg.ReadOnly {
		words := strings.Fields(entry)
		if n := len(words); n > 0 && n <= len(argv) && slices.Equal(words, argv[:n]) {
			return true
		}
	}
	return false
}

// dir is where the command runs.
func (r *runner) dir(name string) (string, error) {
	if name == "" {
		return r.cfg.Dir, nil
	}
	if !filepath.IsLocal(name) {
		return "", invalid("dir", "outside_root", "%s leads out of the working directory", name)
	}
	return filepath.Join(r.cfg.Dir, name), nil
}

// notStarted is the error of a command that never ran.
func notStarted(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return refuse(fault.ReasonNotFound, "argv", "no_such_command", "%w", err)
	}
	if errors.Is(err, fs.ErrNotExist) { // of the program's path, or of the directory
		return refuse(fault.ReasonNotFound, "argv", "no_such_file", "%w", err)
	}
	return fault.NotRun(err)
}

// CommandError is how a command failed that was started. Its text has neither
// the arguments nor the output. It unwraps to the [exec.ExitError], and to
// [context.DeadlineExceeded] where the time ran out.
type CommandError struct {
	Code   int    // exit code, -1 where it was killed
	Output string // standard output and error together, bounded
	Err    error
}

// Error says how the command ended.
func (e *CommandError) Error() string {
	if e.Code < 0 {
		return "command was killed"
	}
	return fmt.Sprintf("command ended with exit code %d", e.Code)
}

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// Detail is the output, which the model needs in order to change its command.
func (e *CommandError) Detail() string { return e.Output }

// byOutput classifies a command by its exit code and by what it printed, which
// its error keeps out of its text.
func byOutput(s *fault.Signal) (fault.Outcome, bool) {
	var failed *CommandError
	if s.Exit != nil || !errors.As(s.Err, &failed) {
		return fault.Outcome{}, false
	}
	seen := *s
	seen.Exit = &fault.Exit{Code: failed.Code, Killed: failed.Code < 0, Output: []byte(failed.Output)}
	return new(fault.Classifier).Classify(&seen), true
}

// ExitCode is the exit code, -1 where the command was killed.
func (e *CommandError) ExitCode() int { return e.Code }
