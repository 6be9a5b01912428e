// Command fileproxy lays out every module of a source tree as a file-system
// module proxy (GOPROXY=file://OUT), as if VERSION of each had been published.
//
//	go run ./scripts/fileproxy TREE OUT VERSION
//
// It packs what the module proxy would: the regular files of each module,
// without the modules nested in it.
package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: fileproxy TREE OUT VERSION")
		os.Exit(2)
	}
	if err := publish(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "fileproxy:", err)
		os.Exit(1)
	}
}

func publish(tree, out, version string) error {
	modules, err := findModules(tree)
	if err != nil {
		return err
	}
	for dir, path := range modules {
		if err := publishModule(dir, path, out, version, modules); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Printf("%s@%s\n", path, version)
	}
	return nil
}

// findModules maps the folder of each module in tree to its path.
func findModules(tree string) (map[string]string, error) {
	modules := map[string]string{}
	err := filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.Name() != "go.mod" {
			return nil
		}
		path, err := modulePath(name)
		modules[filepath.Dir(name)] = path
		return err
	})
	if err == nil && len(modules) == 0 {
		err = errors.New("no go.mod in " + tree)
	}
	return modules, err
}

func modulePath(goMod string) (string, error) {
	text, err := os.ReadFile(goMod)
	if err != nil {
		return "", err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if path, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(path), nil
		}
	}
	return "", errors.New(goMod + " names no module")
}

func publishModule(dir, path, out, version string, modules map[string]string) error {
	folder := filepath.Join(out, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := pack(&packed, dir, path+"@"+version+"/", modules); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": info, version + ".mod": goMod, version + ".zip": packed.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func pack(into *bytes.Buffer, dir, prefix string, modules map[string]string) error {
	archive := zip.NewWriter(into)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && (d.Name() == ".git" || modules[name] != ""):
			return filepath.SkipDir
		case !d.Type().IsRegular() || d.Name() == ".git": // a file in a linked work tree
			return nil
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		entry, err := archive.Create(prefix + filepath.ToSlash(relative))
		if err != nil {
			return err
		}
		_, err = entry.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return archive.Close()
}
