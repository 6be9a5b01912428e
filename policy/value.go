package policy

import (
	"reflect"
	"regexp"
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// The kinds of values that settings have. Each reads itself from a node.
type (
	version      int
	positive     int // 1 or more; 0: not said
	count        int // 0 or more
	captureLimit int
	loopAfter    int
	amount       float64 // 0 or more
	ratio        float64 // above 0, below 1
	rate         float64 // a second
	duration     time.Duration
	timeLimit    time.Duration // 0: none
	effect       fault.Effect
	approval     toolkit.Approval
	capture      runrecord.Capture
	mode         guard.Mode
	reaction     guard.Policy
	language     guard.Language
	spoken       string // a text or a number, as it is written
)

// The names of choices, each at the number it stands for.
var (
	effects   = []string{fault.Read.String(), fault.Idempotent.String(), fault.Write.String()} // from fault.Read on
	approvals = []string{"always", "never"}                                                    // from toolkit.ApprovalAlways on
	captures  = []string{"off", "redacted", "full"}
	modes     = []string{"enforce", "report", "off"}
	reactions = []string{"default", "off", "report", "disclose", "refuse"}
	languages = []string{string(guard.English), string(guard.Vietnamese)}
)

func (e *effect) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.choice(n, where, effects); ok {
		*e = effect(fault.Read) + effect(i)
	}
}

func (a *approval) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.choice(n, where, approvals); ok {
		*a = approval(toolkit.ApprovalAlways) + approval(i)
	}
}

func (c *capture) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.choice(n, where, captures); ok {
		*c = capture(i)
	}
}

func (m *mode) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.choice(n, where, modes); ok {
		*m = mode(i)
	}
}

func (a *reaction) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.choice(n, where, reactions); ok {
		*a = reaction(i)
	}
}

func (l *language) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.choice(n, where, languages); ok {
		*l = language(languages[i])
	}
}

// current is the one version of the format.
const current = 1

func (v *version) read(r *reader, n *yaml.Node, where string) {
	i, ok := r.whole(n, where)
	if ok && i != current {
		r.add(markOf(n), "", "%s: %.60s is not known, this library reads version %d", where, n.Value, current)
	}
	*v = version(i)
}

func (p *positive) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.between(n, where, 1, maxCount); ok {
		*p = positive(i)
	}
}

func (c *count) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.between(n, where, 0, maxCount); ok {
		*c = count(i)
	}
}

// The bounds of [runrecord.Config].CaptureLimit, which says why.
const minCapture, maxCapture = 256, 256 << 10

func (c *captureLimit) read(r *reader, n *yaml.Node, where string) {
	if i, ok := r.between(n, where, minCapture, maxCapture); ok {
		*c = captureLimit(i)
	}
}

func (l *loopAfter) read(r *reader, n *yaml.Node, where string) {
	i, ok := r.between(n, where, 0, maxCount)
	if ok && i == 1 {
		r.add(markOf(n), "", "%s: one call is no loop, want 0 for never, or 2 or more", where)
		return
	}
	*l = loopAfter(i)
}

func (a *amount) read(r *reader, n *yaml.Node, where string) {
	if f, ok := r.number(n, where); ok {
		*a = amount(f)
	}
}

func (o *ratio) read(r *reader, n *yaml.Node, where string) {
	f, ok := r.number(n, where)
	if ok && (f == 0 || f >= 1) {
		r.add(markOf(n), "", "%s: want a share above 0 and below 1, got %s", where, quoted(n.Value))
		return
	}
	*o = ratio(f)
}

func (s *spoken) read(r *reader, n *yaml.Node, where string) {
	if text, ok := r.words(n, where); ok {
		*s = spoken(text)
	}
}

// The written forms of a rate and a duration; the schema for editors has them,
// too.
const (
	ratePattern     = `^[0-9]+(\.[0-9]+)?/[smh]$`
	durationPattern = `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`
)

var (
	rateForm     = regexp.MustCompile(ratePattern)
	durationForm = regexp.MustCompile(durationPattern)
	perSecond    = map[byte]float64{'s': 1, 'm': 60, 'h': 3600}
)

// read takes a number a second, or "300/m".
func (a *rate) read(r *reader, n *yaml.Node, where string) {
	if kindOf(n) == aNumber {
		if f, ok := r.number(n, where); ok {
			*a = rate(f)
		}
		return
	}
	if kindOf(n) != aText {
		r.wants(n, where, "a rate like 10/s, 300/m or 1000/h")
		return
	}
	last := len(n.Value) - 1
	if rateForm.MatchString(n.Value) {
		if f, err := strconv.ParseFloat(n.Value[:last-1], 64); err == nil {
			*a = rate(f / perSecond[n.Value[last]])
			return
		}
	}
	r.add(markOf(n), "", "%s: %s is no rate, write 10/s, 300/m or 1000/h", where, quoted(n.Value))
}

func (d *duration) read(r *reader, n *yaml.Node, where string) {
	t, ok := r.duration(n, where)
	if ok && t == 0 {
		r.add(markOf(n), "", "%s: want more than 0, leave it out for the default", where)
	}
	*d = duration(t)
}

func (t *timeLimit) read(r *reader, n *yaml.Node, where string) {
	d, _ := r.duration(n, where)
	*t = timeLimit(d)
}

func (r *reader) duration(n *yaml.Node, where string) (time.Duration, bool) {
	const forms = "10s, 1m30s or 2h"
	if k := kindOf(n); k != aText && k != aNumber {
		r.wants(n, where, "a duration like "+forms)
		return 0, false
	}
	if durationForm.MatchString(n.Value) {
		if d, err := time.ParseDuration(n.Value); err == nil {
			return d, true
		}
	}
	r.add(markOf(n), "", "%s: %s is no duration, write %s", where, quoted(n.Value), forms)
	return 0, false
}

// backoff is one of the two presets by name, or a policy of one's own.
type backoff toolkit.Backoff

var presets = []string{"standard", "gentle"}

type backoffKeys struct {
	Base   duration `yaml:"base"`
	Max    duration `yaml:"max"`
	Jitter duration `yaml:"jitter"`
	Spread spread   `yaml:"spread"`
}

type spread float64

func (s *spread) read(r *reader, n *yaml.Node, where string) {
	f, ok := r.number(n, where)
	if ok && f > 1 {
		r.add(markOf(n), "", "%s: want a share between 0 and 1, got %s", where, quoted(n.Value))
	}
	*s = spread(f)
}

func (b *backoff) read(r *reader, n *yaml.Node, where string) {
	switch kindOf(n) {
	case aMap:
		var k backoffKeys
		r.object(n, reflect.ValueOf(&k).Elem(), where)
		*b = backoff{Base: time.Duration(k.Base), Max: time.Duration(k.Max), Jitter: time.Duration(k.Jitter), Spread: float64(k.Spread)}
	case aText:
		if i, ok := r.choice(n, where, presets); ok {
			*b = backoff([]toolkit.Backoff{toolkit.StandardBackoff(), toolkit.GentleBackoff()}[i])
		}
	default:
		r.wants(n, where, "standard, gentle or a map")
	}
}

func (backoff) shape() any { return backoffKeys{} }
