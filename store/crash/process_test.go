package crash_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roleVar makes the test binary another program.
const roleVar = "FAILLOUD_CRASH_ROLE"

var roles = map[string]func(in io.Reader, out io.Writer) error{
	"service": serve, "agent": work, "session": converse, "client": contend,
}

// play is the whole life of a process in a role.
func play(role string) (exit int) {
	if err := roles[role](os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// process is another program that was started. It ends with the context it was started
// under, and with this program: its input does.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors bytes.Buffer
}

func start(ctx context.Context, role string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(ctx, self)}
	// Under the race detector a program sleeps for a second before it ends, for nothing.
	p.cmd.Env = append(os.Environ(), roleVar+"="+role, "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	p.cmd.Stderr = &p.errors
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// wait waits for the end, and tells whether the process was killed.
func (p *process) wait() (killed bool, err error) {
	_, rerr := io.Copy(io.Discard, p.out)
	err = p.cmd.Wait()
	p.in.Close()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == -1 {
		return true, nil
	}
	if err = errors.Join(err, rerr); err != nil {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(p.errors.String()))
	}
	return false, err
}

// send starts an agent on an order.
func send(ctx context.Context, o order) (*process, error) {
	p, err := start(ctx, "agent")
	if err != nil {
		return nil, err
	}
	return p, json.NewEncoder(p.in).Encode(o)
}

// run lets an agent work on an order until it ends, by itself or not.
func run(ctx context.Context, o order) (reports []report, killed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	p, err := send(ctx, o)
	if err != nil {
		return nil, false, err
	}
	for dec := json.NewDecoder(p.out); ; {
		var r report
		if dec.Decode(&r) != nil {
			break
		}
		reports = append(reports, r)
	}
	killed, err = p.wait()
	if killed && ctx.Err() != nil {
		return reports, false, fmt.Errorf("an agent hangs: %w", ctx.Err())
	}
	return reports, killed, err
}

// newService starts the service of a test and returns its URL.
func newService(t testing.TB) string {
	t.Helper()
	p, err := start(context.Background(), "service")
	require.NoError(t, err)
	t.Cleanup(func() {
		p.in.Close()
		_, err := p.wait()
		require.NoError(t, err)
	})
	url, err := p.out.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(url)
}
