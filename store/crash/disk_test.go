package crash_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// disk passes all that SQLite does to its files on to real ones, and remembers in which
// order it wrote and synced them. So it can say what a power cut at any moment leaves.
// Safe for concurrent use.
type disk struct {
	vfs.VFS
	// lies makes connections say that they sync every commit, as a setting does that is
	// not what it looks like.
	lies bool

	mu  sync.Mutex
	ops []op
}

// op is one change of a file, in the order in which they came.
type op struct {
	file string
	sync bool
	off  int64
	data []byte // nil: the file was cut to off bytes
}

// sector is what a disk writes as a whole.
const sector = 512

// now is the number of operations so far: a moment at which the power can be cut.
func (d *disk) now() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ops)
}

func (d *disk) did(o op) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, o)
}

// OpenFilename implements [vfs.VFSFilename].
func (d *disk) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	file, flags, err := d.VFS.(vfs.VFSFilename).OpenFilename(name, flags)
	if err != nil || flags&(vfs.OPEN_MAIN_DB|vfs.OPEN_WAL) == 0 {
		return file, flags, err
	}
	return &diskFile{File: file, disk: d, name: filepath.Base(name.String())}, flags, nil
}

// diskFile is an open file on a disk.
type diskFile struct {
	vfs.File
	disk *disk
	name string
}

func (f *diskFile) WriteAt(p []byte, off int64) (int, error) {
	f.disk.did(op{file: f.name, off: off, data: bytes.Clone(p)})
	return f.File.WriteAt(p, off)
}

func (f *diskFile) Truncate(size int64) error {
	f.disk.did(op{file: f.name, off: size})
	return f.File.Truncate(size)
}

func (f *diskFile) Sync(flags vfs.SyncFlag) error {
	err := f.File.Sync(flags)
	if err == nil {
		f.disk.did(op{file: f.name, sync: true})
	}
	return err
}

// DeviceCharacteristics promises nothing that this disk does not keep.
func (f *diskFile) DeviceCharacteristics() vfs.DeviceCharacteristic {
	return f.File.DeviceCharacteristics() &^ (vfs.IOCAP_BATCH_ATOMIC | vfs.IOCAP_SAFE_APPEND | vfs.IOCAP_SEQUENTIAL)
}

// SharedMemory lets several connections have the file open.
func (f *diskFile) SharedMemory() vfs.SharedMemory {
	return f.File.(vfs.FileSharedMemory).SharedMemory()
}

// Pragma answers a question in the place of SQLite, where the disk lies.
func (f *diskFile) Pragma(name, value string) (string, error) {
	if f.disk.lies && name == "synchronous" && value == "" {
		return "2", nil
	}
	return "", sqlite3.NOTFOUND
}

// cut writes to a folder what a power cut after that many operations leaves: all that
// was synced, and of the rest what luck lets through, sector by sector.
func (d *disk) cut(after int, folder string, luck func() bool) error {
	d.mu.Lock()
	ops := d.ops[:after]
	d.mu.Unlock()
	synced, files := map[string]int{}, map[string][]byte{}
	for i, o := range ops {
		if o.sync {
			synced[o.file] = i
		}
	}
	for i, o := range ops {
		content := files[o.file]
		switch kept := i < synced[o.file]; {
		case o.sync:
		case o.data == nil:
			if kept || luck() {
				content = resized(content, int(o.off))
			}
		default:
			for at := 0; at < len(o.data); {
				n := min(sector-(int(o.off)+at)%sector, len(o.data)-at)
				if kept || luck() {
					end := int(o.off) + at + n
					content = resized(content, max(len(content), end))
					copy(content[int(o.off)+at:end], o.data[at:at+n])
				}
				at += n
			}
		}
		files[o.file] = content
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func resized(content []byte, size int) []byte {
	if size <= len(content) {
		return content[:size]
	}
	return append(content, make([]byte, size-len(content))...)
}

// What may be left of the writes that were not synced.
func nothing() bool  { return false }
func anything() bool { return rand.IntN(2) == 0 }

// moments are times between two others at which the power is cut.
func moments(from, to, n int) []int {
	var all []int
	for range n {
		all = append(all, from+rand.IntN(to-from+1))
	}
	slices.Sort(all)
	return all
}
