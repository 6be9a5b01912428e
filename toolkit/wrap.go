package toolkit

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/valuehash"
	"github.com/failloud/failloud/runrecord"
)

// Wrapped is a tool in a kit. Make one with [Wrap]; it is safe for concurrent use.
type Wrapped[In, Out any] struct{ core *core }

// Wrap puts a tool into a kit. What Config.Declare says about it holds over what
// t says. What is wrong with it is reported by the next [Kit.Start], and until
// then its calls end not run.
func Wrap[In, Out any](k *Kit, t Tool[In, Out]) *Wrapped[In, Out] {
	if k.made() {
		t.declared(k.cfg.Declare)
	}
	c := &core{
		kit: k, name: t.Name, description: t.Description,
		upstream: t.Upstream, timeout: t.Timeout, isolate: t.Isolate,
		keyTTL: t.KeyTTL, anew: t.Anew, volatile: t.Volatile, defers: t.Defer,
		classifier: fault.Classifier{Detectors: t.Classify},
		detail:     t.Detail, prints: t.Prints, maxResult: t.MaxResult, links: t.Fallback,
	}
	if !k.made() {
		c.kit = New(Config{})
		c.invalid = errors.New("it was wrapped for a kit that was not made by New")
	}
	if all := c.kit.cfg.Classify; len(all) > 0 {
		c.classifier.Detectors = append(t.Classify[:len(t.Classify):len(t.Classify)], all...)
	}
	if !reflect.ValueOf(t.Rules).IsZero() {
		rules := t.Rules
		c.rules = &rules
	}
	if c.maxResult == 0 {
		c.maxResult = DefaultMaxResult
	}
	if c.upstream == nil {
		c.upstream = NewUpstream(UpstreamConfig{Name: t.Name})
	}
	info := &runrecord.ToolInfo{
		Name: t.Name, Upstream: c.upstream.Name(), Effect: t.Effect, Poller: t.Poller, Identity: t.Identity, Claims: t.Claims,
	}
	c.info.Store(info)
	erase(c, t)
	c.invalid = errors.Join(c.invalid, t.problems(), c.upstream.objection(), c.takeSchema(t.Schema, reflect.TypeFor[In]()))
	if c.schema != nil {
		info.Fields = c.schema.fields
		c.invalid = errors.Join(c.invalid, c.unfit(reflect.TypeFor[In]()),
			misnamed("Identity", t.Identity, info.Fields), misnamed("Volatile", t.Volatile, info.Fields))
	}
	w := &Wrapped[In, Out]{core: c}
	c.byName = w.byName
	c.fresh = func() execution { return w.execution(&state[In, Out]{}) }
	c.kit.add(c)
	return w
}

// erase gives c the functions of t over pointers.
func erase[In, Out any](c *core, t Tool[In, Out]) {
	c.call = func(ctx context.Context, in, out any) (err error) {
		*out.(*Out), err = t.Call(ctx, *in.(*In))
		return err
	}
	if t.KeyOf != nil {
		c.keyOf = func(in any) string { return t.KeyOf(*in.(*In)) }
	}
	if t.Part != nil {
		c.part = func(in any) string {
			defer sign("its Part")
			return t.Part(*in.(*In))
		}
	}
	if t.Approve != nil {
		c.approve = func(in any) string {
			defer sign("its Approve")
			return t.Approve(*in.(*In))
		}
	}
	if t.Check != nil {
		c.check = func(ctx context.Context, in, out any) (Happened, error) {
			found, err := t.Check(ctx, *in.(*In))
			if err == nil && found.Happened == Done {
				*out.(*Out) = found.Result
			}
			return found.Happened, err
		}
	}
	if t.Await != nil {
		c.await = func(ctx context.Context, in, out any) (err error) {
			last := out.(*Out)
			*last, err = t.Await(ctx, *in.(*In), *last)
			return err
		}
	}
	c.clear = func(out any) { var zero Out; *out.(*Out) = zero }
	c.newOut = func() any { return new(Out) }
	c.move = func(dst, src any) { *dst.(*Out) = *src.(*Out) }
	of := reflect.TypeFor[Out]()
	c.empty = emptiness(of)
	c.inspect = fault.Inspectable(of) || carries(of)
	c.loose = loose(reflect.TypeFor[In](), map[reflect.Type]bool{})
	c.looseOut = loose(of, map[reflect.Type]bool{})
	c.hashIn, c.hashOut = valuehash.For(reflect.TypeFor[In]()), valuehash.For(of)
}

