package tools

import (
	"context"
	"errors"
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

// runner starts the commands of one tool.
type runner struct {
	cfg   CommandConfig
	shell bool
	env   []string
}

func newRunner(cfg CommandConfig) *runner {
	orDefault(&cfg.Timeout, 30*time.Second)
	orDefault(&cfg.MaxOutput, toolkit.DefaultMaxResult)
	return &runner{
		cfg: cfg, shell: cfg.Shell && len(cfg.ReadOnly) == 0,
		env: environment(cfg.Env),
	}
}

func (r *runner) run(ctx context.Context, in RunCommandIn) (CommandResult, error) {
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
