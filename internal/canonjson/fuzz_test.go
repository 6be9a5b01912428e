package canonjson_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/failloud/failloud/internal/canonjson"
)

// FuzzCanonicalize holds what every caller relies on: no panic, a canonical
// form that is JSON and its own canonical form, and no effect of white space.
func FuzzCanonicalize(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,2.50,-0,1e3],"a":{"é":"\u0041"}}`, `9007199254740993.0`, `1e400`, `-1.5e-7`,
		`{"a":1,"a":2}`, `"\ud800"`, `[[[[]]]]`, `{"memo":"x","l":[{"memo":1}]}`, `0.0000001e21`, `100000000000000000000.5`,
	} {
		f.Add([]byte(seed))
	}
	form, err := canonjson.New("memo", "/l/*/memo", "/l/0")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		short, err := form.Canonicalize(in)
		if whole, err2 := canonjson.Canonicalize(in); (err == nil) != (err2 == nil) {
			// What is left out is read too, except that its numbers are not respelled.
			if err2 != nil && err == nil {
				return
			}
			t.Fatalf("leaving fields out made %q fail: %v; whole %q", in, err, whole)
		}
		if err != nil {
			return
		}
		if !json.Valid(short) {
			t.Fatalf("%q became %q, which is not JSON", in, short)
		}
		again, err := canonjson.Canonicalize(short)
		if err != nil || !bytes.Equal(short, again) {
			t.Fatalf("%q became %q, and that %q (%v)", in, short, again, err)
		}
		var spaced bytes.Buffer
		if err := json.Indent(&spaced, in, "\t", "  "); err != nil {
			return
		}
		other, err := form.Canonicalize(spaced.Bytes())
		if err != nil || !bytes.Equal(short, other) {
			t.Fatalf("white space changed %q into %q (%v)", short, other, err)
		}
		canonjson.Diff(in, short)
	})
}

// FuzzOneOrTwoPasses: what is spelled in one pass is spelled as it would be in two.
func FuzzOneOrTwoPasses(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,-2.50,0],"a":{"é":"\u0041\"1e3"}}`, `[9007199254740993,-7,0.1,10.01]`, `{"a":-0}`, `01`, `1.`, `-`, `.5`,
		`[1.0,2]`, `"1e400`, `{"a":1,"a":2}`, `100000000000000000000000000000000000000000`, `[[1]`, `1 2`, `-0.50`, `00.5`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		one, err1 := canonjson.Canonicalize(in)
		two, err2 := canonjson.Respell(in)
		if (err1 == nil) != (err2 == nil) || !bytes.Equal(one, two) {
			t.Fatalf("%q is %q (%v) in one pass and %q (%v) in two", in, one, err1, two, err2)
		}
	})
}
