package canonjson_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/failloud/failloud/internal/canonjson"
)

// FuzzPointer: the names of volatile fields are written by the owners of tools.
// Each is a field or refused; a field that is left out makes no difference, and
// what is left is JSON.
func FuzzPointer(f *testing.F) {
	for _, seed := range []string{"memo", "/memo", "", "/", "//", "/l/*/memo", "/l/0", "/a~1b", "/a~0b", "/a~2", "~", "*", "/*", "/l/-1", "/l/00"} {
		f.Add(seed, []byte(`{"memo":"x","l":[{"memo":1},2],"a/b":3,"a~b":4,"":5}`))
	}
	f.Fuzz(func(t *testing.T, name string, doc []byte) {
		form, err := canonjson.New(name)
		if err != nil {
			if !errors.Is(err, canonjson.ErrPointer) {
				t.Fatalf("%q: %v", name, err)
			}
			return
		}
		short, err := form.Canonicalize(doc)
		if err != nil {
			return
		}
		if !json.Valid(short) {
			t.Fatalf("%q without %q became %q", doc, name, short)
		}
		again, err := canonjson.Canonicalize(short)
		if err != nil || string(again) != string(short) {
			t.Fatalf("%q without %q became %q, and that %q (%v)", doc, name, short, again, err)
		}
	})
}
