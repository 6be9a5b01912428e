package transcript

import (
	"fmt"
	"strings"
	"time"

	"github.com/failloud/failloud/runrecord"
)

// Transcript is one past run of an agent: what it was asked, what it called,
// what came back and what it answered. All of it is a copy that the receiver
// may keep. The zero value is a run of which nothing is known.
type Transcript struct {
	ID     string    // the source's own id; else made from the line ("line-12") and, in a file with a name, unique in it only
	Format string    // [Format.Name] of the format that recognised it
	File   string    // [Options.File]
	Line   int       // where it begins, from 1
	Task   string    // name of the task, "" where the source has none
	Time   time.Time // when it began, zero where the source does not say

	System string   // the system and developer messages
	Tools  []string // names of the tools that were offered, nil where not known

	Events    []Event // in order, the final answer included
	Final     string  // the answer, "" where there is none or it was not kept
	FinalLine int     // where the answer stands, from 1; 0 where HasFinal is false
	HasFinal  bool    // whether there is an answer to judge

	// Evidence is what an answer that comes from no agent stood on, each a
	// text or JSON. It is nil for everything that has Events of calls.
	Evidence []string

	// Partial is whether something of the run is missing: other parts of it are
	// in other transcripts, or were not kept. What was called and returned is
	// then not all of it, and the answer cannot be judged by it.
	Partial bool

	// Record is whether this is a run that failloud itself has recorded, and
	// Decision and Findings are what its guard decided then, of the last
	// judgment. They are what is left to show where the record holds no draft.
	Record   bool
	Decision string
	Findings []string

	// Size is about how many bytes the transcript takes.
	Size int

	// Problems are what was wrong with this transcript, at most 32 of them;
	// the last one then counts the others.
	Problems []Problem
}

// EventKind says what an event of a transcript is.
type EventKind uint8

// The kinds of events.
const (
	User      EventKind = iota + 1 // a message of the user
	Assistant                      // a message of the model
	Call                           // the model asked for a tool
	Result                         // what the tool returned
)

// String returns the kind in lower case.
func (k EventKind) String() string {
	switch k {
	case User:
		return "user"
	case Assistant:
		return "assistant"
	case Call:
		return "call"
	case Result:
		return "result"
	}
	return "none"
}

// Event is one step of a run. A Result has the ID of the Call before it that it
// answers, unless Orphan is set; no call is answered twice, and no two calls of
// a transcript have the same ID.
type Event struct {
	Kind  EventKind
	Sub   bool   // done by a sub-agent: its calls count, its text is no answer
	ID    string // of a call and its result, unique in the transcript
	Tool  string // of a call and its result
	Text  string // the message, the arguments (JSON) or the result
	Line  int    // where it stands, from 1
	Batch int    // calls with the same number, from 1, were asked for at once
	Time  time.Time

	// Of a result, where the source has them. The pointers are shared: do not
	// write through them.

	IsError  *bool // the source's own flag: a hint, not the truth
	ExitCode *int  // of a command
	Status   *int  // HTTP or a code of the source in its manner
	// Extra are pieces that belong to Text and were cut from it by the source.
	Extra []string
	// Cut is how many bytes of Text are missing, by the bounds of [Options].
	Cut int
	// Orphan marks a result that no call asked for.
	Orphan bool

	// Outcome is of our own records only: the event as it was recorded, of a
	// call that was classified when it ended.
	Outcome *runrecord.Event
}

// Problem is something that was wrong with the input. It quotes no payload:
// What is made of fixed words, names of fields and tools and ids, each cut at
// 64 bytes and with its control characters escaped.
type Problem struct {
	File string // [Options.File]
	Line int    // from 1; 0 where it concerns no line
	What string
}

// String returns "file:line: what".
func (p Problem) String() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		b.WriteByte(':')
	}
	if p.Line > 0 {
		fmt.Fprintf(&b, "%d:", p.Line)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(p.What)
	return b.String()
}
