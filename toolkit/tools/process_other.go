//go:build !unix

package tools

import (
	"os/exec"
	"strconv"
	"time"
)

// grace is how long a process left in the background may hold the output of a
// command open.
const grace = time.Second

// group ends the command when its context does. On Windows taskkill ends what
// the command has started as well; elsewhere that is left running.
func group(cmd *exec.Cmd) (end func()) {
	cmd.WaitDelay = grace
	kill := func() error {
		// The tree has to be ended from the top while the top is still there.
		if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run(); err == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	cmd.Cancel = kill
	return func() {}
}

func shellArgv(line string) []string { return []string{"cmd", "/c", line} }

// shellCommand is unknown: the quoting rules of cmd are not those of sh.
func shellCommand(string) string { return "" }
