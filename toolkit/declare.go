package toolkit

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
)

// Declaration is what is said about a tool outside of the code that wraps it, in
// a policy file, say. A field that is not zero holds in the place of the field
// of [Tool] that has its name, so the zero value says nothing.
type Declaration struct {
	Effect    fault.Effect  // what the tool does to the world; it then counts as declared
	Upstream  *Upstream     // what it dies together with
	Timeout   time.Duration // bounds one attempt
	KeyTTL    time.Duration // how long its service honours the idempotency key
	MaxResult int           // bytes of a result that the model may see
	Rules     *fault.Rules  // what is known about its results; they are not mixed with those of the code
	Poller    *bool         // whether it is exempt from loop detection
	Approve   Approval      // whether a person must allow its calls
	Defer     time.Duration // how long its calls may wait for their upstream

	// Of the lists, an empty one that is not nil takes away what the code says.

	Claims   []string // what a success lets an answer say was done
	Identity []string // argument fields that say what a call is about
	Volatile []string // argument fields that may differ for the same piece of work
	Fallback []string // tools of the same kit that stand in, in order, each called with the same arguments
}

// declared lets what is said about the tool hold over what the code says. It is
// validated with the tool: what is wrong with it is reported under the tool's
// name.
func (t *Tool[In, Out]) declared(of func(tool string) Declaration) {
	if of == nil {
		return
	}
	d, err := declaration(of, t.Name)
	t.Invalid = errors.Join(t.Invalid, err)
	overrule(&t.Effect, d.Effect)
	overrule(&t.Upstream, d.Upstream)
	overrule(&t.Timeout, d.Timeout)
	overrule(&t.KeyTTL, d.KeyTTL)
	overrule(&t.MaxResult, d.MaxResult)
	overrule(&t.Defer, d.Defer)
	t.Approve = approving(d.Approve, t.Approve)
	overruleAll(&t.Claims, d.Claims)
	overruleAll(&t.Identity, d.Identity)
	overruleAll(&t.Volatile, d.Volatile)
	if d.Rules != nil {
		t.Rules = *d.Rules
	}
	if d.Poller != nil {
		t.Poller = *d.Poller
	}
	if d.Fallback != nil {
		t.Fallback = FallbackTo(d.Fallback...)
	}
}

func overrule[T comparable](field *T, said T) {
	var nothing T
	if said != nothing {
		*field = said
	}
}

func overruleAll(field *[]string, said []string) {
	if said != nil {
		*field = said
	}
}

// declaration asks for what is said about a tool. A tool of which nobody knows
// what was said about it is not used.
func declaration(of func(tool string) Declaration, name string) (d Declaration, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("Config.Declare", p)
		}
	}()
	return of(name), nil
}

// unclaimable says which of a tool's claims can be no word of an answer.
func unclaimable(claims []string) error {
	for i, claim := range claims {
		if strings.TrimSpace(claim) == "" {
			return fmt.Errorf("its Claims[%d] is empty: name what was done in a word, such as send", i)
		}
	}
	return nil
}
