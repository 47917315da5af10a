package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Permit reports whether a connection to addr, dialled for host, is allowed
// though addr is no public address; policy.Network.Permits is one.
type Permit func(host string, addr netip.Addr, port uint16) bool

// AddressError is a connection that the address rule refused.
type AddressError struct {
	Host string // as it was asked for: a name or an address
	Port uint16
	Kind string // of the address that the host stands for, as "private"
}

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s stands for a %s address, which is not dialled", e.destination(), e.Kind)
}

// Hint is how the user allows it.
func (e *AddressError) Hint() string {
	return fmt.Sprintf("if it is meant, add %q to network.allow in the policy", e.destination())
}

func (e *AddressError) destination() string {
	return net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port)))
}

// Dialer dials under the address rule: what leads to this machine or a network
// that is not the public one is refused. The rule looks at the address that is
// being dialled, so a name that changes its answer gains nothing.
type Dialer struct {
	Permit Permit // nil permits nothing
	// Own are destinations (host:port, lower case) that the user's own
	// configuration names; they are dialled as they stand. A company's registry
	// is private by nature, and who can write that configuration needs no help
	// from us.
	Own      map[string]bool
	Resolver *net.Resolver // nil is the system's
}

const connectTime = 15 * time.Second

// DialContext is net.Dialer's. The error of a refusal is or wraps an *AddressError.
func (d Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: connectTime, Resolver: d.Resolver}
	if !d.Own[strings.ToLower(address)] {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, fmt.Errorf("a destination without a port")
		}
		dialer.ControlContext = d.control(host)
	}
	return dialer.DialContext(ctx, network, address)
}

// control is called with each address before it is connected to.
func (d Dialer) control(host string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return &AddressError{Host: host, Kind: "unknown"}
		}
		return d.judge(host, to)
	}
}

func (d Dialer) judge(host string, to netip.AddrPort) error {
	kind := addressKind(to.Addr())
	if kind == "" || d.Permit != nil && d.Permit(host, to.Addr().WithZone("").Unmap(), to.Port()) {
		return nil
	}
	return &AddressError{Host: host, Port: to.Port(), Kind: kind}
}

// Named judges a destination that a proxy will dial for us by what its name
// says: an address, or a name of this machine. A name that only the proxy
// resolves is the proxy's to judge.
func (d Dialer) Named(host string, port uint16) error {
	if d.Own[net.JoinHostPort(strings.ToLower(host), strconv.Itoa(int(port)))] {
		return nil
	}
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	addr, err := netip.ParseAddr(name)
	switch {
	case err == nil:
		return d.judge(host, netip.AddrPortFrom(addr, port))
	case below(name, "localhost"):
		return d.judge(host, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port))
	}
	return nil
}

// addressKind says what keeps an address from being a public one; empty for a
// public one. IPv4 inside an IPv6 form counts as that IPv4: a gateway on the way
// may unwrap it.
func addressKind(a netip.Addr) string {
	a = a.WithZone("").Unmap()
	for _, r := range reserved {
		if r.prefix.Contains(a) {
			return r.kind
		}
	}
	if inner, ok := embedded(a); ok {
		return addressKind(inner)
	}
	return ""
}

var reserved = []struct {
	prefix netip.Prefix
	kind   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "unspecified"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"}, // RFC 6598
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "protocol-assigned"}, // RFC 6890; some clouds' metadata
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "local NAT64"}, // RFC 8215: the inner form is the network's own
	{netip.MustParsePrefix("2001::/32"), "Teredo"},           // the inner address is the tunnel's
	{netip.MustParsePrefix("fc00::/7"), "unique-local"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "site-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}

// wrappings are IPv6 forms that hold an IPv4 address, and at which byte.
var wrappings = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("::/96"), 12},           // IPv4-compatible, RFC 4291
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // IPv4-translated, RFC 7915
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64, RFC 6052
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4, RFC 3056
}

func embedded(a netip.Addr) (netip.Addr, bool) {
	for _, w := range wrappings {
		if w.prefix.Contains(a) {
			b := a.As16()
			return netip.AddrFrom4([4]byte(b[w.at : w.at+4])), true
		}
	}
	return netip.Addr{}, false
}