// loose reports whether values of a type have room for values of any type.
func loose(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return loose(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if loose(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// emptiness returns how to see that a result of this type holds nothing: no
// element, no character, a nil pointer. Other types are never empty.
func emptiness(t reflect.Type) func(out any) bool {
	if t.Implements(reflect.TypeFor[Emptier]()) && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		return func(out any) bool { return deref(out).(Emptier).Empty() }
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return func(out any) bool { return reflect.ValueOf(out).Elem().Len() == 0 }
	case reflect.String:
		return func(out any) bool { return strings.TrimSpace(reflect.ValueOf(out).Elem().String()) == "" }
	case reflect.Pointer, reflect.Interface:
		return func(out any) bool { return reflect.ValueOf(out).Elem().IsNil() }
	}
	return nil
}

// problems names everything about the tool that cannot work.
func (t *Tool[In, Out]) problems() error {
	var errs []error
	complain := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	if t.Invalid != nil {
		errs = append(errs, t.Invalid)
	}
	complain(!validName(t.Name), "its name must be 1 to 64 of A-Z a-z 0-9 _ - . : /")
	complain(t.Call == nil, "its Call is nil")
	complain(t.Effect > fault.Write, "its effect is not one of read, idempotent, write")
	complain(t.Timeout < 0, "its Timeout is negative: %v", t.Timeout)
	complain(t.KeyTTL < 0, "its KeyTTL is negative: %v", t.KeyTTL)
	complain(t.Defer < 0, "its Defer is negative: %v", t.Defer)
	complain(t.MaxResult < 0, "its MaxResult is negative: %d", t.MaxResult)
	complain(t.Isolate && t.Effect != fault.Read, "Isolate is only for reads: a write that is left behind may still happen")
	for i, d := range t.Classify {
		complain(d == nil, "its Classify[%d] is nil", i)
	}
	if err := unclaimable(t.Claims); err != nil {
		errs = append(errs, err)
	}
	if t.KeyOf == nil && t.Effect.Writes() {
		errs = append(errs, unkeyed(reflect.TypeFor[In]()))
	}
	if err := t.Rules.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("its Rules: %w", err))
	}
	return errors.Join(errs...)
}

const maxToolName = 64

// validName accepts the names that every model API and the failure line accept.
func validName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_-.:/", c) >= 0) {
			return false
		}
	}
	return name != "" && len(name) <= maxToolName
}

// Name is the tool's name.
func (w *Wrapped[In, Out]) Name() string { return w.core.name }

// state is what a call shares with its function, which may keep it: the context
// of the first attempt, the arguments and the result. It is the one allocation
// of a call that succeeds.
type state[In, Out any] struct {
	first attempt
	arg   In
	val   Out
}

func (w *Wrapped[In, Out]) execution(st *state[In, Out]) execution {
	return execution{tool: w.core, first: &st.first, in: &st.arg, out: &st.val}
}

// Invoke calls the tool as part of the run in ctx, and returns when the call has
// come to its end: retried, checked, replaced or refused as the tool's effect
// allows. The value is what Go code uses, [Result.String] what a model may see.
//
// Without a run in ctx the call has the same care, but no budget, no latch and
// no record; a write then needs a KeyOf. The kit's Logger names each tool that is
// called so, and each of its calls that fails.
func (w *Wrapped[In, Out]) Invoke(ctx context.Context, in In) Result[Out] {
	st := &state[In, Out]{arg: in}
	ex := w.execution(st)
	v := ex.perform(ctx, &request{})
	return Result[Out]{Value: st.val, Outcome: ex.outcome, Attempts: ex.attempts, view: v}
}
