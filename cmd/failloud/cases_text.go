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

const maxCell = 60 // bytes of a text in a table

// stamp is a time for people, "-" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05 -0700")
}

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
	fmt.Fprintln(t, "CASE\tOPENED\tTOOL\tABOUT\tASKED\tDEADLINE")
	for i := range all {
		c := &all[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", cell(c.ID), stamp(c.Opened), cell(c.Tool), cell(c.BusinessKey), asked(c), stamp(c.Deadline))
	}
	return t.Flush()
}

// asked is the question in a few words.
func asked(c *escalation.Case) string {
	if c.State == idempotency.AwaitingApproval {
		return "may it be made?"
	}
	return "did it happen?"
}

// caseText writes all that a person needs.
func caseText(w io.Writer, c *escalation.Case) error {
	var out bytes.Buffer
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%-14s%s\n", name, printable([]byte(value)))
		}
	}
	line("case", c.ID)
	line("status", c.Status.String()+", "+c.State.String())
	line("asked", c.Reason)
	line("opened", stamp(c.Opened))
	line("deadline", stamp(c.Deadline))
	line("tool", fmt.Sprintf("%s (%s)", c.Tool, c.Effect))
	line("arguments", c.Args)
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
		line(fmt.Sprintf("attempt %d", a.Number), attemptText(&a))
	}
	for _, k := range c.Checks {
		text := fmt.Sprintf("%s  %s", stamp(k.At), k.Answer)
		if k.Early {
			text += ", too soon to be believed"
		}
		if k.Error != "" {
			text += ": " + k.Error
		}
		line("check", text)
	}
	for _, at := range c.LateSuccess {
		line("late success", stamp(at))
	}
	if d := c.Decision; d != nil {
		line("decided", fmt.Sprintf("%s by %s, %s", d.Choice, d.Actor, stamp(d.At)))
		line("note", d.Note)
	}
	if len(c.Options) > 0 {
		fmt.Fprintln(&out, "\nchoices")
	}
	for _, o := range c.Options {
		fmt.Fprintf(&out, "  %-16s%s\n", o.Choice, o.Does)
	}
	_, err := out.WriteTo(w)
	return err
}

func attemptText(a *escalation.Attempt) string {
	text := stamp(a.Start) + " to " + stamp(a.End)
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
	if a.Error != "" {
		text += ": " + a.Error
	}
	return text
}
