package policy

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"go.yaml.in/yaml/v3"
)

var hostText = pattern.Of(`^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$`)

// hostForm takes what hosts are matched by: a name or an address, each alone or
// with a port; "*.example.com" is every name below example.com.
func hostForm(s string) string {
	host, port, ok := splitHost(s)
	if _, err := netip.ParseAddr(host); ok && port >= 0 && (err == nil || len(host) < 254 && hostText.MatchString(host) && !numeric(host)) {
		return ""
	}
	return `a host or host:port, as "api.example.com", "*.example.com" or "api.example.com:443"`
}

// numeric reports whether a name ends in a number: an address that is not
// spelled in full, which programs read differently.
func numeric(host string) bool {
	_, err := strconv.ParseUint(host[strings.LastIndexByte(host, '.')+1:], 0, 64)
	return err == nil
}

// splitHost cuts a port off, 0 where there is none; the host comes in lower
// case.
func splitHost(s string) (host string, port int, ok bool) {
	s = strings.ToLower(s)
	if rest, bracket := strings.CutPrefix(s, "["); bracket {
		host, tail, closed := strings.Cut(rest, "]")
		port, ok := portOf(tail)
		return host, port, closed && ok && strings.Contains(host, ":")
	}
	if strings.Count(s, ":") > 1 {
		return s, 0, true // an IPv6 address alone
	}
	host, _, _ = strings.Cut(s, ":")
	port, ok = portOf(s[len(host):])
	return host, port, ok
}

// portOf reads ":443", or nothing as 0.
func portOf(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	digits, ok := strings.CutPrefix(s, ":")
	n, err := strconv.ParseUint(digits, 10, 16)
	return int(n), ok && err == nil && n > 0 && digits[0] != '0'
}

// matchHost reports whether a pattern of hostForm covers a host and port. A
// pattern without a port covers every port.
func matchHost(pattern, host string, port int) bool {
	want, wantPort, ok := splitHost(pattern)
	if !ok || wantPort != 0 && wantPort != port {
		return false
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if below, wild := strings.CutPrefix(want, "*"); wild {
		return len(host) > len(below) && strings.HasSuffix(host, below)
	}
	a, err := netip.ParseAddr(want)
	b, err2 := netip.ParseAddr(host)
	return want == host || err == nil && err2 == nil && a.Unmap() == b.Unmap()
}

// Destination is a place that our own requests may reach though it is private:
// a host or a range of addresses, and one port.
type Destination struct {
	Host   string       // lower case; empty where Prefix is set
	Prefix netip.Prefix // of a CIDR, or of one address
	Port   uint16
}

// String is the form of the file.
func (d Destination) String() string {
	host := d.Host
	if host == "" {
		host = d.Prefix.String()
	}
	if d.Prefix.Addr().Is6() {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(int(d.Port))
}

// MarshalText writes the form of the file.
func (d Destination) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Permits reports whether a connection to addr, dialled for host, is allowed
// though addr is private.
func (n Network) Permits(host string, addr netip.Addr, port uint16) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for _, d := range n.Allow {
		if d.Port == port && (d.Host != "" && d.Host == host || d.Prefix.IsValid() && d.Prefix.Contains(addr.Unmap())) {
			return true
		}
	}
	return false
}

const destinationForm = `"host:port" or "CIDR:port", as "proxy.internal:3128", "10.0.0.0/8:443" or "[fd00::/8]:443"; the CIDR's other bits are zero`

func destination(s string) (Destination, bool) {
	host, port, ok := splitHost(s)
	d := Destination{Port: uint16(port)}
	if !ok || port == 0 {
		return d, false
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		d.Prefix = netip.PrefixFrom(addr.Unmap().WithZone(""), addr.Unmap().BitLen())
		return d, addr.Zone() == ""
	}
	if prefix, err := netip.ParsePrefix(host); err == nil {
		d.Prefix = prefix
		return d, prefix == prefix.Masked() && !prefix.Addr().Is4In6()
	}
	d.Host = host
	return d, hostForm(host) == "" && !strings.HasPrefix(host, "*")
}

func (r *reader) network(n *yaml.Node) (out Network) {
	r.mapping(n, "network", []field{{"allow", func(_, v *yaml.Node) {
		for _, s := range r.texts(v, "network.allow", func(s string) string {
			if _, ok := destination(s); !ok {
				return destinationForm
			}
			return ""
		}) {
			d, _ := destination(s) // its form was checked
			out.Allow = append(out.Allow, d)
		}
	}}})
	return out
}
