package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// transcriptFiles are the names that are read of a folder.
var transcriptFiles = []string{".jsonl", ".ndjson", ".json", ".gz"}

// folder adds the transcripts in a folder and the folders below it. What cannot
// be read there, or is gone while it is looked at, keeps nothing else from being
// found.
func (in *inputs) folder(name string) {
	root, err := filepath.EvalSymlinks(name)
	if err != nil {
		in.reject(name, err)
		return
	}
	before := len(in.files) + len(in.bad)
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		shown := filepath.Join(name, strings.TrimPrefix(path, root))
		isTranscript := slices.Contains(transcriptFiles, filepath.Ext(path))
		switch {
		case err != nil:
			in.reject(shown, err)
		case d.Type()&fs.ModeSymlink != 0:
			in.link(root, path, shown, isTranscript)
		case d.IsDir() || !isTranscript:
		case d.Type().IsRegular():
			in.file(shown)
		default:
			in.reject(shown, errors.New("it is no file"))
		}
		return nil
	})
	if len(in.files)+len(in.bad) == before {
		in.reject(name, errors.New("no *.jsonl, *.ndjson, *.json or *.gz in this folder"))
	}
}

// file adds a file that a folder lists.
func (in *inputs) file(name string) {
	info, err := os.Stat(name)
	if err != nil {
		in.reject(name, err)
		return
	}
	in.files = append(in.files, input{name, info.Size()})
}

// link adds what a symbolic link below root leads to, but for what root itself
// has: that is read once. A folder is not followed out of root, where it may
// lead anywhere.
func (in *inputs) link(root, path, shown string, isTranscript bool) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		if isTranscript {
			in.reject(shown, err)
		}
		return
	}
	info, err := os.Stat(target)
	below, elsewhere := filepath.Rel(root, target)
	within := elsewhere == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
	switch {
	case err != nil:
		in.reject(shown, err)
	case info.IsDir() && !within:
		in.reject(shown, fmt.Errorf("it is a link to a folder, which is not followed; name %s to read it", target))
	case info.IsDir(), !isTranscript, within && slices.Contains(transcriptFiles, filepath.Ext(target)):
	case info.Mode().IsRegular():
		in.file(shown)
	default:
		in.reject(shown, errors.New("it is no file"))
	}
}
