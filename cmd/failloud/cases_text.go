package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
)

const (
	maxCell  = 60      // bytes of a text in a table
	maxShown = 4 << 10 // bytes of a text of a case: a screen full
)

// cell is a text in a table.
func cell(s string) string {
	s = string(printable([]byte(s)))
	if len(s) > maxCell {
		s = cutAt(s, maxCell-3) + "…"
	}
	return cmp.Or(s, "-")
}

// cutAt shortens s at a rune.
func cutAt(s string, n int) string {
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

func casesTable(w io.Writer, all []escalation.Case) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no open cases")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "CASE\tAGE\tTOOL\tABOUT\tASKED\tDEADLINE")
	now := time.Now()
	for i := range all {
		c := &all[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", cell(c.ID), span(now.Sub(c.Opened)), cell(c.Tool), cell(c.BusinessKey), cell(asked(c)), left(c.Deadline, now))
	}
	return t.Flush()
}

// asked is the question in a few words.
func asked(c *escalation.Case) string {
	if c.State == idempotency.AwaitingApproval {
		return "may it be made? " + c.Reason
	}
	return cmp.Or(c.Reason, "did it happen?")
}

// left is the time to decide.
func left(deadline, now time.Time) string {
	switch {
	case deadline.IsZero():
		return "none"
	case now.Before(deadline):
		return "in " + span(deadline.Sub(now))
	}
	return "over"
}

// caseText writes all that a person needs.
func caseText(w io.Writer, c *escalation.Case) error {
	var out bytes.Buffer
	line := func(name, value string) {
		if value == "" {
			return
		}
		value = string(printable([]byte(value)))
		if over := len(value) - maxShown; over > 0 {
			value = fmt.Sprintf("%s… (%d bytes more: --format json)", cutAt(value, maxShown), over)
		}
		fmt.Fprintf(&out, "%-14s%s\n", name, value)
	}
	line("case", c.ID)
	line("status", c.Status.String()+", "+c.State.String())
	line("asked", asked(c))
	line("opened", stamp(c.Opened))
	line("deadline", left(c.Deadline, time.Now()))
	if !c.Deadline.IsZero() {
		line("", stamp(c.Deadline))
	}
	line("tool", fmt.Sprintf("%s (%s)", c.Tool, c.Effect))
	line("arguments", cmp.Or(c.Args, "(erased)"))
	line("fingerprint", c.Fingerprint)
	line("business key", c.BusinessKey)
	line("remote key", c.RemoteKey)
	line("task", c.Task)
	line("tenant", c.Tenant)
	if c.RunID != "" {
		line("run", fmt.Sprintf("%s, call %d", c.RunID, c.Call))
	}
	if c.Occurrence > 0 {
		line("again", fmt.Sprintf("asked for on purpose, %d times: %s", c.Occurrence, c.Again))
	}
	if c.PossibleDuplicate {
		line("attention", "it may have been done twice")
	}
	for _, a := range c.Attempts {
		line(fmt.Sprintf("attempt %d", a.Number), attemptText(&a, c.RemoteKey))
	}
	for _, k := range c.Checks {
		line("check", checkText(&k))
	}
	for _, at := range c.LateSuccess {
		line("late success", stamp(at))
	}
	if d := c.Decision; d != nil {
		line("decided", verdict(d.Choice, d.Actor, d.At))
		line("note", d.Note)
	}
	choices(&out, c)
	_, err := out.WriteTo(w)
	return err
}

// choices say what can be decided.
func choices(out *bytes.Buffer, c *escalation.Case) {
	if len(c.Options) == 0 {
		return
	}
	fmt.Fprintln(out, "\nchoices")
	for _, o := range c.Options {
		does := o.Does
		if o.Needs != "" {
			does += fmt.Sprintf(" (--%s FILE)", o.Needs)
		}
		fmt.Fprintf(out, "  %-16s%s\n", o.Choice, does)
	}
}

// howToDecide is the command that decides what was shown.
func howToDecide(w io.Writer, c *escalation.Case) error {
	_, err := fmt.Fprintf(w, "\nto decide: failloud cases resolve %s --choose CHOICE --by NAME --fingerprint %s\n",
		printable([]byte(c.ID)), printable([]byte(c.Fingerprint)))
	return err
}

func checkText(k *escalation.Check) string {
	text := fmt.Sprintf("%s, %s", stamp(k.At), k.Answer)
	if k.Early {
		text += ", too soon to be believed"
	}
	if k.Error != "" {
		text += ": " + k.Error
	}
	return text
}

// attemptText is one try. Its remote key is said where the last one is another.
func attemptText(a *escalation.Attempt, last string) string {
	text := stamp(a.Start) + " to " + stamp(a.End)
	if a.End.IsZero() {
		text = stamp(a.Start) + ", its end is not known"
	}
	if !a.Entered {
		text += ", the tool was not entered"
	}
	if a.Ended != "" {
		text += ", " + a.Ended
	}
	if a.Status != 0 {
		text += fmt.Sprintf(", status %d", a.Status)
	}
	if a.Reason != 0 {
		text += ", " + a.Reason.String()
	}
	text += ", ran " + a.Ran.String()
	if a.RemoteKey != last {
		text += ", remote key " + a.RemoteKey
	}
	if a.Error != "" {
		text += ": " + a.Error
	}
	return text
}
