package guard

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// doings is what is known of a generic tool's calls: one that does what it is
// told to, or of which nobody knows what it does.
type doings struct {
	acted, known bool    // a success may have changed something; it is known what each was about
	ran          bool    // a call got as far as to be carried out
	did, failed  deedSet // deeds that the command of a success, or of a failure, is named after
}

// generic is what the calls of a tool may have done, where it is one that may do
// anything.
func (j *judgment) generic(a *ability) *doings {
	if a.doings != nil {
		return a.doings
	}
	d := &doings{known: j.proofIsWhole()}
	a.doings = d
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		d.ran = d.ran || toolName(c) == a.tool && c.Kind != fault.KindNotRun && c.Kind != fault.KindDenied
	}
	for _, e := range j.proof() {
		if e.Tool == nil || e.Tool.Name != a.tool {
			continue
		}
		commands := commandsIn(e.Args)
		d.did |= namedAfter(commands)
		d.acted = d.acted || !onlyLooks(commands) && !(a.unknown && showsThings(e))
	}
	for _, e := range j.tried() {
		if e.Tool != nil && e.Tool.Name == a.tool {
			d.failed |= namedAfter(commandsIn(e.Args))
		}
	}
	return d
}

// mayHave reports whether a success of the tool may be what the claim says.
func (j *judgment) mayHave(a *ability, c *claim) bool {
	if c.deed >= 0 && deeds[c.deed].name == "run" && a.executes && j.generic(a).ran {
		return true // a program that ended badly has been run all the same
	}
	if !a.ok || !a.anything || c.deed >= 0 && a.deeds&deedDoers[c.deed] != 0 {
		return a.ok
	}
	d := j.generic(a)
	return d.acted || !d.known
}

// failedAtIt reports whether a generic tool failed at the very command that the
// deed of the claim is named after, and nothing that is named after it, or is
// for it, succeeded.
func (j *judgment) failedAtIt(c *claim) bool {
	if c.deed < 0 || anyCommand[deeds[c.deed].name] {
		return false
	}
	failed := false
	for i := range j.abilities() {
		a := &j.able[i]
		switch {
		case !a.anything:
			if a.ok && a.deeds&deedDoers[c.deed] != 0 {
				return false
			}
		default:
			d := j.generic(a)
			if !d.known || d.did&deedDoers[c.deed] != 0 {
				return false
			}
			failed = failed || d.failed&(1<<c.deed) != 0
		}
	}
	return failed
}

// anyCommand are deeds that commands of any name do.
var anyCommand = set("create update save move run archive")

// maxCommands bounds what is read of the arguments of one call.
const maxCommands = 16 << 10

// commandFields are the names under which tools take what they are to do.
var commandFields = set("command cmd commands script code sql query statement shell input source program expression")

// commandsIn are the simple commands in the arguments of a call, nil where it
// cannot be told what they tell it to do.
func commandsIn(args string) [][]string {
	if args == "" || len(args) > maxCommands {
		return nil
	}
	var fields map[string]any
	if json.Unmarshal([]byte(args), &fields) != nil {
		return nil
	}
	text, others := "", 0
	for name, v := range fields {
		s, ok := v.(string)
		if list, is := v.([]any); is {
			var words []string
			for _, w := range list {
				word, _ := w.(string)
				words = append(words, word)
			}
			s, ok = strings.Join(words, " "), true
		}
		switch {
		case commandFields[strings.ToLower(name)] && ok:
			text += s + "\n"
		case ok:
			others++
		}
	}
	if text == "" {
		return nil
	}
	return simpleCommands(text)
}

// simpleCommands parts a line of commands into the words of each.
func simpleCommands(text string) [][]string {
	var all [][]string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' || r == '|' || r == '&' }) {
		words := strings.Fields(part)
		for len(words) > 0 && (wrappers[words[0]] || strings.Contains(words[0], "=")) {
			words = words[1:] // "sudo", "ENV=x"
		}
		if len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

var wrappers = set("sudo time env nohup exec then do")

// namedAfter are the deeds that the commands that may change something say in
// their first words: "make deploy", "git push", "DELETE FROM".
func namedAfter(commands [][]string) deedSet {
	var d deedSet
	for _, words := range commands {
		if looks(words) {
			continue
		}
		for _, w := range words[:min(len(words), 4)] {
			for _, name := range nameWords(path.Base(strings.ToLower(w))) {
				for _, f := range verbs[name.plain] {
					if f.deed >= 0 && len(f.parts) == 1 && f.tongue.language == English {
						d |= 1 << f.deed
					}
				}
			}
		}
	}
	return d
}

// looking are the programs and statements that change nothing, with those of
// their subcommands that do not where they have others.
var looking = map[string]map[string]bool{
	"git":     set("status log diff show branch rev-parse ls-files ls-remote blame describe remote grep reflog shortlog"),
	"kubectl": set("get describe logs top explain version"),
	"docker":  set("ps logs images inspect stats version"),
	"helm":    set("list status get history"),
	"npm":     set("ls list view outdated audit"),
	"pip":     set("list show freeze"),
	"go":      set("list version env doc"),
}

var lookingAlone = set("ls cat head tail grep rg egrep find wc pwd cd which file stat du df ps tree less more whoami date uname env printenv sort uniq cut nl jq hostname uptime free top id diff echo true select show describe explain with pragma limit from where order group and join having left inner on")

// onlyLooks reports whether the commands are known and change nothing.
func onlyLooks(commands [][]string) bool {
	return len(commands) > 0 && !slices.ContainsFunc(commands, func(words []string) bool { return !looks(words) })
}

// looks reports whether a command is known to change nothing.
func looks(words []string) bool {
	if slices.ContainsFunc(words, redirects) || slices.Contains(words, "-delete") || slices.Contains(words, "-exec") {
		return false
	}
	first := strings.ToLower(path.Base(words[0]))
	if sub, has := looking[first]; has {
		return len(words) > 1 && sub[words[1]]
	}
	return lookingAlone[first]
}

// redirects holds for a word that writes what a command says to a file.
func redirects(w string) bool {
	return strings.Contains(w, ">") && !strings.Contains(w, "/dev/null") && w != ">=" && w != "<>" && !strings.HasPrefix(w, "2>")
}

// showsThings reports whether a call returned a list of things and no word that
// something was done, as look-ups do. It is asked for tools of which nobody
// knows what they do.
func showsThings(e runrecord.Evidence) bool {
	result := strings.TrimSpace(e.Result)
	if len(result) < 2 || result[0] != '{' && result[0] != '[' || !json.Valid([]byte(result)) {
		return false
	}
	for _, text := range []string{e.Args, result} {
		for i := 0; i < len(text); {
			n := letters(text[i:])
			if n == 0 {
				i++
				continue
			}
			w := strings.ToLower(text[i : i+n])
			if acknowledges[w] || deedsByTool[w] != 0 || slices.ContainsFunc(verbs[plain(w)], func(f *verbForm) bool { return f.deed >= 0 }) {
				return false
			}
			i += n
		}
	}
	return true
}

// acknowledges are words with which a tool says that it did something.
var acknowledges = set("ok okay done success successful successfully succeeded true status state confirmed confirmation accepted completed complete result message receipt reference transaction id ids uuid key created modified code thành công trang thai xong")

// letters is the length of the run of letters that the text begins with.
func letters(s string) int {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= 0x80) {
		n++
	}
	return n
}
