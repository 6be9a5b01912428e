package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// complaints tells on standard error what is wrong with the input, the first few
// of a kind with file and line, and counts all of it.
type complaints struct {
	progress *progress
	mu       sync.Mutex
	order    []string
	kinds    map[string]*kind
}

// kind is one kind of problem.
type kind struct {
	first transcript.Problem
	count int
}

const (
	perKind  = 3   // of one kind are shown
	maxKinds = 100 // are told apart
)

func newComplaints(p *progress) *complaints {
	return &complaints{progress: p, kinds: map[string]*kind{}}
}

// problem takes one problem. It may be called by several goroutines.
func (c *complaints) problem(p transcript.Problem) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := kindOf(p.What)
	k := c.kinds[name]
	if k == nil {
		if len(c.order) >= maxKinds {
			name = "a problem of another kind"
		}
		if k = c.kinds[name]; k == nil {
			k = &kind{first: p}
			c.kinds[name] = k
			c.order = append(c.order, name)
		}
	}
	if k.count++; k.count <= perKind {
		c.say(p.String())
	}
}

// file reports a file that could not be read.
func (c *complaints) file(name string, err error) {
	text := err.Error()
	if !strings.Contains(text, name) {
		text = name + ": " + text
	}
	c.say(text)
}

// say writes one line.
func (c *complaints) say(text string) {
	c.progress.clear()
	fmt.Fprintf(os.Stderr, "failloud: %s\n", printable([]byte(text)))
}

// end tells how many were not shown.
func (c *complaints) end() {
	for _, name := range c.order {
		if more := c.kinds[name].count - perKind; more > 0 {
			c.say("and " + strconv.Itoa(more) + " more: " + name)
		}
	}
}

// troubles are the kinds in the order in which they came.
func (c *complaints) troubles() []report.Trouble {
	all := make([]report.Trouble, len(c.order))
	for i, name := range c.order {
		k := c.kinds[name]
		if k.count == 1 {
			name = k.first.What
		}
		all[i] = report.Trouble{What: name, Where: where(k.first.File, k.first.Line), Count: k.count}
	}
	return all
}

func where(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// kindOf is what problems that differ in a name or a number have in common.
func kindOf(what string) string {
	var b strings.Builder
	for what != "" {
		switch c := what[0]; {
		case c == '"':
			quoted, err := strconv.QuotedPrefix(what)
			if err != nil {
				quoted = `"`
			}
			b.WriteString("…")
			what = what[len(quoted):]
		case '0' <= c && c <= '9':
			b.WriteByte('N')
			what = strings.TrimLeft(what, "0123456789")
		default:
			b.WriteByte(c)
			what = what[1:]
		}
	}
	return b.String()
}
