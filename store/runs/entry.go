package runs

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/failloud/failloud/runrecord"
)

const (
	maxEvent = 4 << 20 // bytes of an event, so that a line of its export is read back
	maxName  = 1024    // bytes of what a table is searched by
)

// entry is an event that waits to be written: its payloads apart, the rest as JSON.
type entry struct {
	event    runrecord.Event // without payloads
	payloads [4]string       // in the order of payloadColumns
	body     string
	size     int // in memory, about
}

// payloadColumns hold what an event may have of payloads.
var payloadColumns = [4]string{"question", "args", "result", "draft"}

// payloads are the fields of an event that payloadColumns hold.
func payloads(e *runrecord.Event) [4]*string {
	return [4]*string{&e.Question, &e.Args, &e.Result, &e.Draft}
}

// newEntry makes the event ready to be written, so that what cannot be written is
// refused at once and keeps no other event from it.
func newEntry(e runrecord.Event) (*entry, error) {
	if e.Schema > runrecord.SchemaVersion {
		return nil, fmt.Errorf("runs: %w: %d", runrecord.ErrNewerSchema, e.Schema)
	}
	for _, id := range []string{e.Run, e.Parent} {
		if len(id) > maxName || !utf8.ValidString(id) || strings.ContainsRune(id, 0) {
			return nil, fmt.Errorf("runs: %w: an id of a run is too long, or no text", ErrUnusable)
		}
	}
	if e.Run == "" {
		return nil, fmt.Errorf("runs: %w: it names no run", ErrUnusable)
	}
	e.Tool, e.Task, e.Tenant, e.Key = valid(e.Tool), valid(e.Task), valid(e.Tenant), valid(e.Key)
	n := &entry{}
	for i, p := range payloads(&e) {
		n.payloads[i], *p = valid(*p), ""
		n.size += len(n.payloads[i])
	}
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("runs: %w: %w", ErrUnusable, err)
	}
	n.event, n.body = e, string(body)
	n.size += len(body) + 1024
	if n.size > maxEvent {
		return nil, fmt.Errorf("runs: %w: it is longer than %d bytes", ErrUnusable, maxEvent)
	}
	return n, nil
}

// searchable is a text as the tables are searched by it: bounded, and free of what a
// database does not take.
func searchable(s string) string {
	s = strings.ReplaceAll(valid(s), "\x00", string(utf8.RuneError))
	if len(s) <= maxName {
		return s
	}
	cut := maxName
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}
