package args_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The binaries of all examples, called as nobody should and as everybody does.
func TestEveryExampleSaysHowItIsUsed(t *testing.T) {
	t.Parallel()
	mains, err := filepath.Glob("../../*/main.go")
	require.NoError(t, err)
	require.Len(t, mains, 6)
	bin := t.TempDir()
	for _, file := range mains {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := filepath.Join(bin, name)
			if runtime.GOOS == "windows" {
				binary += ".exe"
			}
			built, err := exec.Command("go", "build", "-o", binary, "../../"+name).CombinedOutput()
			require.NoError(t, err, string(built))
			for arg, want := range map[string]struct {
				code int
				says string
			}{
				"-h":      {0, ""},
				"-strcit": {2, "flag provided but not defined: -strcit\n"},
				"strict":  {2, "unexpected argument: strict\n"},
			} {
				cmd := exec.Command(binary, arg)
				out, _ := cmd.CombinedOutput()
				assert.Equal(t, want.code, cmd.ProcessState.ExitCode(), arg)
				assert.Regexp(t, `\A`+want.says+`usage: go run ./examples/`+name+`( \[flags\])?\n`, string(out))
			}
		})
	}
}
