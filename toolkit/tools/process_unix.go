//go:build unix

package tools

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// grace is how long a command has to end by itself after it was asked to, and
// how long a process left in the background may hold its output open.
const grace = time.Second

// group gives the command a session of its own: without a terminal that it
// could wait for, and as one process group, so that what it started can be
// ended with it. The group is asked to end when the context does; the function
// returned ends what is left of it.
func group(cmd *exec.Cmd) (end func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = grace
	signal := func(s syscall.Signal) error {
		if err := syscall.Kill(-cmd.Process.Pid, s); err != nil {
			return os.ErrProcessDone
		}
		return nil
	}
	cmd.Cancel = func() error { return signal(syscall.SIGTERM) }
	return func() { _ = signal(syscall.SIGKILL) }
}

func shellArgv(line string) []string { return []string{"/bin/sh", "-c", line} }

// shellCommand is the command whose exit code the line ends with, "" for unknown.
func shellCommand(line string) string { return deciding(line) }
