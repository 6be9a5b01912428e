package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// errMissing says how to get what is missing.
var errMissing = errors.New("initdb and postgres are not installed (Debian: apt-get install postgresql); " +
	"install them, or name a running server in " + serverEnv + ", or set " + skipEnv + " to skip these tests")

// find returns the folder of the server's programs: that of the search path, or the
// newest of those that Debian keeps beside each other.
func find() (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if initdb, err = filepath.EvalSymlinks(initdb); err == nil { // it looks for postgres beside itself
			return filepath.Dir(initdb), nil
		}
	}
	all, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(all) == 0 {
		return "", errMissing
	}
	newest := slices.MaxFunc(all, func(a, b string) int { return major(a) - major(b) })
	return filepath.Dir(newest), nil
}

func major(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

// guardian starts the server in "$1" and waits for the end of its input, which comes
// with the end of the test program, however that ends. Then it stops the server, by
// its process id, and removes the folder "$2". An interrupt from the terminal reaches
// the server too, and must not end the one who cleans up.
const guardian = `trap '' INT TERM HUP
bin=$1 dir=$2; shift 2
"$bin/postgres" -D "$dir/data" "$@" </dev/null >"$dir/log" 2>&1 &
pid=$!
read -r _
kill -INT "$pid" 2>/dev/null
wait "$pid"
rm -rf "$dir"`

// alive is the input of the guardian. Nobody closes it but the system; a variable
// holds it, because the collector of garbage would close it too.
var alive io.Closer

// start makes a cluster and starts its server; it returns the URL of its first
// database.
func start() (string, error) {
	bin, err := find()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		return "", err
	}
	who, err := unprivileged(dir)
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	init := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), //nolint:gosec,noctx // it ends by itself
		"--username=failloud", "--auth=trust", "--encoding=UTF8", "--locale=C")
	init.Dir, init.SysProcAttr = dir, who
	if said, err := init.CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("initdb: %w: %s", err, said), os.RemoveAll(dir))
	}
	port, err := freePort()
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	server := exec.Command("/bin/sh", "-c", guardian, "sh", bin, dir, //nolint:gosec,noctx // it ends with this program
		"-c", "listen_addresses=127.0.0.1", "-c", "port="+port, "-c", "unix_socket_directories=",
		"-c", "max_connections=300", "-c", "shared_buffers=256MB", "-c", "max_wal_size=4GB")
	server.Dir, server.SysProcAttr = dir, who
	if alive, err = server.StdinPipe(); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	if err := server.Start(); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	url := "postgres://failloud@127.0.0.1:" + port + "/postgres?sslmode=disable"
	if err := answers(url); err != nil {
		said, _ := os.ReadFile(filepath.Join(dir, "log")) //nolint:gosec // made above
		return "", errors.Join(fmt.Errorf("the server does not start: %w: %s", err, said), alive.Close())
	}
	return url, nil
}

// freePort returns a port that nobody listens on.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a moment
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// answers waits until the server lets somebody in.
func answers(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		conn, err := pgx.Connect(ctx, url)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return err
		}
	}
}
