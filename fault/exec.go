package fault

import (
	"errors"
	"strings"
)

// detectExit judges the end of a command: of itself, or of the *exec.ExitError
// a function returned. An exit code is an answer; the words beside it can make
// the cause more precise, the action stays that of a command.
func detectExit(s *Signal) (Outcome, bool) {
	exit := s.Exit
	if exit == nil {
		if exit = exitOf(s.Err); exit == nil {
			return Outcome{}, false
		}
	}
	switch {
	case exit.Killed || exit.Code == 124 || exit.Code == 137 || exit.Code == 143 || exit.Code == -1: // timeout(1), 128+SIGKILL, 128+SIGTERM
		return noAnswer.fail("exit.killed"), true
	case exit.Code == 0 && s.Err == nil:
		return okOutcome(len(strings.TrimSpace(string(exit.Output[:min(len(exit.Output), maxText)]))) == 0), true
	case exit.Code == 0:
		return Outcome{}, false
	case exit.Code == 130: // 128+SIGINT: somebody pressed Ctrl-C
		return callerGone.fail("exit.interrupted"), true
	}
	return failedCommand(exit, s.Effect), true
}

// failedCommand refines a non-zero exit by the message the command printed.
func failedCommand(exit *Exit, effect Effect) Outcome {
	text := string(exit.Output[max(0, len(exit.Output)-maxText):])
	c, basis := exitCode, "exit.code"
	switch k := curlCause(exit.Code, text); {
	case exit.Code == 126 || exit.Code == 127: // the shell could not start it
	case k != noCause:
		c, basis = k, "exit.curl"
	default:
		if k := commandCause(text); k != noCause {
			c, basis = k, "exit.message"
		}
	}
	o := c.fail(basis)
	o.Fault.Correctable = true
	if effect.Writes() && o.Fault.Ran != RanNo {
		// Whatever it did, it said that it ended: nobody needs to be asked.
		o.Fault.Ran, o.Fault.Action = RanYes, FailFast
	}
	return o
}

// commandCause reads the message of a command for causes that the exit code
// hides and that are somebody else's doing: a credential, a limit, a lock, the
// network. That a file is missing or a test fails is the answer of the command.
// Only a short message, or its last lines, is about the end.
func commandCause(text string) cause {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 6 {
		lines = lines[len(lines)-6:]
	}
	var c clues
	c.text(strings.Join(lines, "\n"))
	switch k := c.decide(0).cause; k {
	case badCredential, notAllowed, throttled, outOfBudget, outOfMoney, lockLost, unreachable, neverSent, diskFull, mustPay:
		if c.any(known) {
			return k
		}
	}
	return noCause
}

// curlCause is what curl's own exit codes mean. They are curl's only where its
// name stands in the message.
func curlCause(code int, text string) cause {
	if !strings.Contains(text, "curl: (") {
		return noCause
	}
	switch code {
	case 5, 6, 35, 51, 60, 47:
		return unreachable
	case 7:
		return neverSent
	case 28:
		return noAnswer
	case 52, 56, 55, 18, 92:
		return connectionLost
	case 67:
		return badCredential
	case 22:
		var c clues
		c.text(text)
		if c.namedStatus() != 0 {
			return c.decide(c.namedStatus()).cause
		}
	case 3:
		return badArguments
	}
	return noCause
}

// exitOf finds the exit code of an *exec.ExitError, or of any error with the
// same method, and what it kept of the output.
func exitOf(err error) *Exit {
	if err == nil {
		return nil
	}
	var e interface {
		error
		ExitCode() int
	}
	if errors.As(err, &e) {
		return &Exit{Code: e.ExitCode(), Killed: e.ExitCode() == -1, Output: []byte(err.Error())}
	}
	return nil
}
