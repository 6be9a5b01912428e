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
file (--policy). Where its payloads are
encrypted, FAILLOUD_KEYS holds the keys, 32 bytes in base64 each, with commas between.`

// open opens the database. One that does not exist is not made.
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
	if path := strings.TrimPrefix(f.Store, "sqlite:"); !strings.Contains(path, "://") {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no database at %s", path)
		}
	}
	return store.Open(ctx, f.Store, store.Options{Keys: keys, Schema: f.Schema})
}

// with runs do on the open database.
func (f storeFlags) with(do func(ctx context.Context, s *store.Store) error) error {
	ctx, stop := interruptible()
	defer stop()
	s, err := f.open(ctx)
	if err != nil {
		return err
	}
	err = errors.Join(do(ctx, s), s.Close())
	if ctx.Err() != nil {
		return errInterrupted
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

// errNotAsked is where nobody can be asked whether to go on.
var errNotAsked = errors.New("this cannot be taken back: give --yes to do it")

// confirmed asks on a terminal whether to go on. Elsewhere --yes is needed.
func confirmed(yes bool, question string) error {
	if yes {
		return nil
	}
	if !isTerminal(os.Stdin) {
		return errNotAsked
	}
	fmt.Fprintf(os.Stderr, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}
