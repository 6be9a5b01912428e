package transcript

import (
	"context"
	"errors"
	"io"
)

// Read hands the transcripts in r to yield.
func Read(ctx context.Context, r io.Reader, o Options, yield func(*Transcript) error) (Stats, error) {
	return Stats{}, errors.New("transcript: not built yet")
}
