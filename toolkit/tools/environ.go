package tools

import (
	"os"
	"strings"
)

// basic are the variables that programs need in order to find their way, on
// any system; none of them holds a secret.
var basic = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "WINDIR", "PROGRAMFILES",
}

// environment is what commands get: the basic variables and the declared ones.
// Later entries win, as in [os/exec].
func environment(declared []string) []string {
	env := []string{"TERM=dumb", "NO_COLOR=1"}
	for _, name := range basic {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for _, d := range declared {
		if strings.Contains(d, "=") {
			env = append(env, d)
		} else if v, ok := os.LookupEnv(d); ok {
			env = append(env, d+"="+v)
		}
	}
	return env
}
