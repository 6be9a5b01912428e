package tools

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// errPrivate is why a connection was not made.
var errPrivate = errors.New("the address is not public; to allow it, name its host in HTTPConfig.Hosts")

// reserved are the ranges beside those that [netip.Addr] knows of from which
// nothing public is served: shared address space, benchmarks, documentation,
// protocol assignments and tunnels, the reserved block, and the address at which
// Azure serves each machine its own.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("168.63.129.16/32"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("3fff::/20"),
}

// allocated is the part of IPv6 from which addresses of the internet are given out.
var allocated = netip.MustParsePrefix("2000::/3")

// carriers are the IPv6 ranges that carry an IPv4 address, and where it begins
// in them: what is asked of them is asked of that address.
var carriers = []struct {
	netip.Prefix
	at int
}{
	{netip.MustParsePrefix("::/96"), 12},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12},
	{netip.MustParsePrefix("64:ff9b::/96"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
}

// public reports whether an address can belong to a service of the internet.
// Everything else is the machine itself, its neighbours, or the metadata
// service that hands out the machine's credentials.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	for _, c := range carriers {
		if c.Contains(a) {
			b := a.As16()
			return public(netip.AddrFrom4([4]byte(b[c.at : c.at+4])))
		}
	}
	return a.Is4() || allocated.Contains(a)
}

// hosts decides which hosts http_get and http_post may talk to.
type hosts []string

// names reports whether an entry names the host, and whether it names exactly
// this one and not a whole domain.
func (h hosts) names(host string) (listed, exact bool) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if slices.Contains(h, host) {
		return true, true
	}
	for _, entry := range h {
		if strings.HasPrefix(entry, ".") && strings.HasSuffix(host, entry) {
			return true, false
		}
	}
	return false, false
}

// check refuses a URL that may not be fetched, before anything is looked up.
func (h hosts) check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return invalid("url", "bad_scheme", "the scheme is not http or https")
	case u.Hostname() == "":
		return invalid("url", "bad_url", "the URL names no host")
	case u.User != nil:
		return invalid("url", "credentials_in_url", "the URL carries credentials")
	}
	if listed, _ := h.names(u.Hostname()); len(h) > 0 && !listed {
		return invalid("url", "host_not_allowed", "the host is not one of those this tool may talk to")
	}
	return nil
}

// transport connects to public addresses, and to whatever address the exactly
// named hosts have. The address is checked when the connection is made, after
// the name was resolved, so that a name cannot lead elsewhere in between. It
// uses no proxy: a proxy would do the connecting, out of sight.
func (h hosts) transport() *http.Transport {
	open := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	guarded := open
	guarded.Control = func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil || !public(ap.Addr()) {
			return errPrivate
		}
		return nil
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if _, exact := h.names(host); exact {
			return open.DialContext(ctx, network, address)
		}
		conn, err := guarded.DialContext(ctx, network, address)
		if errors.Is(err, errPrivate) {
			return nil, invalid("url", "address_not_public", "%w", err)
		}
		return conn, err
	}
	return t
}
