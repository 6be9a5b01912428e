package tools

import "net/netip"

// What the tests of this package's parsers look at.
var (
	Deciding = deciding
	NewKept  = newHeadTail
)

func Public(a netip.Addr) bool { return public(a) }

func (w *headTail) Text() (string, int64) { return w.text() }

func MatchGlob(pattern, name string) (bool, error) {
	g, err := parseGlob(pattern)
	if err != nil {
		return false, err
	}
	return g.match(name), nil
}
