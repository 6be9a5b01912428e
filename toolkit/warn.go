package toolkit

import (
	"context"

	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// What a kit says in its log beside what the record says of its runs: settings
// that will surprise somebody, once, and calls that no record has.

// warnUndeclared names the tools that were not thought about.
func (k *Kit) warnUndeclared(set *toolset) {
	if k.cfg.Logger == nil {
		return
	}
	var names []string
	for _, c := range set.ordered {
		if c.effect() == fault.Undeclared {
			names = append(names, c.name)
		}
	}
	if len(names) > 0 {
		k.cfg.Logger.Warn("effect of tools not declared: each counts as a write", zap.Strings("tools", names),
			zap.String("advice", "set Tool.Effect; fault.Read where a tool changes nothing, so that it may be repeated"))
	}
}

// warnKeyless names the tools whose calls this run cannot execute: they write,
// and nothing tells one piece of work from another.
func (k *Kit) warnKeyless(ctx context.Context, set *toolset, task runrecord.Task) {
	if k.cfg.Logger == nil || task.Key != "" || k.keyless.Load() {
		return
	}
	for p := runrecord.FromContext(ctx); p != nil; p = p.Parent() {
		if p.Task().Key != "" {
			return
		}
	}
	var names []string
	for _, c := range set.ordered {
		if c.effect().Writes() && c.keyOf == nil && !c.anew {
			names = append(names, c.name)
		}
	}
	if len(names) > 0 && !k.keyless.Swap(true) {
		k.cfg.Logger.Warn("tools that write have no key: their calls are not run", zap.String("task", task.Name), zap.Strings("tools", names),
			zap.String("advice", "set Task.Key or Tool.KeyOf, or declare fault.Read where a tool only reads"))
	}
}

// unrecorded is what is said of a call outside a run: of the first call of each
// tool that there is no record of it, and of every one that did not work how it
// ended. tool is nil for a name that no tool has.
func (k *Kit) unrecorded(tool *core, o *fault.Outcome, attempts int) {
	if k.cfg.Logger == nil {
		return
	}
	name := ""
	if tool != nil {
		name = tool.name
		if !tool.outside.Load() && !tool.outside.Swap(true) {
			k.cfg.Logger.Warn("tool called outside a run: no record has it, and no guard", zap.String("tool", name),
				zap.String("advice", "call it with the context that Kit.Start returned"))
		}
	}
	f := o.Fault
	if o.OK() || f == nil || o.Kind == fault.KindPending {
		return
	}
	fields := []zap.Field{
		zap.Bool("outside_run", true), zap.String("tool", name), zap.Int("status", f.Status), zap.Stringer("outcome", o.Kind),
		zap.Stringer("reason", f.Reason), zap.Stringer("action", f.Action), zap.Stringer("ran", f.Ran), zap.Int("attempts", attempts),
		zap.String("rule", f.Rule),
	}
	if f.Err != nil {
		fields = append(fields, zap.String("error", k.kept(f.Err)))
	}
	k.cfg.Logger.Warn("tool call failed", fields...)
}
