package transcript

import "time"

// Options are the settings of [Read]. The zero value is ready to use.
type Options struct {
	// File names the input in transcripts and problems. It is never opened.
	File string
	// MaxLine bounds one line, or one value that spans lines. A longer one is
	// passed over without being held and reported. Default: 16 MiB.
	MaxLine int
	// MaxHeld bounds the bytes of all transcripts that are being put together
	// from several lines. Beyond it the one that was silent for longest is
	// closed and handed on; where there is only one, the texts of its oldest
	// results are given up, see [Event.Cut]. Default: 16 MiB.
	MaxHeld int
	// MaxOpen bounds how many transcripts are put together at a time; beyond
	// it the one that was silent for longest is closed and handed on, see
	// [Transcript.Partial]. Default: 65,536, so that it is MaxHeld that bounds.
	MaxOpen int
	// Since leaves out transcripts whose last time is older. One of which no
	// time is known is kept. Default: the zero time, which keeps all.
	Since time.Time
	// OnProblem, if set, is told what concerns no single transcript: lines that
	// are not JSON, values of no known shape. The problems of a transcript are
	// in [Transcript.Problems].
	OnProblem func(Problem)
	// OnBytes, if set, is told after each read how many bytes of the input as
	// it is stored, so compressed ones of a compressed file, were read in all.
	OnBytes func(total int64)
}

// The defaults of [Options].
const (
	DefaultMaxLine = 16 << 20
	DefaultMaxHeld = 16 << 20
	DefaultMaxOpen = 64 << 10
)

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.MaxHeld <= 0 {
		o.MaxHeld = DefaultMaxHeld
	}
	if o.MaxOpen <= 0 {
		o.MaxOpen = DefaultMaxOpen
	}
	return o
}

// Stats count what [Read] did. Every JSON value of the input is in exactly one
// of Taken, Unknown and Broken.
type Stats struct {
	Bytes       int64 // of the input as it is stored
	Lines       int   // of the input, decompressed
	Taken       int   // values that became a transcript or a part of one
	Unknown     int   // values of no known shape
	Broken      int   // values that were torn, too long, nested too deeply, or no JSON
	Transcripts int   // handed on
	Old         int   // left out by [Options.Since]
	Empty       int   // runs of which nothing was found, such as a list without messages
	Problems    int   // all of them, those in transcripts too
}
