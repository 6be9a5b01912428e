package transcript

import (
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// Format knows one way in which runs are written down. To add one, write a file
// that declares a Format and put it into [Formats]; nothing else knows the
// formats by name.
//
// A file is read value by value. The first format in the list that recognises
// a value gets it, so one file may hold several formats. A format whose values
// are whole runs leaves Session nil; one that writes a run as many values, with
// those of other runs in between, names in Session the run that a value is of.
type Format struct {
	// Name is what [Transcript.Format] says, in lower case.
	Name string
	// Shape says in a few words how a value looks. It is shown where a value
	// of no known shape was found.
	Shape string
	// Recognise reports whether the value is of this format. It looks at the
	// names and kinds of fields and must not be expensive: it is asked for
	// every value that no earlier format took.
	Recognise func(v *Value) bool
	// Session names the run that the value belongs to; "" is the one run of
	// all values without a name in the same array, or in the file. Nil: every
	// value is a run of its own.
	Session func(v *Value) Key
	// Lacks says what a value misses that was meant to be of this format, "" for
	// any other. It is asked where no format recognises the value. May be nil.
	Lacks func(v *Value) string
	// New begins a run. What the decoder finds it tells b.
	New func(b *Builder) Decoder
}

// Decoder puts one run together. It is used by one goroutine. A decoder of a
// format with Session may also have the methods
//
//	Ends(v *Value) bool // v begins another run of the same key
//	Ended() bool        // the run is complete; it can be handed on early without a word
type Decoder interface {
	// Add takes the next value of the run; v is valid during the call.
	Add(v *Value)
	// End is called once, when no more values come.
	End()
}

// Key names the run that a value is of. Its slices are copied.
type Key struct {
	ID     []byte // also the id of the transcript, unless it begins with a NUL
	Parent []byte // the name of a run, or a further name, of which the value is a part where none of that ID is open
	Also   []byte // a further name, by which later values find this run
}

// Value is one value of the input. Where it is an object its fields are in the
// Index.
type Value struct {
	rawjson.Index
	Raw   rawjson.Value
	Line  int  // where it begins, from 1
	Array int  // number of the array of the top level that it is an element of, else 0
	Spans bool // over more than one line

	talk exchange // once it was looked for
}

// Formats are the known formats in the order in which they are asked.
func Formats() []Format {
	return []Format{
		recordFormat,
		claudeCodeFormat,
		eventsFormat,
		evidenceFormat,
		anthropicFormat,
		responsesFormat,
		openAIFormat,
		messagesFormat,
	}
}

// shapes lists the known formats for a person.
func shapes(formats []Format) string {
	all := make([]string, 0, len(formats))
	for _, f := range formats {
		all = append(all, f.Name+" ("+f.Shape+")")
	}
	return strings.Join(all, ", ")
}
