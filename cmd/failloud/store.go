package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/store"
)

// envKeys names the variable of the keys. There is no flag: it would stand in the
// list of processes.
const envKeys = "FAILLOUD_KEYS"

// storeFlags say which database a command works on.
type storeFlags struct {
	Store  string `env:"FAILLOUD_STORE" placeholder:"NAME" help:"The database: postgres://…, sqlite:PATH, or the path of a SQLite file."`
	Schema string `placeholder:"NAME" help:"The PostgreSQL schema of the tables. Default: failloud."`
	Policy string `placeholder:"FILE" help:"A policy file (failloud.yaml): its store is the database where --store names none."`
}

const storeHelp = `The database is named by --store, the variable FAILLOUD_STORE, or the store of a policy
file (--policy). Where its payloads are encrypted, FAILLOUD_KEYS holds the keys, 32 bytes
in base64 each, with commas between.`

// Help is shown under the flags of the commands that have nothing to add.
func (storeFlags) Help() string {
	return storeHelp + `

Exit codes: 0 done, also where nothing was found; 1 could not work: flags, database, no
such run or more than one, then the nearest ids are named, or no terminal to ask for
confirmation and no --yes; 130 interrupted.`
}

// open opens the database. One that is not there is not made.
func (f storeFlags) open(ctx context.Context) (*store.Store, error) {
	if f.Store == "" && f.Policy != "" {
		p, err := policy.Load(f.Policy)
		if err != nil {
			return nil, err
		}
		f.Store = p.Store()
	}
	if f.Store == "" {
		return nil, errors.New("no database is named: give --store, set FAILLOUD_STORE, or name a policy file that has a store")
	}
	keys, err := keysOf(os.Getenv(envKeys))
	if err != nil {
		return nil, err
	}
	if path, ok := fileOf(f.Store); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, missing(path)
		}
	}
	if err := untouched(ctx, f.Store, f.Schema); err != nil {
		return nil, err
	}
	return store.Open(ctx, f.Store, store.Options{Keys: keys, Schema: f.Schema})
}

// fileOf returns the path of the file that a name means, if it means one.
func fileOf(name string) (path string, ok bool) {
	if path, ok = strings.CutPrefix(name, "sqlite:"); ok {
		return path, path != ""
	}
	scheme, rest, _ := strings.Cut(name, ":")
	return name, scheme != "postgres" && scheme != "postgresql" && !strings.HasPrefix(rest, "//")
}

// missing is where there is no such file. What may be the address of a server holds
// a password, and is not quoted.
func missing(path string) error {
	if strings.ContainsAny(path, "@=") {
		return errors.New("what --store names is no such file; a PostgreSQL database is named by a URL, postgres://…")
	}
	return fmt.Errorf("%s: no such file; the agent makes the database, this command does not", printable([]byte(path)))
}

// with runs do on the open database.
func (f storeFlags) with(do func(ctx context.Context, s *store.Store) error) error {
	ctx, stop := interruptible()
	defer stop()
	s, err := f.open(ctx)
	if err == nil {
		err = errors.Join(do(ctx, s), s.Close())
	}
	if err != nil && ctx.Err() != nil {
		return errInterrupted
	}
	return advised(err)
}

// errSealed is where a key is missing. What a store says of a value that it cannot
// open sounds as if the value were lost.
var errSealed = errors.New("payloads are encrypted by a key that is not among those of " + envKeys + "; give it the keys that the agent has")

// advised is an error with its cause, which a ledger keeps out of logs: errors of the
// stores hold neither values nor passwords.
func advised(err error) error {
	if errors.Is(err, store.ErrSealed) {
		return errSealed
	}
	if trouble, ok := errors.AsType[*idempotency.StoreError](err); ok {
		return fmt.Errorf("%w: %w", err, trouble.Err)
	}
	return err
}

// keysOf reads keys. Its errors do not quote them.
func keysOf(text string) (keys [][]byte, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for i, part := range strings.Split(text, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(key) != 32 {
			return nil, fmt.Errorf("%s: key %d is not 32 bytes in base64", envKeys, i+1)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// confirm asks on a terminal whether to go on. Where nobody can be asked, flags must
// have said so.
func confirm(ctx context.Context, question, flags string) error {
	if !isTerminal(os.Stdin) {
		return fmt.Errorf("this cannot be taken back, and there is no terminal to ask: give %s to do it", flags)
	}
	fmt.Fprintf(os.Stderr, "%s [y/N] ", printable([]byte(question)))
	answered := make(chan string, 1)
	go func() {
		answer, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answered <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(os.Stderr)
		return ctx.Err()
	case answer := <-answered:
		if answer != "y" && answer != "yes" {
			return errors.New("nothing was changed")
		}
	}
	return nil
}
