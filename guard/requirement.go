package guard

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Requirement says what the record must hold before an answer may leave. It is
// an [Option]; its methods return a changed copy and can be combined. The
// plain form asks that the tool was called and that every call to it was made
// good, see the package documentation.
type Requirement struct {
	tools    []string
	anyOf    bool
	atLeast  int // 0: every call was made good
	field    string
	values   []string
	fresh    bool
	maxAge   time.Duration
	clean    bool
	complete bool
	err      error
}

// Require asks for each of the named tools that it was called and that every
// call to it was made good.
func Require(tools ...string) Requirement { return Requirement{tools: tools} }

// RequireAny asks for one of the named tools what [Require] asks for each:
// it was called, and every call to it was made good.
func RequireAny(tools ...string) Requirement { return Requirement{tools: tools, anyOf: true} }

// AtLeastOnce asks for one success and allows other calls to fail. What failed
// still has to be said in the answer (step 4).
func (r Requirement) AtLeastOnce() Requirement { return r.AtLeast(1) }

// AtLeast asks for n successes and allows other calls to fail. A repetition
// with the same arguments and the same result counts once. With [RequireAny]
// the successes of all its tools are added up.
func (r Requirement) AtLeast(n int) Requirement {
	if n < 1 {
		return r.invalid("AtLeast", fmt.Sprintf("%d is less than 1", n))
	}
	r.atLeast = n
	return r
}

// ForEach asks it for each of these values of one argument: "for each of these
// customers". Values are compared exactly with the argument's text (a number
// as it stands in JSON); an argument that is a JSON list counts for each of
// its elements.
func (r Requirement) ForEach(field string, values ...string) Requirement {
	switch {
	case strings.TrimSpace(field) == "":
		return r.invalid("ForEach", "the field is empty")
	case len(values) == 0:
		return r.invalid("ForEach", "no value for "+field)
	case r.field != "":
		return r.invalid("ForEach", "a requirement has one field, "+r.field+"; use a second requirement for "+field)
	}
	r.field, r.values = field, values
	return r
}

// Fresh accepts only results that are at most maxAge old when the answer is
// judged: the age a stale result states plus the time since it came. A stale
// result of unknown age is not accepted.
func (r Requirement) Fresh(maxAge time.Duration) Requirement {
	if maxAge <= 0 {
		return r.invalid("Fresh", maxAge.String()+" is not positive")
	}
	r.fresh, r.maxAge = true, maxAge
	return r
}

// NotDegraded accepts only whole and current results of the tool itself:
// neither partial nor truncated, neither stale nor of a stand-in.
func (r Requirement) NotDegraded() Requirement { r.clean = true; return r }

// NotPartial accepts only whole results: neither partial nor truncated. A
// stale result and a stand-in's are accepted.
func (r Requirement) NotPartial() Requirement { r.complete = true; return r }

func (r Requirement) invalid(method, why string) Requirement {
	if r.err == nil {
		r.err = &SettingError{Option: r.head() + "." + method, Why: why}
	}
	return r
}

func (r Requirement) apply(g *Guard) error {
	if r.err != nil {
		return r.err
	}
	if len(r.tools) == 0 {
		return &SettingError{Option: r.head(), Why: "no tool is named"}
	}
	for _, t := range r.tools {
		if strings.TrimSpace(t) == "" {
			return &SettingError{Option: r.head(), Why: "the name of a tool is empty"}
		}
	}
	g.requirements = append(g.requirements, r)
	return nil
}

func (r Requirement) head() string {
	name := "Require"
	if r.anyOf {
		name = "RequireAny"
	}
	return name + "(" + strings.Join(r.tools, ", ") + ")"
}

// String describes the requirement without the values of ForEach, so that it
// can stand in a log.
func (r Requirement) String() string {
	sep := " and "
	if r.anyOf {
		sep = " or "
	}
	s := strings.Join(r.tools, sep)
	if r.atLeast > 0 {
		s += " at least " + strconv.Itoa(r.atLeast)
	}
	if r.field != "" {
		s += " for each " + r.field
	}
	if r.fresh {
		s += " not older than " + r.maxAge.String()
	}
	if r.clean {
		s += " not degraded"
	}
	if r.complete {
		s += " not partial"
	}
	return s
}

// groups are the sets of tools that each have to meet the requirement.
func (r Requirement) groups() [][]string {
	if r.anyOf {
		return [][]string{r.tools}
	}
	groups := make([][]string, len(r.tools))
	for i := range r.tools {
		groups[i] = r.tools[i : i+1]
	}
	return groups
}
