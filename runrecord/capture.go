package runrecord

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/failloud/failloud/internal/redact"
)

// Capture says what sinks get of payloads: the question of a run and what the
// user said later, the arguments and the result of each call, the draft that was
// judged. The zero value is [CaptureOff]. Whatever it is, [Zap] logs no payload, and the record in memory
// keeps none: captured texts are in events alone, so they are wherever the
// sinks write, for as long as that is kept.
type Capture uint8

// What can be captured.
const (
	CaptureOff      Capture = iota // nothing
	CaptureRedacted                // every text as Config.Redact leaves it; it cannot know a secret without a name or a shape, and hides no personal data
	CaptureFull                    // every text as it is, credentials and personal data included
)

const (
	defaultCapture = 64 * 1024
	minCapture     = 256        // the mark of a cut, and something in front of it
	maxCapture     = 256 * 1024 // two of them in one event, escaped byte by byte, fit a line that is read back
)

// validateCapture refuses what cannot be meant.
func (cfg *Config) validateCapture() error {
	switch {
	case cfg.Capture > CaptureFull:
		return fmt.Errorf("runrecord: Config.Capture is not known: %d", cfg.Capture)
	case cfg.CaptureLimit != 0 && (cfg.CaptureLimit < minCapture || cfg.CaptureLimit > maxCapture):
		return fmt.Errorf("runrecord: Config.CaptureLimit is not between %d and %d: %d", minCapture, maxCapture, cfg.CaptureLimit)
	}
	return nil
}

// captured is what the sinks get of a payload. A secret that the bound runs
// through is hidden before it is cut, for half of one may not look like one.
// No lock is held: it asks Config.Redact.
func (rec *Recorder) captured(s string) string {
	if s == "" || rec.capture == CaptureOff {
		return ""
	}
	whole := len(s)
	if rec.capture == CaptureRedacted {
		s = rec.hide(redact.Cut(s, rec.most+maxRead))
	}
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if whole <= rec.most && len(s) <= rec.most {
		return s
	}
	mark := fmt.Sprintf("… [cut: %d bytes in all]", whole)
	return runeCut(s, rec.most-len(mark)) + mark
}

// runeCut shortens s to at most limit bytes at a rune boundary.
func runeCut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit = max(limit, 0); limit > 0 && !utf8.RuneStart(s[limit]); {
		limit--
	}
	return s[:limit]
}
