package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the parts of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"add": func(a, b int) int { return a + b },
}).Parse(pageHTML))

// page is what the template shows.
type page struct {
	*Report
	Policy   string
	Style    template.CSS
	Script   template.JS
	Sentence string
	Remarks  []string
	Bar      []segment
	Heading  string
	Kinds    []string
	Tools    []string
	Entries  []article
	Views    *views
	Troubles []Trouble
	Read     string
	Hidden   string
}

// segment is a part of the bar, of a thousand.
type segment struct {
	Class, Name, Count string
	X, Width           string
}

// article is a run on the page.
type article struct {
	*Entry
	Number int
}

// HTML writes the report as one file that needs no other: nothing is loaded
// from anywhere, and the policy in its head forbids it.
func (r *Report) HTML(w io.Writer) error {
	entries := r.Worst.Entries()
	p := &page{
		Report: r, Policy: contentPolicy(), Style: template.CSS(pageCSS), Script: template.JS(pageJS), //nolint:gosec // both are files of this package
		Sentence: r.Summary.Sentence(), Remarks: r.Summary.Remarks(), Bar: r.bar(),
		Heading: worstHeading(len(entries), len(entries)+r.Worst.More()), Troubles: worstTroubles(r.Input.Troubles),
		Read:   counted(r.Input.Files, "file"),
		Hidden: "What looks like a credential is hidden.",
	}
	if r.Worst.cfg.Cleaner.Bare {
		p.Hidden = "Credentials are shown as they are."
	}
	kinds, tools := map[string]bool{}, map[string]bool{}
	for i, e := range entries {
		a := article{e, i + 1}
		p.Entries = append(p.Entries, a)
		for _, f := range e.Findings {
			kinds[f.Topic.Short()] = true
			if f.Tool != "" {
				tools[f.Tool] = true
			}
		}
	}
	p.Kinds, p.Tools = slices.Sorted(maps.Keys(kinds)), slices.Sorted(maps.Keys(tools))
	if r.Views != nil && r.Summary.Runs > 0 {
		p.Views = r.views()
	}
	out := bufio.NewWriter(w)
	if err := pageTemplate.Execute(out, p); err != nil {
		return err
	}
	return out.Flush()
}

// contentPolicy lets the page use the style and the script that are in it, and
// nothing else.
func contentPolicy() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash(pageCSS) + "; script-src " + hash(pageJS)
}

// bar is how the answers divide.
func (r *Report) bar() []segment {
	var all []segment
	x := 0.0
	for _, t := range order {
		n := r.Summary.ByTopic[t]
		if n == 0 {
			continue
		}
		w := 1000 * float64(n) / float64(r.Summary.Answers)
		all = append(all, segment{
			Class: t.Class(), Name: t.did(), Count: figure(n),
			X: strconv.FormatFloat(x, 'f', 1, 64), Width: strconv.FormatFloat(w, 'f', 1, 64),
		})
		x += w
	}
	return all
}

// Anchor is the id of a finding on the page.
func (a article) Anchor(note int) string { return fmt.Sprintf("r%d-%d", a.Number, note) }

// Kinds are the kinds of findings of the run, a line each.
func (a article) Kinds() string {
	var names []string
	for _, f := range a.Findings {
		names = append(names, f.Topic.Short())
	}
	return distinct(names)
}

// Tools are the tools of the findings of the run, a line each.
func (a article) Tools() string {
	var names []string
	for _, f := range a.Findings {
		names = append(names, f.Tool)
	}
	return distinct(names)
}

func distinct(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "\n")
}

// CallsSaid is the heading of the calls of the run.
func (a article) CallsSaid() string {
	bad := 0
	for i := range a.Calls {
		if a.Calls[i].Failed {
			bad++
		}
	}
	said := counted(len(a.Calls)+a.MoreCalls, "call")
	if bad > 0 {
		said += ", " + figure(bad) + " failed"
	}
	return said
}
