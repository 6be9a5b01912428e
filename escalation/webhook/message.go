package webhook

import (
	"fmt"
	"strings"
	"time"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
)

// message is the body of a request.
type message struct {
	Text string          `json:"text"` // what a chat shows
	Case escalation.Case `json:"case"` // for programs
}

// maxText bounds each text of a case in the message of a chat.
const maxText = 300

func (h *Hook) message(c escalation.Case) message {
	if !h.cfg.Arguments {
		c.Args = ""
	}
	question := "Did it happen?"
	if c.State == idempotency.AwaitingApproval {
		question = "May it be made?"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "*%s* `%s`", question, plain(c.Tool))
	if c.BusinessKey != "" {
		fmt.Fprintf(&b, " (%s)", plain(c.BusinessKey))
	}
	if c.Reason != "" {
		fmt.Fprintf(&b, "\n%s", plain(c.Reason))
	}
	if c.Task != "" {
		fmt.Fprintf(&b, "\ntask %s", plain(c.Task))
	}
	if c.Args != "" {
		fmt.Fprintf(&b, "\narguments %s", plain(c.Args))
	}
	if !c.Deadline.IsZero() {
		fmt.Fprintf(&b, "\nuntil %s", c.Deadline.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(&b, "\ncase `%s`", plain(c.ID))
	return message{Text: b.String(), Case: c}
}

// escaper takes from a text what Slack gives a meaning to: mentions and links, by
// its three characters, and the marks of its formatting.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "'", "*", "∗", "_", "_\u200b", "~", "∼", "\n", " ", "\r", " ")

// plain is a text of the case as one line without a meaning.
func plain(s string) string {
	if len(s) > maxText {
		n := maxText
		for n > 0 && s[n]&0xc0 == 0x80 {
			n--
		}
		s = s[:n] + "…"
	}
	return escaper.Replace(s)
}
