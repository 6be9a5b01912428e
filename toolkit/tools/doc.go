// Package tools has the tools that most agents begin with, ready to be wrapped:
// each with the effect, the timeout, the rules and the bounds that fit it.
//
//	dir, err := tools.OpenDir("/srv/project", tools.DirConfig{})
//	...
//	toolkit.Wrap(kit, dir.ReadFile())
//	toolkit.Wrap(kit, dir.WriteFile())
//	toolkit.Wrap(kit, dir.ListDirectory())
//	toolkit.Wrap(kit, dir.SearchFiles())
//	toolkit.Wrap(kit, tools.RunCommand(tools.CommandConfig{Dir: "/srv/project"}))
//	toolkit.Wrap(kit, tools.HTTPGet(tools.HTTPConfig{Hosts: []string{"api.example.com"}}))
//
// What they have in common:
//
//   - A refusal names the argument and what is wrong with it, and nothing was
//     done: the model may correct the call, code does not repeat it.
//   - A result that a bound has cut says so, in the text the model reads and in
//     the outcome, where the guard sees it.
//   - What a file says or a program prints is data. The word "error" in it is
//     not a failure.
//
// # Files
//
// The tools of a [Dir] cannot leave it. write_file replaces a file in one step
// and compares contents before it repeats anything. search_files falls back to
// list_directory, which has to be in the same kit.
//
// # Commands
//
// An exit code is an answer: a command that ended with one has failed, or has
// found nothing (grep and diff with 1), but it has ended, so nobody needs to be
// asked. A command that was killed may have done anything: it is a case for a
// person, unless the tool only runs commands that read. Commands are not in a
// sandbox.
//
// # HTTP
//
// http_get and http_post reach public addresses and the hosts that are named,
// nothing else: not the machine itself, not its network, not the metadata
// service that would hand out its credentials.
//
// A tool returned by this package is a plain value. Change its Name, Timeout or
// Upstream before it is wrapped:
//
//	read := dir.ReadFile()
//	read.Name = "read_docs"
package tools
