package sandbox

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"strconv"
	"sync"
)

// mostHosts bounds what is remembered of one program; one more is an overflow.
const mostHosts = 256

// contact is one place on the network that a program wanted to reach.
type contact struct {
	addr  netip.Addr
	port  uint16
	proto string // "" for TCP, else "udp" or "icmp"
	open  bool   // what answers there is the program's own
}

// reach collects what a program wants of the network: names that it looked up,
// and contacts. Every name gets an address of its own, so that a contact tells
// which name it came from.
type reach struct {
	mu       sync.Mutex
	names    map[netip.Addr]string
	addrs    map[string]netip.Addr
	contacts map[contact]bool
	own      map[contact]bool
	overflow bool
}

func newReach() *reach {
	return &reach{names: map[netip.Addr]string{}, addrs: map[string]netip.Addr{}, contacts: map[contact]bool{}, own: map[contact]bool{}}
}

// pool is where addresses of names begin: 198.18.0.0/15, which is for measurements and routed nowhere
// (RFC 2544).
var pool = netip.MustParseAddr("198.18.0.1")

// lookUp remembers that a name was wanted, and gives it an address.
func (r *reach) lookUp(name string) netip.Addr {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a, ok := r.addrs[name]; ok {
		return a
	}
	if len(r.addrs) >= mostHosts {
		r.overflow = true
		return pool
	}
	a := pool.As4()
	n := binary.BigEndian.Uint32(a[:]) + uint32(len(r.addrs)) + 1
	binary.BigEndian.PutUint32(a[:], n)
	addr := netip.AddrFrom4(a)
	r.addrs[name], r.names[addr] = addr, name
	return addr
}

func (r *reach) add(c contact) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.addr = c.addr.Unmap().WithZone("")
	set := r.contacts
	if c.open {
		c.open = false
		set = r.own
	}
	if len(set) >= mostHosts && !set[c] {
		r.overflow = true
		return
	}
	set[c] = true
}

// lost notes that something was not seen.
func (r *reach) lost() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.overflow = true
}

// hosts is everything that was wanted, sorted, and whether that is all of it.
func (r *reach) hosts() (list []string, complete bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list = []string{}
	contacted := map[string]bool{}
	for c := range r.contacts {
		if r.own[c] {
			continue
		}
		name, ok := r.names[c.addr]
		if !ok {
			list = append(list, place(c.addr.String(), c, c.addr.Is6()))
			continue
		}
		contacted[name] = true
		list = append(list, place(name, c, false))
	}
	for name := range r.addrs {
		if !contacted[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), !r.overflow
}

// place writes host:port, and behind a slash what is not TCP.
func place(host string, c contact, brackets bool) string {
	if c.proto == "icmp" {
		return host + "/icmp"
	}
	if brackets {
		host = "[" + host + "]"
	}
	host += ":" + strconv.Itoa(int(c.port))
	if c.proto != "" {
		host += "/" + c.proto
	}
	return host
}

// Numbers of protocols in IP headers, and the parts of their headers that matter.
const (
	protoICMP, protoTCP, protoUDP, protoICMP6 = 1, 6, 17, 58

	flagSYN, flagACK = 2, 16
)

// packet reads an IP packet as far as it tells where a program wants to go: the
// opening of a TCP connection (and, as open, the answer to one), a datagram, an
// echo request. from is the sender.
func packet(b []byte) (c contact, from netip.AddrPort, ok bool) {
	src, dst, proto, rest, ok := ipHeader(b)
	if !ok {
		return c, from, false
	}
	c.addr = dst
	switch {
	case proto == protoTCP && len(rest) >= 14:
		sender, port, flags := binary.BigEndian.Uint16(rest), binary.BigEndian.Uint16(rest[2:]), rest[13]
		switch flags & (flagSYN | flagACK) {
		case flagSYN:
			c.port = port
		case flagSYN | flagACK:
			c = contact{addr: src, port: sender, open: true}
		default:
			return c, from, false
		}
	case proto == protoUDP && len(rest) >= 8:
		from = netip.AddrPortFrom(src, binary.BigEndian.Uint16(rest))
		c.port, c.proto = binary.BigEndian.Uint16(rest[2:]), "udp"
	case proto == protoICMP && len(rest) > 0 && rest[0] == 8, proto == protoICMP6 && len(rest) > 0 && rest[0] == 128:
		c.proto = "icmp"
	default:
		return c, from, false
	}
	return c, from, true
}

func ipHeader(b []byte) (src, dst netip.Addr, proto byte, rest []byte, ok bool) {
	switch {
	case len(b) >= 20 && b[0]>>4 == 4:
		size := int(b[0]&15) * 4
		later := binary.BigEndian.Uint16(b[6:])&0x1fff != 0 // a later fragment has no ports
		if size < 20 || len(b) < size || later {
			return src, dst, 0, nil, false
		}
		return netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20])), b[9], b[size:], true
	case len(b) >= 40 && b[0]>>4 == 6:
		return netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40])), b[6], b[40:], true
	}
	return src, dst, 0, nil, false
}
