package idempotency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/failloud/failloud/internal/canonjson"
)

// maxKeyPart bounds each part of a key, so that every store can index it.
const maxKeyPart = 512

// ErrKey says that a part of a key is longer than 512 bytes or not UTF-8.
var ErrKey = errors.New("idempotency: unusable key")

// Key says which piece of work a call is. It is made by the runtime, never by
// the model, and holds nothing that changes from run to run: a restarted run
// finds what the last one did.
type Key struct {
	Tenant string `json:"tenant,omitempty"` // keeps the keys of tenants apart; "" for one
	Tool   string `json:"tool"`             // name of the tool
	// Intent is "key:" and the business key, or "task:", the task's key, "#" and
	// the hash of the arguments.
	Intent string `json:"intent"`
	// Occurrence is 0, or how often the caller has asked for it again, see [Again].
	Occurrence int `json:"occurrence,omitempty"`
}

// ID is the key as one name of 32 hexadecimal digits: the primary key of its row.
func (k Key) ID() string {
	sum := canonjson.Fingerprint(nil, "key", k.Tenant, k.Tool, k.Intent, strconv.Itoa(k.Occurrence))
	return sum.String()[:32]
}

// RemoteKey is what the service is handed as its idempotency key: a UUID made
// from the key and the generation. The generation is raised only after it was
// proven that nothing happened, because many services answer a known key with
// what they answered the first time, errors included.
func (k Key) RemoteKey(generation int) string {
	sum := canonjson.Fingerprint(nil, "remote", k.Tenant, k.Tool, k.Intent, strconv.Itoa(k.Occurrence), strconv.Itoa(generation))
	var id uuid.UUID
	copy(id[:], sum[:])
	id[6] = id[6]&0x0f | 0x80 // version 8: made from data in a way of one's own
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// Piece is what a key is derived from.
type Piece struct {
	Tenant string // keeps the keys of tenants apart; "" for one
	Tool   string // name of the tool
	// Keyed says that the tool names its work in business terms; Business is the
	// name. A tool that does and returned nothing has no key: to fall back to the
	// arguments would be to guess.
	Keyed    bool
	Business string
	TaskKey  string   // the caller's durable id of the task
	Args     []byte   // JSON
	Volatile []string // fields of Args that may differ, see [canonjson.New]
}

// Derive makes the key of a piece of work: tenant, tool, business key (or else
// the task's key and the canonical arguments), and the occurrence asked for by
// [Again]. The error matches [ErrNoKey] or [ErrKey], or says why the arguments
// have no canonical form.
func Derive(ctx context.Context, p Piece) (Key, error) {
	for _, part := range []string{p.Tenant, p.Tool, p.Business, p.TaskKey} {
		if len(part) > maxKeyPart || !utf8.ValidString(part) {
			return Key{}, fmt.Errorf("%w for %q: every part must be UTF-8 of at most %d bytes", ErrKey, p.Tool, maxKeyPart)
		}
	}
	k := Key{Tenant: p.Tenant, Tool: p.Tool, Occurrence: Occurrence(ctx)}
	switch {
	case p.Business != "":
		k.Intent = "key:" + p.Business
	case p.Keyed || p.TaskKey == "":
		return Key{}, fmt.Errorf("%w: %s", ErrNoKey, p.Tool)
	default:
		form, err := canonjson.New(p.Volatile...)
		if err != nil {
			return Key{}, err
		}
		args, err := form.Canonicalize(p.Args)
		if err != nil {
			return Key{}, err
		}
		k.Intent = "task:" + p.TaskKey + "#" + canonjson.Fingerprint(nil, "args", string(args)).String()
	}
	return k, nil
}

// Identify makes the Identity of a call: a hash of the tool and of the named
// top-level fields of its arguments, so that two calls about the same thing are
// seen to be, however the rest of them is worded. A field that is absent counts
// as null. Without fields it is "": the tool does not say what a call is about.
func Identify(tool string, args []byte, fields ...string) (string, error) {
	if len(fields) == 0 {
		return "", nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil {
		return "", fmt.Errorf("%w: the arguments are not an object", ErrKey)
	}
	parts := []string{"identity", tool}
	for _, name := range slices.Sorted(slices.Values(fields)) {
		value, err := canonjson.Canonicalize(orNull(members[name]))
		if err != nil {
			return "", err
		}
		parts = append(parts, name, string(value))
	}
	return canonjson.Fingerprint(nil, parts...).String()[:32], nil
}

// occurrence is the context value of [Again].
type occurrence struct {
	n   int
	why string
}

type occurrenceKey struct{}

// Again asks on purpose for one more occurrence of work that was done before,
// for every call made with the returned context. Only a caller does this, never
// a model. Applied twice it asks for the third occurrence; the same number of
// times gives the same key, so that a restart finds it again. The reason is
// kept with the row.
func Again(ctx context.Context, why string) context.Context {
	return context.WithValue(ctx, occurrenceKey{}, occurrence{n: Occurrence(ctx) + 1, why: why})
}

// Occurrence is how often [Again] was applied to ctx.
func Occurrence(ctx context.Context) int {
	o, _ := ctx.Value(occurrenceKey{}).(occurrence)
	return o.n
}

// whyAgain is the reason of the last [Again].
func whyAgain(ctx context.Context) string {
	o, _ := ctx.Value(occurrenceKey{}).(occurrence)
	return o.why
}
