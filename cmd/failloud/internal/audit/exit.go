package audit

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
)

// exitOf is the exit code of a command and what it wrote. Many programs put the
// code into the text of the result, in front of it.
func exitOf(e *transcript.Event) (code int, output string, ended bool) {
	if e.ExitCode != nil {
		return *e.ExitCode, e.Text, true
	}
	text := strings.TrimPrefix(e.Text, "Error: ")
	const digits = 12
	if len(text) < len("exit code ") || !strings.EqualFold(text[:5], "exit ") {
		return 0, "", false
	}
	for _, name := range []string{"exit code: ", "exit status: ", "exit code ", "exit status "} {
		if len(text) <= len(name) || !strings.EqualFold(text[:len(name)], name) {
			continue
		}
		number, _, _ := strings.Cut(text[len(name):min(len(text), len(name)+digits)], "\n")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return 0, "", false
		}
		_, output, _ = strings.Cut(text, "\n")
		return n, output, true
	}
	return 0, "", false
}

// compared is the outcome of a command that looks for something or compares, by
// its arguments, and has ended with 1: there is none, or they differ.
func compared(args, output string) (fault.Outcome, bool) {
	last := lastCommand(commandOf(args))
	output = strings.TrimSpace(output)
	if last == "" || strings.HasPrefix(output, last+": ") {
		return fault.Outcome{}, false
	}
	switch {
	case output == "" || output == "0":
		return fault.Outcome{Kind: fault.KindOK, Qualifiers: fault.Empty}, true
	case last == "diff" || last == "cmp":
		return fault.Outcome{Kind: fault.KindOK}, true
	}
	return fault.Outcome{}, false
}

// looks are the commands whose exit code 1 says that there is no such thing, or
// that two differ; more than 1 is an error of theirs.
var looks = wordSet(`grep egrep fgrep zgrep rg ag ack diff cmp test [ [[ pgrep pidof which`)

// prepares are the commands in front of another that have no failure without a
// word.
var prepares = wordSet(`cd pushd export set echo`)

// lastCommand is the name of the command that the exit code is of, where it is
// one that looks for something; else "".
func lastCommand(script string) string {
	parts := commands(script)
	last := ""
	for i := len(parts) - 1; i >= 0; i-- {
		switch name := commandName(parts[i].text); {
		case last == "" && !looks[name]:
			return ""
		case last == "":
			last = name
		case parts[i+1].behind == "|": // the code of a pipe is that of its end
		case !looks[name] && !prepares[name]:
			return "" // it may be the one that has ended what && joins
		}
		switch parts[i].behind {
		case "||", "&":
			return ""
		case ";":
			return last
		}
	}
	return last
}

// part is a command of a script and the operator that it stands behind.
type part struct{ behind, text string }

// commands cuts a script at its operators; a line break is a semicolon.
func commands(script string) []part {
	var all []part
	behind, from, quote := "", 0, byte(0)
	for i := 0; i < len(script); i++ {
		c := script[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case c == '"' || c == '\'':
			quote = c
			continue
		case strings.IndexByte("|&;\n", c) < 0 || redirects(script, i):
			continue
		}
		operator := string(c)
		switch {
		case c == '\n':
			operator = ";"
		case i+1 < len(script) && script[i+1] == c && c != ';':
			operator += string(c)
		}
		if strings.TrimSpace(script[from:i]) != "" {
			all = append(all, part{behind, script[from:i]})
			behind = operator
		}
		i += len(operator) - 1
		from = i + 1
	}
	if rest := script[min(from, len(script)):]; strings.TrimSpace(rest) != "" {
		all = append(all, part{behind, rest})
	}
	return all
}

// redirects holds for the & of 2>&1 and &>.
func redirects(s string, i int) bool {
	return s[i] == '&' && (i > 0 && (s[i-1] == '>' || s[i-1] == '<') || i+1 < len(s) && s[i+1] == '>')
}

// commandName is the first word of a command without its path.
func commandName(command string) string {
	for _, w := range strings.Fields(command) {
		switch {
		case w == "!":
			return ""
		case strings.Contains(w, "=") && w[0] != '[' || w == "sudo" || w == "command" || w == "git":
			continue // a variable, or what runs the next word
		}
		return w[strings.LastIndexByte(w, '/')+1:]
	}
	return ""
}

// maxCommand bounds the arguments that are read for their command.
const maxCommand = 64 << 10

// commandOf is the command in the arguments of a tool that runs one.
func commandOf(args string) string {
	var of map[string]json.RawMessage
	if len(args) > maxCommand || json.Unmarshal([]byte(args), &of) != nil {
		return ""
	}
	for _, name := range []string{"command", "cmd", "script"} {
		var line string
		var words []string
		switch {
		case json.Unmarshal(of[name], &line) == nil:
			return line
		case json.Unmarshal(of[name], &words) != nil || len(words) == 0:
		case len(words) == 3 && strings.HasPrefix(words[1], "-") && slices.Contains([]string{"-c", "-lc"}, words[1]):
			return words[2] // of a shell
		default:
			return words[0]
		}
	}
	return ""
}
