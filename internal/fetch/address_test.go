package fetch

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestAddressKind(t *testing.T) {
	tests := map[string]string{
		"8.8.8.8": "", "1.1.1.1": "", "2606:4700::1111": "", "172.15.0.1": "", "172.32.0.1": "", "100.63.0.1": "", "100.128.0.1": "",
		"127.0.0.1": "loopback", "127.255.255.254": "loopback", "::1": "loopback",
		"10.1.2.3": "private", "172.16.0.1": "private", "172.31.255.255": "private", "192.168.1.1": "private",
		"169.254.169.254": "link-local", "fe80::1": "link-local", "fe80::1%eth0": "link-local",
		"100.64.0.1": "carrier-grade NAT", "100.100.100.200": "carrier-grade NAT",
		"fc00::1": "unique-local", "fd00:ec2::254": "unique-local", "fec0::1": "site-local",
		"224.0.0.1": "multicast", "239.255.255.250": "multicast", "ff02::1": "multicast",
		"0.0.0.0": "unspecified", "0.1.2.3": "unspecified", "::": "unspecified",
		"255.255.255.255": "reserved", "192.0.0.192": "protocol-assigned",
		"::ffff:127.0.0.1": "loopback", "::ffff:10.0.0.1": "private", "::ffff:8.8.8.8": "",
		"::10.0.0.1": "private", "::8.8.8.8": "", "::ffff:0:10.0.0.1": "private",
		"64:ff9b::127.0.0.1": "loopback", "64:ff9b::169.254.169.254": "link-local", "64:ff9b::8.8.8.8": "",
		"64:ff9b:1::8.8.8.8": "local NAT64",
		"2002:7f00:1::":      "loopback", "2002:c0a8:101::1": "private", "2002:808:808::1": "",
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": "Teredo", "2001:4860:4860::8888": "",
	}
	for text, want := range tests {
		if got := addressKind(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// listen is a server on loopback that counts who comes.
func listen(t *testing.T) (address string, visits *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	visits = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			visits.Add(1)
			_ = c.Close()
		}
	}()
	return l.Addr().String(), visits
}

func TestDialer(t *testing.T) {
	address, visits := listen(t)
	_, port, _ := net.SplitHostPort(address)
	localhost := net.JoinHostPort("localhost", port)
	permit := func(host string, addr netip.Addr, p uint16) bool {
		return host == "127.0.0.1" && addr == netip.MustParseAddr("127.0.0.1") && net.JoinHostPort(host, port) == netip.AddrPortFrom(addr, p).String()
	}
	tests := []struct {
		name    string
		dialer  Dialer
		address string
		refused bool
	}{
		{"nothing permitted", Dialer{}, address, true},
		{"a name of this machine", Dialer{}, localhost, true},
		{"permitted", Dialer{Permit: permit}, address, false},
		{"another host permitted", Dialer{Permit: permit}, localhost, true},
		{"mapped", Dialer{}, "[::ffff:127.0.0.1]:" + port, true},
		{"our own", Dialer{Own: map[string]bool{address: true}}, address, false},
		{"our own at another port", Dialer{Own: map[string]bool{"127.0.0.1:1": true}}, address, true},
		{"our own by another name", Dialer{Own: map[string]bool{localhost: true}}, address, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := visits.Load()
			c, err := tt.dialer.DialContext(t.Context(), "tcp", tt.address)
			var refused *AddressError
			if got := errors.As(err, &refused); got != tt.refused || !got && err != nil {
				t.Fatalf("got %v, want refused %v", err, tt.refused)
			}
			if c != nil {
				_, _ = io.ReadAll(c) // it is closed when the visit was counted
				_ = c.Close()
				for visits.Load() == before { // the next case counts from here
					time.Sleep(time.Millisecond)
				}
				return
			}
			if refused.Kind != "loopback" || !strings.Contains(refused.Hint(), net.JoinHostPort(refused.Host, port)) {
				t.Errorf("got %+v, %q", refused, refused.Hint())
			}
			if visits.Load() != before {
				t.Error("somebody came")
			}
		})
	}
}

// A name answers with a public address when it is looked up to be checked, and
// with loopback when it is dialled.
func TestRebinding(t *testing.T) {
	address, visits := listen(t)
	_, port, _ := net.SplitHostPort(address)
	var asked atomic.Int32
	resolver := fakeResolver(func() [4]byte {
		if asked.Add(1) == 1 {
			return [4]byte{93, 184, 216, 34}
		}
		return [4]byte{127, 0, 0, 1}
	})
	first, err := resolver.LookupNetIP(t.Context(), "ip4", "rebind.example.")
	if err != nil || len(first) != 1 || addressKind(first[0]) != "" {
		t.Fatalf("the first look-up gave %v %v", first, err)
	}
	d := Dialer{Resolver: resolver}
	_, err = d.DialContext(t.Context(), "tcp4", net.JoinHostPort("rebind.example.", port))
	var refused *AddressError
	if !errors.As(err, &refused) || refused.Kind != "loopback" || visits.Load() != 0 {
		t.Errorf("got %v with %d visits", err, visits.Load())
	}
}

// fakeResolver answers every question for an IPv4 address with what answer
// gives, in the wire form of RFC 1035.
func fakeResolver(answer func() [4]byte) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer func() { _ = theirs.Close() }()
			buf := make([]byte, 2+512)
			if _, err := theirs.Read(buf[:2]); err != nil { // a stream, so with a length
				return
			}
			n, err := theirs.Read(buf[2 : 2+binary.BigEndian.Uint16(buf)])
			if err != nil {
				return
			}
			q := buf[2 : 2+n]
			end := 12
			for q[end] != 0 {
				end += int(q[end]) + 1
			}
			end += 5 // the root label, type and class
			r := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0}, q[12:end]...)
			if q[end-3] == 28 { // an IPv6 address is asked for
				r[7] = 0
			} else {
				a := answer()
				r = append(r, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, a[0], a[1], a[2], a[3])
			}
			_, _ = theirs.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(r))), r...))
		}()
		return ours, nil
	}}
}

func TestNamed(t *testing.T) {
	d := Dialer{Own: map[string]bool{"10.0.0.1:443": true}}
	for host, refused := range map[string]bool{
		"example.com": false, "8.8.8.8": false, "10.0.0.1": false,
		"127.0.0.1": true, "LOCALHOST": true, "a.localhost.": true, "::1": true, "169.254.169.254": true, "10.0.0.2": true,
	} {
		if err := d.Named(host, 443); (err != nil) != refused {
			t.Errorf("%s: got %v", host, err)
		}
	}
}
