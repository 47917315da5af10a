package sandbox

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
)

// The part of DNS (RFC 1035) that a name server needs which knows every name:
// one question, one answer of type A, and none of any other type.
const (
	dnsHeader = 12
	typeA     = 1
	classIN   = 1
	mostName  = 253
)

// question reads the first question of a query: the name in lower case, bytes
// that no host name has as %HH.
func question(b []byte) (name string, kind uint16, end int, ok bool) {
	if len(b) < dnsHeader || b[2]&0x80 != 0 || binary.BigEndian.Uint16(b[4:]) != 1 {
		return "", 0, 0, false
	}
	var labels []string
	at, size := dnsHeader, 0
	for {
		if at >= len(b) {
			return "", 0, 0, false
		}
		n := int(b[at])
		if n == 0 {
			break
		}
		if n > 63 || at+1+n > len(b) { // a pointer has no place in a question
			return "", 0, 0, false
		}
		if size += n + 1; size > mostName+1 {
			return "", 0, 0, false
		}
		labels = append(labels, hostLabel(b[at+1:at+1+n]))
		at += 1 + n
	}
	if at+5 > len(b) || len(labels) == 0 {
		return "", 0, 0, false
	}
	return strings.Join(labels, "."), binary.BigEndian.Uint16(b[at+1:]), at + 5, true
}

func hostLabel(b []byte) string {
	var out strings.Builder
	for _, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			out.WriteByte(c + 'a' - 'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
			out.WriteByte(c)
		default:
			_, _ = fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

// answer is the response to a query whose question ends at end.
func answer(query []byte, end int, kind uint16, addr netip.Addr) []byte {
	out := append([]byte{}, query[:end]...)
	out[2] = out[2]&0x01 | 0x84 // a response with authority, recursion as it was desired
	out[3] = 0x80
	for i := 6; i < dnsHeader; i++ {
		out[i] = 0
	}
	if kind != typeA {
		return out
	}
	out[7] = 1
	out = append(out, 0xc0, dnsHeader, 0, typeA, 0, classIN, 0, 0, 0, 60, 0, 4) // the name is at the header's end; a minute
	ip := addr.As4()
	return append(out, ip[:]...)
}
