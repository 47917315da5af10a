package sandbox

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestReach(t *testing.T) {
	r := newReach()
	name := r.lookUp("api.example.com")
	if again := r.lookUp("api.example.com"); again != name || r.lookUp("other.example.com") == name {
		t.Error("a name has not one address of its own")
	}
	for _, c := range []contact{
		{addr: name, port: 443}, {addr: name, port: 53, proto: "udp"},
		{addr: netip.MustParseAddr("192.0.2.1"), port: 80}, {addr: netip.MustParseAddr("::ffff:192.0.2.1"), port: 80},
		{addr: netip.MustParseAddr("2001:db8::1"), port: 443}, {addr: netip.MustParseAddr("192.0.2.2"), proto: "icmp"},
		{addr: netip.MustParseAddr("127.0.0.1"), port: 9000}, {addr: netip.MustParseAddr("127.0.0.1"), port: 9000, open: true},
	} {
		r.add(c)
	}
	got, complete := r.hosts()
	want := []string{"192.0.2.1:80", "192.0.2.2/icmp", "[2001:db8::1]:443", "api.example.com:443", "api.example.com:53/udp", "other.example.com"}
	if !slices.Equal(got, want) || !complete {
		t.Errorf("got %q %v, want %q", got, complete, want)
	}
}

func TestReachOverflows(t *testing.T) {
	for what, one := range map[string]func(*reach, int){
		"names":     func(r *reach, i int) { r.lookUp(fmt.Sprintf("n%d.example.com", i)) },
		"addresses": func(r *reach, i int) { r.add(contact{addr: pool, port: uint16(i + 1)}) },
	} {
		r := newReach()
		for i := range mostHosts {
			one(r, i)
		}
		if list, complete := r.hosts(); len(list) != mostHosts || !complete {
			t.Errorf("%s: %d, %v", what, len(list), complete)
		}
		one(r, mostHosts)
		if list, complete := r.hosts(); len(list) > mostHosts || complete {
			t.Errorf("%s: %d, %v after one more", what, len(list), complete)
		}
	}
}

func TestHost(t *testing.T) {
	for _, tt := range []struct {
		entry, host string
		port        int
	}{
		{"api.example.com:443", "api.example.com", 443},
		{"192.0.2.1:53/udp", "192.0.2.1", 53},
		{"[2001:db8::1]:443", "2001:db8::1", 443},
		{"2001:db8::1/icmp", "2001:db8::1", 0},
		{"192.0.2.1/icmp", "192.0.2.1", 0},
		{"api.example.com", "api.example.com", 0},
	} {
		if host, port := Host(tt.entry); host != tt.host || port != tt.port {
			t.Errorf("%s: %s %d", tt.entry, host, port)
		}
	}
}

// ip4 is an IPv4 packet from 192.0.2.1 to 192.0.2.2.
func ip4(proto byte, payload ...byte) []byte {
	head := []byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, proto, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2}
	return append(head, payload...)
}

func tcp(flags byte) []byte { return []byte{0, 7, 1, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, flags} }

func TestPacket(t *testing.T) {
	to, from := netip.MustParseAddr("192.0.2.2"), netip.MustParseAddr("192.0.2.1")
	fragment := ip4(protoUDP, 0, 7, 0, 53, 0, 8, 0, 0)
	fragment[7] = 1
	six := append([]byte{0x60, 0, 0, 0, 0, 14, protoTCP, 64}, make([]byte, 31)...)
	six = append(append(six, 1), tcp(flagSYN)...)
	tests := []struct {
		name string
		in   []byte
		want contact
		ok   bool
	}{
		{"opening", ip4(protoTCP, tcp(flagSYN)...), contact{addr: to, port: 443}, true},
		{"answered", ip4(protoTCP, tcp(flagSYN|flagACK)...), contact{addr: from, port: 7, open: true}, true},
		{"going on", ip4(protoTCP, tcp(flagACK)...), contact{}, false},
		{"datagram", ip4(protoUDP, 0, 7, 0, 53, 0, 8, 0, 0), contact{addr: to, port: 53, proto: "udp"}, true},
		{"later fragment", fragment, contact{}, false},
		{"echo request", ip4(protoICMP, 8, 0), contact{addr: to, proto: "icmp"}, true},
		{"unreachable", ip4(protoICMP, 3, 1), contact{}, false},
		{"IPv6", six, contact{addr: netip.MustParseAddr("::1"), port: 443}, true},
		{"short", ip4(protoTCP, 0, 7), contact{}, false},
		{"nothing", nil, contact{}, false},
	}
	for _, tt := range tests {
		got, _, ok := packet(tt.in)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %+v %v, want %+v", tt.name, got, ok, tt.want)
		}
	}
}

// ask is a query for one name.
func ask(kind byte, labels ...string) []byte {
	b := []byte{1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	for _, l := range labels {
		b = append(append(b, byte(len(l))), l...)
	}
	return append(b, 0, 0, kind, 0, classIN)
}

func TestQuestion(t *testing.T) {
	long := strings.Repeat("x", 63)
	response := ask(typeA, "a")
	response[2] = 0x81
	tests := []struct {
		name string
		in   []byte
		want string
	}{
		{"a name", ask(typeA, "API", "example", "com"), "api.example.com"},
		{"odd bytes", ask(typeA, "a.b\n", "_x-1"), "a%2Eb%0A._x-1"},
		{"too long", ask(typeA, long, long, long, long, long), ""},
		{"a pointer", append(ask(typeA)[:12], 0xc0, 12, 0, 1, 0, 1), ""},
		{"cut", ask(typeA, "example", "com")[:20], ""},
		{"the root", ask(typeA), ""},
		{"a response", response, ""},
		{"nothing", nil, ""},
	}
	for _, tt := range tests {
		if got, _, _, ok := question(tt.in); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q %v", tt.name, got, ok)
		}
	}
	query := ask(typeA, "example", "com")
	_, kind, end, _ := question(query)
	got := answer(query, end, kind, netip.MustParseAddr("198.18.0.9"))
	if !strings.HasSuffix(string(got), "\x00\x04\xc6\x12\x00\x09") || got[7] != 1 || got[2]&0x80 == 0 {
		t.Errorf("answered %q", got)
	}
	if got := answer(query, end, 28, pool); got[7] != 0 || len(got) != len(query) {
		t.Errorf("another type is answered %q", got)
	}
}

func FuzzPacket(f *testing.F) {
	f.Add(ip4(protoTCP, tcp(flagSYN)...))
	f.Add(ip4(protoUDP, 0, 7, 0, 53, 0, 8, 0, 0))
	f.Add([]byte{0x60})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _, ok := packet(b)
		if ok && !c.addr.IsValid() {
			t.Errorf("%x gave %+v", b, c)
		}
	})
}

func FuzzQuestion(f *testing.F) {
	f.Add(ask(typeA, "example", "com"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		name, kind, end, ok := question(b)
		if !ok {
			return
		}
		for _, r := range name {
			if r <= ' ' || r > '~' {
				t.Fatalf("%q", name)
			}
		}
		if got := answer(b, end, kind, pool); len(got) > len(b)+16 {
			t.Errorf("answered %x", got)
		}
	})
}
