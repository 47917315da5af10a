package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// talk says a word to one place, and tells what it answers; with more places it
// first says that it wants to go there.
func talk(args []string) string {
	var said []string
	for _, to := range args {
		c, err := net.Dial("tcp", to)
		if err != nil {
			said = append(said, told(err))
			continue
		}
		_, _ = fmt.Fprintln(c, "from", to)
		answer, _ := bufio.NewReader(c).ReadString('\n')
		said = append(said, strings.TrimSpace(answer))
		_ = c.Close()
	}
	return strings.Join(said, ", ")
}

// echo answers each line that reaches it, and keeps it.
type echo struct {
	net.Listener
	mu    sync.Mutex
	heard []string
}

func newEcho(t *testing.T) *echo {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	e := &echo{Listener: l}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go e.answer(c)
		}
	}()
	return e
}

func (e *echo) answer(c net.Conn) {
	defer func() { _ = c.Close() }()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return
	}
	e.mu.Lock()
	e.heard = append(e.heard, strings.TrimSpace(line))
	e.mu.Unlock()
	_, _ = fmt.Fprintln(c, "heard")
}

func (e *echo) words() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.heard)
}

// TestRoute: with a route a program reaches that place and no other, and writes in
// the folder that it was given and no other.
func TestRoute(t *testing.T) {
	needs(t, Restricted)
	g, way, other := newGround(t), newEcho(t), newEcho(t)
	given := filepath.Join(g.dir, "given")
	slot := claim(t)
	defer slot.Release()
	if err := os.Mkdir(given, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(given, slot.uid(), slot.uid()); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		attack string
		args   []string
		says   string
	}{
		{"talk", []string{way.Addr().String(), other.Addr().String(), way.Addr().String()}, "heard, ECONNREFUSED, heard"},
		{"udp", []string{"203.0.113.77:9999"}, "ECONNREFUSED"},
		{"write", []string{filepath.Join(given, "file")}, "done"},
		{"write", []string{filepath.Join(g.dir, "file")}, "EACCES"},
	} {
		if err := slot.Reset(); err != nil {
			t.Fatal(err)
		}
		o := g.order(Restricted, Limits{}, slot, tt.attack, tt.args...)
		o.Route, o.Write = netip.MustParseAddrPort(way.Addr().String()), []string{given}
		p, err := Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(p.Stdout)
		p.End(brief)
		if strings.TrimSpace(string(said)) != tt.says {
			t.Errorf("%s %q: it says %q, want %q", tt.attack, tt.args, said, tt.says)
		}
		if hosts := p.Observed().Hosts; tt.attack == "talk" && !slices.Equal(hosts, []string{other.Addr().String()}) {
			t.Errorf("seen: %q", hosts)
		}
	}
	if heard := way.words(); len(heard) != 2 {
		t.Errorf("the place heard %q", heard)
	}
	if heard := other.words(); len(heard) != 0 {
		t.Errorf("another place heard %q", heard)
	}
}

// TestRouteElsewhere: what only one profile has is not promised by the others.
func TestRouteElsewhere(t *testing.T) {
	g := newGround(t)
	slot := claim(t)
	defer slot.Release()
	for _, p := range []Profile{Full, None} {
		for _, edit := range []func(*Order){
			func(o *Order) { o.Route = netip.MustParseAddrPort("127.0.0.1:1") },
			func(o *Order) { o.Write = []string{g.dir} },
		} {
			o := g.order(p, Limits{}, slot, "talk")
			edit(&o)
			if started, err := Start(t.Context(), o); err == nil {
				started.End(brief)
				t.Errorf("%s: it was started", p)
			}
		}
	}
}
