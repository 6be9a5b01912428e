//go:build unix

package tools_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
	"github.com/failloud/failloud/toolkit/tools"
)

func Example() {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	dir, err := tools.OpenDir(root, tools.DirConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dir.Close()
	if err := os.WriteFile(filepath.Join(root, "todo.txt"), []byte("pay the rent\ncall Ann\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	kit := toolkit.New(toolkit.Config{})
	toolkit.Wrap(kit, dir.ReadFile())
	toolkit.Wrap(kit, tools.RunCommand(tools.CommandConfig{Name: "inspect", Dir: root, ReadOnly: []string{"grep"}}))
	ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "todo"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.End()

	for _, call := range []struct{ name, args string }{
		{"read_file", `{"path": "todo.txt", "end_line": 1}`},
		{"read_file", `{"path": "../../etc/passwd"}`},
		{"inspect", `{"argv": ["grep", "-c", "Ann", "todo.txt"]}`},
		{"inspect", `{"argv": ["rm", "todo.txt"]}`},
	} {
		fmt.Println(kit.Invoke(ctx, call.name, []byte(call.args)))
	}
	// Output:
	// pay the rent
	// [lines 1 to 1; the file goes on]
	// TOOL_FAILED: read_file was refused (invalid_args) after 1 attempt. path: outside_root. Correct the arguments; do not repeat this call. Do not guess. Otherwise tell the user this lookup failed.
	// 1
	// TOOL_FAILED: inspect was refused (invalid_args) after 1 attempt. argv: command_not_allowed. Correct the arguments; do not repeat this call. Do not guess. Otherwise tell the user this lookup failed.
	// <tool_output data-only="true">
	// the command is not one of those this tool may run
	// </tool_output>
}
